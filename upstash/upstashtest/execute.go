package upstashtest

import (
	"context"
	"net/http"
	"strconv"
	"time"
)

// run runs the commands of a request and fills x.out. token stands for the
// state of the data that the answer shows.
func (s *Server) run(r *http.Request, x *exchange) (status int, token uint64) {
	if refusal := x.refusedWhole(); refusal != nil {
		x.out = x.format.appendError(x.out, []byte(refusal.refusal))
		return failureStatus(*refusal), s.served.Add(1)
	}
	s.monitors.see(time.Now(), x.commands)
	var err error
	switch {
	case s.replica == nil:
		err = x.runOn(r.Context(), s.engine)
		token = s.served.Add(1)
	case readsOnly(x.commands):
		token, err = s.replica.read(r.Context(), syncToken(r.Header), x)
	default:
		token, err = s.replica.write(r.Context(), s.engine, x)
	}
	switch {
	case err != nil:
		x.out = x.format.appendError(x.out[:0], []byte("ERR engine unreachable: "+err.Error()))
		return http.StatusServiceUnavailable, token
	case x.failed:
		return http.StatusBadRequest, token
	}
	s.settleScripts(r, x)
	return http.StatusOK, token
}

// runOn fills x.out, and x.failed where all of it is one error.
func (x *exchange) runOn(ctx context.Context, e *Engine) error {
	if x.shape == shapeTransaction {
		e.catalog.kind([]byte("multi")).sent.Add(1)
		e.catalog.kind([]byte("exec")).sent.Add(1)
	} else {
		e.sending(x.commands)
	}
	err := e.run(ctx, &x.job, &x.ticket)
	if x.shape == shapeTransaction && !x.failed {
		e.sending(x.commands)
	}
	return err
}

// sending keeps count of what the engine is given, so that what scripts call
// can be told from it.
func (e *Engine) sending(commands []command) {
	for i := range commands {
		c := &commands[i]
		if c.refusal != "" {
			continue
		}
		c.kind.sent.Add(1)
		if e.splits(*c) {
			e.catalog.kind([]byte("zscore")).sent.Add(1)
		}
	}
}

// refusedWhole is the command for which nothing of the request runs: its only
// one, or any of a transaction.
func (x *exchange) refusedWhole() *command {
	if x.shape == shapePipeline {
		return nil
	}
	for i := range x.commands {
		if x.commands[i].refusal != "" {
			return &x.commands[i]
		}
	}
	return nil
}

// settleScripts looks up what scripts called, so that a plan can count it.
func (s *Server) settleScripts(r *http.Request, x *exchange) {
	if s.plan == nil || s.plan.MonthlyCommands == 0 {
		return
	}
	for _, c := range x.commands {
		if c.kind.script {
			_, _ = s.Usage(r.Context())
			return
		}
	}
}

// syncToken is what the client has seen; 0 for nothing, or for a token of
// another server.
func syncToken(h http.Header) uint64 {
	token, _ := strconv.ParseUint(first(h[syncTokenHeader]), 36, 64)
	return token
}
