package upstashtest

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"os"
	"strconv"
	"time"
)

// bodyTimeout is how long a body may take to arrive.
const bodyTimeout = 30 * time.Second

func (s *Server) readBody(w http.ResponseWriter, r *http.Request, x *exchange, limit int) (err error) {
	if r.Method == http.MethodGet || r.Method == http.MethodHead || r.ContentLength == 0 {
		return nil
	}
	if r.ContentLength > int64(limit) {
		return &http.MaxBytesError{Limit: int64(limit)}
	}
	if _, isPlain := w.(*plainWriter); !isPlain {
		// A plain request has arrived whole already. After a timeout the deadline stays,
		// since net/http would otherwise wait for the rest of the body.
		control := http.NewResponseController(w)
		_ = control.SetReadDeadline(time.Now().Add(s.bodyTimeout))
		defer func() {
			if err == nil {
				_ = control.SetReadDeadline(time.Time{})
			}
		}()
	}
	if n := int(r.ContentLength); n > 0 && n <= keptBytes {
		x.body.Grow(n)
		_, err = io.ReadFull(r.Body, x.body.AvailableBuffer()[:n])
		x.body.Write(x.body.AvailableBuffer()[:n])
		return err
	}
	_, err = io.Copy(&x.body, http.MaxBytesReader(w, r.Body, int64(limit)))
	return err
}

func (s *Server) failBody(w http.ResponseWriter, r *http.Request, x *exchange, err error, limit int) {
	w.Header().Set("Connection", "close")
	var large *http.MaxBytesError
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		s.fail(w, x, http.StatusRequestTimeout, "ERR the request body did not arrive within "+s.bodyTimeout.String())
		return
	case !errors.As(err, &large):
		s.fail(w, x, http.StatusBadRequest, "ERR failed to read the request body: "+err.Error())
		return
	}
	text := "ERR max request size exceeded. Limit: " + strconv.Itoa(limit) + " bytes"
	if r.ContentLength > 0 {
		text = string(tooLarge(limit, int(r.ContentLength)))
	}
	s.fail(w, x, http.StatusRequestEntityTooLarge, text)
}

func malformed(err error) string { return "ERR failed to parse the request: " + err.Error() }

func (s *Server) fail(w http.ResponseWriter, x *exchange, status int, text string) {
	x.out = x.format.appendError(x.out[:0], []byte(text))
	s.send(w, x, status)
}

func (s *Server) sendJSON(w http.ResponseWriter, x *exchange, v any) {
	data, err := json.Marshal(v)
	if err != nil {
		s.fail(w, x, http.StatusInternalServerError, "ERR "+err.Error())
		return
	}
	x.out = append(x.out[:0], data...)
	s.send(w, x, http.StatusOK)
}

// send writes the answer; its length in the header lets net/http send header
// and body in one write.
func (s *Server) send(w http.ResponseWriter, x *exchange, status int) {
	h := w.Header()
	h["Content-Type"] = x.format.contentType()
	h["Content-Length"] = []string{strconv.Itoa(len(x.out))}
	w.WriteHeader(status)
	_, _ = w.Write(x.out)
}

func formatInt(n int64) string { return strconv.FormatInt(n, 10) }
