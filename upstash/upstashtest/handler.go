package upstashtest

import (
	"bytes"
	"context"
	"net/http"
	"strconv"
	"sync"
)

const syncTokenHeader = "Upstash-Sync-Token"

const (
	singlePath   = "/"
	pipelinePath = "/pipeline"
	multiPath    = "/multi-exec"
	healthPath   = "/health"
)

// exchange is the reusable memory of one request.
type exchange struct {
	job
	ticket ticket
	body   bytes.Buffer
	args   [][]byte // what the commands point into
}

func newExchange() *exchange {
	return &exchange{ticket: ticket{done: make(chan struct{}, 1)}}
}

const (
	keptBytes    = 64 << 10 // what an exchange keeps for the next request
	keptCommands = 1024
)

func (x *exchange) reset() {
	clear(x.commands)
	clear(x.args)
	x.body.Reset()
	x.args = x.args[:0]
	x.job = job{commands: x.commands[:0], out: x.out[:0]}
}

func (x *exchange) isSmall() bool {
	return x.body.Cap() <= keptBytes && cap(x.out) <= keptBytes &&
		cap(x.commands) <= keptCommands && cap(x.args) <= keptCommands
}

// Handler serves the REST protocol, for tests that bring a listener of their own, with
// TLS for instance. The server at URL uses the same handler.
func (s *Server) Handler() http.Handler {
	pool := &sync.Pool{New: func() any { return newExchange() }}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		x := pool.Get().(*exchange)
		s.serve(w, r, x)
		if x.isSmall() {
			x.reset()
			pool.Put(x)
		}
	})
}

func (s *Server) serve(w http.ResponseWriter, r *http.Request, x *exchange) {
	path := r.URL.EscapedPath()
	switch r.Method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut:
	case http.MethodDelete:
		if path == usagePath || path == faultsPath {
			break
		}
		fallthrough
	default:
		w.Header().Set("Allow", "GET, HEAD, POST, PUT")
		s.fail(w, x, http.StatusMethodNotAllowed, "ERR method "+r.Method+" is not allowed; use GET, HEAD, POST or PUT")
		return
	}
	if path == healthPath {
		s.serveHealth(w, r, x)
		return
	}
	may := s.authorise(r)
	if may == accessNone {
		s.fail(w, x, http.StatusUnauthorized, "WRONGPASS invalid or missing auth token")
		return
	}
	switch path {
	case usagePath:
		s.serveUsage(w, r, x, may)
		return
	case faultsPath:
		s.serveFaults(w, r, x, may)
		return
	}
	if kind := streamKind(path); kind != "" {
		s.serveStream(w, r, x, may, kind)
		return
	}
	s.serveCommands(w, r, x, path, may)
}

func (s *Server) serveCommands(w http.ResponseWriter, r *http.Request, x *exchange, path string, may access) {
	f, problem := requestFormat(r.Header)
	if problem != "" {
		s.fail(w, x, http.StatusBadRequest, problem)
		return
	}
	limit := s.requestBytes
	switch path {
	case pipelinePath:
		x.shape = shapePipeline
		limit = max(limit, maxBodyBytes)
	case multiPath:
		x.shape = shapeTransaction
		limit = max(limit, maxBodyBytes)
		if f == formatRESP {
			f = formatJSON // as Upstash does
		}
	}
	x.format = f
	if err := s.readBody(w, r, x, limit); err != nil {
		s.failBody(w, r, x, err, limit)
		return
	}
	if err := x.parse(path, r.URL.RawQuery); err != nil {
		s.fail(w, x, http.StatusBadRequest, malformed(err))
		return
	}
	fault := s.faultFor(r, x.commands)
	if fault.Delay > 0 {
		sleep(r.Context(), fault.Delay)
		r = r.WithContext(context.WithoutCancel(r.Context()))
	}
	if fault.CutBefore {
		panic(http.ErrAbortHandler)
	}
	if fault.Status != 0 && !fault.Applied {
		s.answerFault(w, x, fault)
		return
	}
	s.classify(x, may)
	cost := s.enforce(r.Context(), x)
	s.ledger.roundTrips.Add(1)
	status, token := s.run(r, x)
	if fault.Status != 0 {
		x.out = x.out[:0]
		s.answerFault(w, x, fault)
		return
	}
	if fault.CutAfter {
		panic(http.ErrAbortHandler)
	}
	h := w.Header()
	h[syncTokenHeader] = []string{strconv.FormatUint(token, 36)}
	s.setCost(h, cost+x.inner)
	s.send(w, x, status)
}

func (s *Server) answerFault(w http.ResponseWriter, x *exchange, f Fault) {
	for name, values := range f.Header {
		w.Header()[name] = values
	}
	x.out = append(x.out, f.Body...)
	s.send(w, x, f.Status)
}

// classify sets the kind of each command, and the reason why some may not run.
func (s *Server) classify(x *exchange, may access) {
	for i := range x.commands {
		c := &x.commands[i]
		c.kind = s.engine.catalog.kind(c.args[0])
		if c.size > s.requestBytes && len(x.commands) > 1 {
			c.refusal = string(tooLarge(s.requestBytes, c.size))
		} else {
			c.refusal = vet(*c, may)
		}
		if c.refusal == "" {
			s.engine.scripts.rewrite(c)
		}
	}
}

// parse reads the commands of a request.
func (x *exchange) parse(path, query string) error {
	switch path {
	case pipelinePath, multiPath:
		return x.parsePipeline(x.body.Bytes())
	case singlePath, "":
		return x.parseCommand(x.body.Bytes())
	}
	c, err := parsePath(path, query, x.body.Bytes())
	x.commands = append(x.commands, c)
	return err
}

// serveHealth is the one route without a token. It reports whether the engine answers, and
// nothing else.
func (s *Server) serveHealth(w http.ResponseWriter, r *http.Request, x *exchange) {
	if _, err := s.engine.Do(r.Context(), "PING"); err != nil {
		s.fail(w, x, http.StatusServiceUnavailable, "ERR engine unreachable")
		return
	}
	s.sendJSON(w, x, map[string]string{"result": "OK"})
}
