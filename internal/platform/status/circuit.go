package status

import (
	"context"
	"time"

	"github.com/framedle/leaderboards/upstash"
)

// Redis is the state of this process's connection to Redis, on which the rest of a status
// depends.
type Redis struct {
	Circuit  string     `json:"circuit"`    // closed, or open: calls fail at once
	Failures int        `json:"failures"`   // in a row, until now
	Since    *time.Time `json:"since"`      // when the first of them was; null: none
	Last     string     `json:"last_error"` // empty: none
}

// circuit reports whether Redis can be asked. If this process's circuit is open, a status
// cannot include what Redis knows. circuit first tries a PING, as the breaker allows, because
// this process may make no other call that would close the circuit. PING is not billed.
func (r *Reporter) circuit(ctx context.Context, s *Status) (closed bool) {
	state := r.Redis.Circuit()
	if state.Open {
		_, _ = r.Redis.Do(ctx, upstash.Cmd("PING")) // the circuit has the result
		state = r.Redis.Circuit()
	}
	s.Redis = Redis{Circuit: "closed", Failures: state.Failures}
	if state.Last != nil {
		since := state.Since.UTC()
		s.Redis.Since, s.Redis.Last = &since, state.Last.Error()
	}
	if !state.Open {
		return true
	}
	s.Redis.Circuit = "open"
	s.problem("docs/operate/runbook.md, Slow or unreachable Redis, or Exhausted quota; the circuit breaker closes by itself with the first response",
		"Redis is not responding since %s, and this process's circuit breaker is open after %d consecutive failures: %s", s.Redis.Since.Format(time.RFC3339), state.Failures, s.Redis.Last)
	return false
}
