package upstashtest

import (
	"context"
	"net/http"
	"strconv"
	"time"
)

// run runs the commands of a request and fills x.out. token is the sync token: it
// represents the state of the data that the answer shows.
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

// runOn fills x.out, and sets x.failed if the whole answer is one error.
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

// sending counts the commands that are given to the engine. The engine's statistics minus
// this count are the commands that scripts called.
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

// refusedWhole returns the command that keeps the whole request from running: the only
// command, or any refused one of a transaction. It returns nil for pipelines.
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

// settleScripts reads the usage after a request with scripts, so that a plan also counts
// the commands that the scripts called.
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

// syncToken is the sync token that the client sent; 0 if it sent none, or one of another
// server.
func syncToken(h http.Header) uint64 {
	token, _ := strconv.ParseUint(first(h[syncTokenHeader]), 36, 64)
	return token
}
