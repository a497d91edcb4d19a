package api

import (
	"context"
	"net/http"
	"time"

	"github.com/framedle/leaderboards/internal/answers"
	"github.com/framedle/leaderboards/internal/fields"
	"github.com/framedle/leaderboards/internal/presence"
	"github.com/framedle/leaderboards/internal/problem"
	"github.com/framedle/leaderboards/upstash"
)

// present is the endpoint of how many players are there.
type present struct{ presence *presence.Presence }

type presenceAnswer struct {
	Players int64  `json:"players"`
	Window  int64  `json:"window_s"`
	AsOf    string `json:"as_of"`
}

// presenceCache is as long as a process keeps a count.
const presenceCache = "public, max-age=30"

// getPresence reads GET /v1/presence.
func (p present) getPresence(w http.ResponseWriter, r *request) error {
	if err := fields.OpenQuery(r.URL).Done(); err != nil {
		return err
	}
	if p.presence == nil {
		return problem.NobodyCounted()
	}
	count, err := p.presence.Count(r.Context())
	if err != nil {
		return err
	}
	return answers.Public(w, r.Request, presenceCache, presenceAnswer{
		count.Players, int64(presence.Window / time.Second), count.At.UTC().Format(time.RFC3339),
	})
}

// tellingTime bounds how long an answer waits for what is told beside it.
const tellingTime = time.Second

// see counts the player who is asking as there, and tells Redis of all who are, where
// that is due, while the request is answered. It is on nobody's account. What is
// returned waits for it: a function is frozen with the answer.
func see(k kernel, p *presence.Presence, r *request) (wait func()) {
	player := r.caller.player.ID
	if p == nil || player == "" {
		return func() {}
	}
	p.See(player)
	done := make(chan struct{})
	go func() {
		defer close(done)
		ctx, cancel := context.WithTimeout(upstash.WithGate(context.WithoutCancel(outside(r.Context())), nil), tellingTime)
		defer cancel()
		if err := p.Tell(ctx); err != nil {
			k.warn(ctx, "who is there is told later", err)
		}
	}()
	return func() { <-done }
}

// outside is the context of a request before anything was counted for its caller.
func outside(ctx context.Context) context.Context {
	if s, ok := ctx.Value(spendingKey{}).(*spending); ok {
		return s.before
	}
	return ctx
}
