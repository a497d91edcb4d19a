package upstashtest

import (
	"context"
	"net/http"
	"time"
)

// Request is the argument of a fault function: an authorised, well-formed request that
// has had no effect yet.
type Request struct {
	Path     string      // as sent, without the query
	Header   http.Header // not to be changed
	Commands [][]string  // one for a single command
}

// Fault is how a request shall fail; the zero value lets it pass. Of CutBefore, Status
// and CutAfter the first that is set decides. Commands that a fault keeps from running
// are not billed.
type Fault struct {
	// Delay comes before anything else. It ends early when the client goes away; the
	// request continues all the same, like one that was already on its way.
	Delay time.Duration
	// CutBefore closes the connection without an answer and without effect.
	CutBefore bool
	// Status, when not 0, is the status of an answer with Header and Body (JSON). It
	// replaces the run of the commands; with Applied the commands run first.
	Status  int
	Header  http.Header
	Body    string
	Applied bool
	// CutAfter runs the commands, then closes the connection without an answer.
	CutAfter bool
}

// Throttled is the fault of too many requests at once: 429 with Retry-After.
func Throttled(after time.Duration) Fault {
	seconds := int64((after + time.Second - 1) / time.Second)
	return Fault{
		Status: http.StatusTooManyRequests,
		Header: http.Header{"Retry-After": {formatInt(seconds)}},
		Body:   `{"error":"ERR max requests per second exceeded"}`,
	}
}

// Inject makes the server call f for every request from now on, from many goroutines at
// once; nil ends that.
func (s *Server) Inject(f func(Request) Fault) {
	if f == nil {
		s.fault.Store(nil)
		return
	}
	s.fault.Store(&f)
}

func (s *Server) faultFor(r *http.Request, commands []command) Fault {
	f := s.fault.Load()
	if f == nil {
		return Fault{}
	}
	seen := Request{Path: r.URL.Path, Header: r.Header, Commands: make([][]string, len(commands))}
	for i, c := range commands {
		for _, arg := range c.args {
			seen.Commands[i] = append(seen.Commands[i], string(arg))
		}
	}
	return (*f)(seen)
}

func sleep(ctx context.Context, d time.Duration) {
	if d <= 0 {
		return
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-ctx.Done():
	}
}
