package upstashtest

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
)

const maxRequestBytes = 10 << 20

const (
	encodingHeader  = "Upstash-Encoding"
	syncTokenHeader = "Upstash-Sync-Token"
)

const (
	singlePath   = "/"
	pipelinePath = "/pipeline"
	multiPath    = "/multi-exec"
)

// exchange is the reusable memory of one request.
type exchange struct {
	body bytes.Buffer
	out  []byte
}

// keptBytes bounds what an exchange keeps for the next request.
const keptBytes = 64 << 10

// Handler serves the REST protocol; it is what the server listens with.
func (s *Server) Handler() http.Handler {
	pool := &sync.Pool{New: func() any { return &exchange{} }}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		x := pool.Get().(*exchange)
		x.body.Reset()
		x.out = x.out[:0]
		s.serve(w, r, x)
		if x.body.Cap() <= keptBytes && cap(x.out) <= keptBytes {
			pool.Put(x)
		}
	})
}

func (s *Server) serve(w http.ResponseWriter, r *http.Request, x *exchange) {
	switch r.Method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut:
	default:
		w.Header().Set("Allow", "GET, HEAD, POST, PUT")
		fail(w, x, http.StatusMethodNotAllowed, "ERR method "+r.Method+" is not allowed; use GET, HEAD, POST or PUT")
		return
	}
	may := s.authorise(r)
	if may == accessNone {
		fail(w, x, http.StatusUnauthorized, "WRONGPASS invalid or missing auth token")
		return
	}
	encode, ok := wantsBase64(r.Header)
	if !ok {
		fail(w, x, http.StatusBadRequest, "ERR "+encodingHeader+" "+strconv.Quote(r.Header.Get(encodingHeader))+" is unknown; use base64")
		return
	}
	if err := readBody(w, r, x); err != nil {
		failBody(w, x, err)
		return
	}
	path := r.URL.EscapedPath()
	commands, err := parseRequest(path, r.URL.RawQuery, x.body.Bytes())
	if err != nil {
		fail(w, x, http.StatusBadRequest, "ERR failed to parse the request: "+err.Error())
		return
	}
	fault := s.faultFor(r, commands)
	sleep(r.Context(), fault.Delay)
	if fault.CutBefore {
		panic(http.ErrAbortHandler)
	}
	if fault.Status != 0 {
		x.out = append(x.out, fault.Body...)
		send(w, x, fault.Status)
		return
	}
	failed, err := s.run(r, x, path, commands, may, encode)
	if fault.CutAfter {
		panic(http.ErrAbortHandler)
	}
	status := http.StatusOK
	switch {
	case err != nil:
		x.out = appendError(x.out[:0], []byte("ERR engine unreachable: "+err.Error()))
		status = http.StatusServiceUnavailable
	case failed:
		status = http.StatusBadRequest
	}
	w.Header().Set(syncTokenHeader, strconv.FormatUint(s.served.Add(1), 36))
	send(w, x, status)
}

// run fills x.out. failed says that the whole answer is one error object.
func (s *Server) run(r *http.Request, x *exchange, path string, commands []command, may access, encode bool) (failed bool, err error) {
	switch path {
	case pipelinePath:
		x.out, err = s.engine.pipeline(r.Context(), x.out, commands, may, encode)
		return false, err
	case multiPath:
		x.out, failed, err = s.engine.transaction(r.Context(), x.out, commands, may, encode)
		return failed, err
	}
	x.out, failed, err = s.engine.single(r.Context(), x.out, commands[0], may, encode)
	return failed, err
}

func parseRequest(path, query string, body []byte) ([]command, error) {
	switch path {
	case pipelinePath, multiPath:
		return parsePipeline(body)
	case singlePath, "":
		c, err := parseCommand(body)
		return []command{c}, err
	}
	c, err := parsePath(path, query, body)
	return []command{c}, err
}

func readBody(w http.ResponseWriter, r *http.Request, x *exchange) error {
	if r.Method == http.MethodGet || r.Method == http.MethodHead || r.ContentLength == 0 {
		return nil
	}
	if r.ContentLength > maxRequestBytes {
		return &http.MaxBytesError{Limit: maxRequestBytes}
	}
	_, err := io.Copy(&x.body, http.MaxBytesReader(w, r.Body, maxRequestBytes))
	return err
}

func failBody(w http.ResponseWriter, x *exchange, err error) {
	var tooLarge *http.MaxBytesError
	if errors.As(err, &tooLarge) {
		w.Header().Set("Connection", "close")
		fail(w, x, http.StatusRequestEntityTooLarge, "ERR max request size exceeded. Limit: "+strconv.Itoa(maxRequestBytes)+" bytes")
		return
	}
	fail(w, x, http.StatusBadRequest, "ERR failed to read the request body: "+err.Error())
}

func wantsBase64(h http.Header) (encode, ok bool) {
	switch value := h.Get(encodingHeader); {
	case value == "":
		return false, true
	case strings.EqualFold(value, "base64"):
		return true, true
	}
	return false, false
}

func fail(w http.ResponseWriter, x *exchange, status int, text string) {
	x.out = appendError(x.out[:0], []byte(text))
	send(w, x, status)
}

func send(w http.ResponseWriter, x *exchange, status int) {
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Content-Length", strconv.Itoa(len(x.out)))
	w.WriteHeader(status)
	_, _ = w.Write(x.out)
}
