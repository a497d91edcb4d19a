package upstashtest

import (
	"context"
	"maps"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"
)

const (
	usagePath  = "/usage"
	costHeader = "X-Billed-Commands"
)

// Usage is what Upstash would bill; if Upstash does not say, it takes the higher
// count:
//   - every command is 1, in pipelines and transactions too, whatever its
//     number of keys or members, and also when it answers an error;
//   - a script is 1, and so is each command that it calls;
//   - a transaction adds 1 for MULTI and 1 for EXEC;
//   - PING, INFO, AUTH, CONFIG and COMMAND are free;
//   - a request that reaches no command is free: a missing token, a malformed
//     request, an injected fault, an exhausted plan.
//
// The commands that scripts call are read from the engine's own statistics. Over a given
// Redis this part is wrong if others use that Redis at the same time, or after CONFIG
// RESETSTAT: it includes their commands, or is missing.
type Usage struct {
	Commands   int64            `json:"commands"`    // billed
	RoundTrips int64            `json:"round_trips"` // requests that carried them
	ByName     map[string]int64 `json:"by_name"`     // billed, by lower-case name; Commands is their sum
}

// ledger adds up what the requests cost.
type ledger struct {
	direct     atomic.Int64 // billed commands of requests
	inner      atomic.Int64 // billed commands that scripts called, when last looked up
	roundTrips atomic.Int64

	mu   sync.Mutex
	base map[string]int64 // Engine.unsent when counting began
}

// Usage is the count since the start or the last reset.
func (s *Server) Usage(ctx context.Context) (Usage, error) {
	unsent, err := s.engine.unsent(ctx)
	if err != nil {
		return Usage{}, err
	}
	u := Usage{RoundTrips: s.ledger.roundTrips.Load(), ByName: map[string]int64{}}
	s.engine.catalog.each(func(k *kind) { u.ByName[k.name] += k.billed.Load() })
	s.ledger.mu.Lock()
	var inner int64
	for name, n := range unsent {
		if n -= s.ledger.base[name]; n > 0 {
			u.ByName[name] += n
			inner += n
		}
	}
	s.ledger.inner.Store(inner)
	s.ledger.mu.Unlock()
	maps.DeleteFunc(u.ByName, func(_ string, n int64) bool { return n == 0 })
	for _, n := range u.ByName {
		u.Commands += n
	}
	return u, nil
}

// ResetUsage starts the count, and with it a plan's month, from 0.
func (s *Server) ResetUsage(ctx context.Context) error {
	unsent, err := s.engine.unsent(ctx)
	if err != nil {
		return err
	}
	s.engine.catalog.each(func(k *kind) { k.billed.Store(0) })
	s.ledger.direct.Store(0)
	s.ledger.roundTrips.Store(0)
	s.ledger.mu.Lock()
	defer s.ledger.mu.Unlock()
	s.ledger.base = unsent
	s.ledger.inner.Store(0)
	return nil
}

func (s *Server) bill(k *kind) int64 {
	if k.free {
		return 0
	}
	k.billed.Add(1)
	s.ledger.direct.Add(1)
	return 1
}

// serveUsage answers GET with the usage, and DELETE by resetting it.
func (s *Server) serveUsage(w http.ResponseWriter, r *http.Request, x *exchange, may access) {
	var u Usage
	var err error
	switch {
	case may != accessFull:
		s.fail(w, x, http.StatusBadRequest, noPermission("usage"))
		return
	case r.Method == http.MethodDelete:
		err = s.ResetUsage(r.Context())
		u.ByName = map[string]int64{}
	default:
		u, err = s.Usage(r.Context())
	}
	if err != nil {
		s.fail(w, x, http.StatusServiceUnavailable, "ERR engine unreachable: "+err.Error())
		return
	}
	s.sendJSON(w, x, u)
}

// setCost sets the header that says what a request cost. Over a given Redis the header
// does not include the commands that scripts called; the usage does.
func (s *Server) setCost(h http.Header, cost int64) {
	if s.tellCost {
		h[costHeader] = []string{strconv.FormatInt(cost, 10)}
	}
}
