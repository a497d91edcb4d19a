package gate

import (
	"context"
	"time"

	"github.com/framedle/leaderboards/upstash"
)

// tellingTime bounds how long an answer waits for the write of presence.
const tellingTime = time.Second

// see notes that the calling player is online. If a write of presence is due, see starts it
// beside the request, and charges nobody for it. The caller has to call wait before it
// returns, because a function is frozen after its answer.
func (k *Guard) see(r *Request) (wait func()) {
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
		if err := k.presence.WriteDue(ctx); err != nil {
			k.problems.Warn(ctx, "presence is updated later", err)
		}
	}()
	return func() { <-done }
}

// outside is a context of the request whose calls are not charged to its caller.
func outside(ctx context.Context) context.Context {
	if s, ok := ctx.Value(spendingKey{}).(*spending); ok {
		return s.before
	}
	return ctx
}
