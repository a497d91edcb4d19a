// Package gate lets requests in. Before an endpoint runs, the gate finds out who sends the
// request, whether they may, how often they have asked, and what the request may cost. It
// also keeps the answer under an idempotency key, so that a repeated request has one effect.
// bind.go has the order of the checks.
//
// It must not know any single route, boards or the contents of answers.
package gate

import (
	"context"
	"net/http"
	"time"

	"github.com/framedle/leaderboards/internal/api/limit"
	"github.com/framedle/leaderboards/internal/api/respond"
	"github.com/framedle/leaderboards/internal/control"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/platform/auth"
	"github.com/framedle/leaderboards/internal/platform/auth/webhook"
	"github.com/framedle/leaderboards/upstash"
)

// Sessions verifies players' session tokens.
type Sessions interface {
	Verify(ctx context.Context, token string) (auth.Player, error)
}

// Signatures verifies requests that game servers sign.
type Signatures interface {
	Verify(header string, r auth.Request) (auth.Server, error)
}

// Presence notes which players are online.
type Presence interface {
	See(player string)
	// WriteDue writes what was noted, if a write is due.
	WriteDue(ctx context.Context) error
}

// Config is what a Guard is made of.
type Config struct {
	Game      *game.Game
	Problems  respond.Problems
	ProxyHops int // see limit.Address

	// Verifiers of credentials. A nil one refuses every credential of its kind.
	Sessions   Sessions
	Signatures Signatures
	Operators  *auth.Operators
	Webhooks   *webhook.Verifier
	Devices    *auth.Devices

	Notices     *control.Notices
	Limits      *limit.Limiter
	Idempotency Idempotency // nil: answers are not kept
}

// Guard lets requests in, and has their errors answered. It is safe for concurrent use.
type Guard struct {
	credentials credentials
	problems    respond.Problems
	notices     *control.Notices
	limits      *limit.Limiter
	idempotency Idempotency
	presence    Presence
	proxyHops   int
}

// New makes a Guard.
func New(c Config) *Guard {
	return &Guard{
		credentials: credentials{c},
		problems:    c.Problems, notices: c.Notices, limits: c.Limits, idempotency: c.Idempotency, proxyHops: c.ProxyHops,
	}
}

// SetPresence has the gate note which players are online. Call it before the first request.
func (k *Guard) SetPresence(by Presence) { k.presence = by }

// Anyone finds the player who sent a request, signed in or a device, on any route.
func (k *Guard) Anyone(r *http.Request) (auth.Player, error) { return k.credentials.anyCaller(r) }

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
