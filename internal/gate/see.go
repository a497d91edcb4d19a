package gate

import (
	"context"
	"time"

	"github.com/framedle/leaderboards/upstash"
)

// tellingTime bounds how long an answer waits for what is told beside it.
const tellingTime = time.Second

// see counts the player who is asking as there, and tells Redis of all who are, where
// that is due, while the request is answered. It is on nobody's account. What is
// returned waits for it: a function is frozen with the answer.
func (k *Keeper) see(r *Request) (wait func()) {
	player := r.Caller.Player.ID
	if k.presence == nil || player == "" {
		return func() {}
	}
	k.presence.See(player)
	done := make(chan struct{})
	go func() {
		defer close(done)
		ctx, cancel := context.WithTimeout(upstash.WithGate(context.WithoutCancel(outside(r.Context())), nil), tellingTime)
		defer cancel()
		if err := k.presence.Tell(ctx); err != nil {
			k.problems.Warn(ctx, "who is there is told later", err)
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
