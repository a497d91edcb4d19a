package host

import (
	"context"
	"fmt"
	"io"
	"maps"
	"net/http"
	"runtime/debug"
	"strconv"
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

// collectPercent is the GOGC value of a function: how much the heap grows before a garbage
// collection. A function keeps a few megabytes; with 100 a collection would begin every
// hundred requests or so, and take a third of a request's CPU.
const collectPercent = 400

// collectLess makes garbage collections rarer, if the memory size is known or limited. The
// memory limit keeps a process with much data from growing to five times its size:
// collections become frequent only near the limit. A GOGC in the environment is left as it
// is.
func collectLess(getenv func(string) string) {
	percent, limit := collecting(getenv)
	if limit > 0 {
		debug.SetMemoryLimit(limit)
	}
	if percent > 0 {
		debug.SetGCPercent(percent)
	}
}

// collecting returns the GOGC value and the memory limit in bytes to set; 0 leaves a setting
// as it is.
func collecting(getenv func(string) string) (percent int, limit int64) {
	if getenv("GOGC") != "" {
		return 0, 0
	}
	if getenv("GOMEMLIMIT") != "" { // the runtime has read it
		return collectPercent, 0
	}
	megabytes, err := strconv.ParseInt(getenv("AWS_LAMBDA_FUNCTION_MEMORY_SIZE"), 10, 64)
	if err != nil || megabytes <= 0 {
		return 0, 0
	}
	return collectPercent, megabytes << 20 / 4 * 3 // the rest is for the program itself and memory outside Go's heap
}
