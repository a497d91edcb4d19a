package gate

import (
	"context"
	"net/http"
	"net/netip"
	"sync"
	"time"

	"github.com/framedle/leaderboards/internal/archive/querymeter"
	"github.com/framedle/leaderboards/internal/auth"
	"github.com/framedle/leaderboards/internal/limit"
	"github.com/framedle/leaderboards/internal/problem"
	"github.com/framedle/leaderboards/internal/usage"
	"github.com/framedle/leaderboards/upstash"
)

// spending is what one request costs, and who pays. It is asked before the first
// command of the request: what memory answers is answered to everybody.
type spending struct {
	limits Limits
	signIn func(*http.Request) (auth.Player, error)
	from   netip.Prefix // where it came from
	r      *http.Request
	before context.Context // of the request, in which nothing is counted for its caller
	price  int             // what is held before the first command
	meter  upstash.Meter
	sync   upstash.Sync
	asks   querymeter.Meter // of Postgres

	mu     sync.Mutex // held while the limits are asked
	asked  bool
	taken  []taken // one for each time that something was held
	refuse error

	paying payer
	later  bool // it is settled when its answer ends, after its endpoint has returned
}

// settleTimeout bounds how long an answer waits for what it cost to be told.
const settleTimeout = time.Second

// taken is what was held at one time.
type taken struct {
	limit.Decision
	commands int
}

// payer is who is behind a request, as far as a credential has told.
type payer struct {
	holder usage.Caller // a game server, the operator, or Clerk: whoever holds a key

	verify sync.Once
	player auth.Player // of the token, where it holds
	err    error
}

func (p *payer) trusted() bool { return p.holder.Kind != "" }

type spendingKey struct{}

// spend has everything that is done with the returned request counted for its
// caller. Where limits are off, nothing is.
func (k *Keeper) spend(r *http.Request, price int) (*http.Request, *spending) {
	s := &spending{limits: k.limits, signIn: k.credentials.anyone, from: k.Address(r), price: price}
	// One caller reads its own writes: all of a request's calls share a token.
	s.before = upstash.WithSync(r.Context(), &s.sync)
	ctx := upstash.WithAccount(context.WithValue(s.before, spendingKey{}, s))
	if k.limits != nil {
		ctx = upstash.WithGate(upstash.WithMeter(querymeter.With(ctx, &s.asks), &s.meter), s.admit)
	}
	s.r = r.WithContext(ctx)
	return s.r, s
}

// admit lets a request's calls to Redis through, or none of them.
func (s *spending) admit(ctx context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.asked {
		return s.refuse
	}
	s.asked = true
	s.refuse = s.hold(ctx, s.price)
	return s.refuse
}

// hold has so many commands counted for whoever pays, or refuses them. The lock
// is held.
func (s *spending) hold(ctx context.Context, commands int) error {
	who, trusted := s.who()
	if trusted {
		return nil
	}
	// What the limits themselves ask of Redis is counted, and not asked for.
	d, err := s.limits.Spend(upstash.WithGate(ctx, nil), who, commands)
	if err != nil {
		return err
	}
	if !d.Allowed {
		return problem.TooMany(d)
	}
	s.taken = append(s.taken, taken{d, commands})
	return nil
}

// CostsMore has a request, which turns out to be one of the dearer ones of its route,
// count as so much more, or refuses it. Before its first command nothing is held yet,
// so that what memory can answer is answered.
func CostsMore(ctx context.Context, commands int) error {
	s, ok := ctx.Value(spendingKey{}).(*spending)
	if !ok || s.limits == nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.asked {
		s.price += commands
		return nil
	}
	if s.refuse != nil {
		return s.refuse
	}
	return s.hold(ctx, commands)
}

// Bounded lets no call to Redis through once those within the returned context have cost
// so many commands: refuse says why.
func Bounded(ctx context.Context, most int64, refuse func() error) context.Context {
	meter, admit := new(upstash.Meter), upstash.Gate(nil)
	if s, ok := ctx.Value(spendingKey{}).(*spending); ok && s.limits != nil {
		admit = s.admit
	}
	return upstash.WithGate(upstash.WithMeter(ctx, meter), func(ctx context.Context) error {
		if meter.Commands() >= most {
			return refuse()
		}
		if admit == nil {
			return nil
		}
		return admit(ctx)
	})
}

// spentBy is what a request has cost by now: commands of Redis, queries to Postgres.
func spentBy(ctx context.Context) (commands, queries int64) {
	s, ok := ctx.Value(spendingKey{}).(*spending)
	if !ok {
		return 0, 0
	}
	queries, _ = s.asks.Read()
	return s.meter.Commands(), queries
}

// SettlesLater has a request, whose answer goes on after its endpoint has returned, settled
// by settle.
func SettlesLater(ctx context.Context) (settle func()) {
	s, ok := ctx.Value(spendingKey{}).(*spending)
	if !ok {
		return func() {}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.later = true
	return s.settle
}

// returned is called when the endpoint has returned.
func (s *spending) returned() {
	s.mu.Lock()
	later := s.later
	s.mu.Unlock()
	if !later {
		s.settle()
	}
}

// settle says who has made the request, and corrects what it was counted as.
func (s *spending) settle() {
	s.mu.Lock()
	defer s.mu.Unlock()
	usage.CalledBy(s.r.Context(), s.caller())
	if len(s.taken) == 0 {
		return
	}
	left := int(s.meter.Commands())
	// What players cost is told though they have left.
	ctx, cancel := context.WithTimeout(upstash.WithGate(context.WithoutCancel(s.r.Context()), nil), settleTimeout)
	defer cancel()
	for i, t := range s.taken {
		part := left
		if i < len(s.taken)-1 {
			part = min(left, t.commands)
		}
		t.Settle(ctx, part)
		left -= part
	}
}

// caller is who has made the request, as far as has been looked at: nothing is
// verified for it. A device is where it came from.
func (s *spending) caller() usage.Caller {
	switch player := s.paying.player.ID; {
	case s.paying.trusted():
		return s.paying.holder
	case player != "" && !auth.IsDevice(player):
		return usage.Caller{Kind: usage.Player, ID: player}
	}
	return usage.Caller{Kind: usage.Anonymous, Network: s.from}
}

// who pays: the player whose token holds, whether or not the route asks for one;
// else the address.
func (s *spending) who() (who limit.Caller, trusted bool) {
	if s.paying.trusted() {
		return limit.Caller{}, true
	}
	who = limit.Caller{Address: s.from}
	if s.r.Header.Get("Authorization") != "" {
		if player, err := s.signIn(s.r); err == nil {
			who.Player, who.Anonymous = player.ID, auth.IsDevice(player.ID)
		}
	}
	return who, false
}

// payerOf is whom a request's credentials name.
func payerOf(ctx context.Context) *payer {
	if s, ok := ctx.Value(spendingKey{}).(*spending); ok {
		return &s.paying
	}
	return new(payer)
}

// signIn verifies a request's token, or tells what that has found before.
func (p *payer) signIn(verify func() (auth.Player, error)) (auth.Player, error) {
	p.verify.Do(func() { p.player, p.err = verify() })
	return p.player, p.err
}

// trust notes that whoever sent the request holds a key of the deployment's own.
// It is noted before the request's first call to Redis, or it comes too late.
func trust(ctx context.Context, who usage.Caller) { payerOf(ctx).holder = who }
