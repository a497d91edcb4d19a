package host

import (
	"context"
	"fmt"
	"io"
	"maps"
	"net/http"
)

// Adapter turns h into a Lambda function for HTTP API and Function URL events in payload
// format 2.0.
//
// An event of another shape is an *EventError. A base64 body that is not base64 and a
// repeated header are answered with 400; a panic in h and an answer above Lambda's 6 MB with
// 500. These answers are application/problem+json. errorLog gets one JSON line for each 500.
func Adapter(h http.Handler, errorLog io.Writer) InvokeFunc {
	return func(ctx context.Context, payload []byte) ([]byte, error) {
		e, err := parseEvent(payload)
		if err != nil {
			return nil, err
		}
		req, err := e.request(ctx)
		if err != nil {
			return problemAnswer(req, http.StatusBadRequest, err.Error(), nil)
		}
		rec := newRecorder(req)
		if failure := call(h, rec, req); failure != nil {
			failure.log(errorLog, req)
			forget(rec.header)
			return problemAnswer(req, http.StatusInternalServerError, internalDetail, rec.header)
		}
		out, err := rec.encode(req.Method)
		if err == nil && len(out) > maxAnswer {
			err = fmt.Errorf("the answer has %d bytes, Lambda's limit is %d: answer in pages", len(out), maxAnswer)
		}
		if err != nil {
			(&failure{reason: err.Error()}).log(errorLog, req)
			forget(rec.header)
			return problemAnswer(req, http.StatusInternalServerError, internalDetail, rec.header)
		}
		return out, nil
	}
}

// problemAnswer is the answer of a problem with additional headers; nil for none.
func problemAnswer(req *http.Request, status int, detail string, more http.Header) ([]byte, error) {
	rec := newRecorder(req)
	maps.Copy(rec.header, more)
	writeProblem(rec, req, status, detail)
	return rec.encode(req.Method)
}
