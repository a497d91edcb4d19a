package status

import (
	"context"
	"time"

	"github.com/framedle/leaderboards/upstash"
)

// Redis is what this process makes of Redis, which it is asked for everything else.
type Redis struct {
	Circuit  string     `json:"circuit"`    // closed, or open: calls fail at once
	Failures int        `json:"failures"`   // in a row, up to now
	Since    *time.Time `json:"since"`      // of the first of them; null: none
	Last     string     `json:"last_error"` // empty: none
}

// circuit reports whether Redis may be asked. Where this process' circuit is open,
// nothing that Redis knows can be told. An open one is tried first, as its breaker
// allows: nobody else may ask anything in this process. PING is not billed.
func (r *Reporter) circuit(ctx context.Context, s *Status) (closed bool) {
	state := r.Redis.Circuit()
	if state.Open {
		_, _ = r.Redis.Do(ctx, upstash.Cmd("PING")) // how it ends is in the circuit
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
	s.problem("docs/runbook.md, Redis is slow or away, or The quota is used up; the circuit closes by itself with the first answer",
		"Redis has not answered since %s, and this process' circuit is open after %d failures in a row: %s", s.Redis.Since.Format(time.RFC3339), state.Failures, s.Redis.Last)
	return false
}
