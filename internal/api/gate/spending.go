package gate

import (
	"cmp"
	"context"
	"net/http"
	"net/netip"
	"sync"
	"time"

	"github.com/framedle/leaderboards/internal/api/limit"
	"github.com/framedle/leaderboards/internal/api/problem"
	"github.com/framedle/leaderboards/internal/platform/auth"
	"github.com/framedle/leaderboards/internal/platform/trace"
	"github.com/framedle/leaderboards/internal/platform/usage"
	"github.com/framedle/leaderboards/upstash"
)

// spending is what one request costs, and who pays for it. The limits are asked just before
// the first command of the request, so that an answer from memory is never refused.
type spending struct {
	limits *limit.Limiter
	signIn func(*http.Request) (auth.Player, error)
	from   netip.Prefix // address of the caller
	r      *http.Request
	before context.Context // of the request; its calls are not charged to the caller
	price  int             // what is held before the first command
	meter  upstash.Meter
	sync   upstash.Sync
	asks   trace.QueryMeter // queries to Postgres

	mu     sync.Mutex // held while the limits are asked
	asked  bool
	taken  []reservation // one for each time that commands were held
	refuse error

	paying *payer
}

// reservation is what was held at one time: the limit's decision, and how many commands.
type reservation struct {
	limit.Decision
	commands int
}

// payer is who is behind a request, by the credentials that were verified.
type payer struct {
	holder usage.Caller // a game server, the operator, or Clerk: the holder of a key

	verify sync.Once
	player auth.Player // of the token, if it is valid
	err    error
}

func (p *payer) trusted() bool { return p.holder.Kind != "" }

type spendingKey struct{}

// spend makes all calls with the returned request count for its caller.
func (k *Guard) spend(r *http.Request, price int) (*http.Request, *spending) {
	s := &spending{limits: k.limits, signIn: k.credentials.anyCaller, from: k.Address(r), price: price, paying: new(payer)}
	// A caller reads its own writes: all calls of a request share one sync token.
	s.before = upstash.WithSync(r.Context(), &s.sync)
	s.charge(r)
	return s.r, s
}

// charge makes s.r of a request: all calls with its context count for s.
func (s *spending) charge(r *http.Request) {
	ctx := upstash.WithAccount(context.WithValue(s.before, spendingKey{}, s))
	s.r = r.WithContext(upstash.WithGate(upstash.WithMeter(trace.WithQueries(ctx, &s.asks), &s.meter), s.admit))
}

// admit lets all of a request's calls to Redis through, or none.
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

// hold charges commands to the payer, or refuses. The caller holds s.mu.
func (s *spending) hold(ctx context.Context, commands int) error {
	who, trusted := s.who()
	if trusted {
		return nil
	}
	d, err := s.limits.Spend(ctx, who, commands)
	if err != nil {
		return err
	}
	if !d.Allowed {
		return problem.TooMany(d)
	}
	s.taken = append(s.taken, reservation{d, commands})
	return nil
}

// CostsMore raises the price of a request that turns out to cost more than its route's price,
// or refuses the request. Before the first command nothing is held yet, so it only raises the
// price: an answer from memory is never refused.
func CostsMore(ctx context.Context, commands int) error {
	s, ok := ctx.Value(spendingKey{}).(*spending)
	if !ok {
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

// Bounded bounds calls to Redis within the returned context: once they have cost as many
// commands as most, each further call gets the error of refuse.
func Bounded(ctx context.Context, most int64, refuse func() error) context.Context {
	meter := new(upstash.Meter)
	s, charged := ctx.Value(spendingKey{}).(*spending)
	return upstash.WithGate(upstash.WithMeter(ctx, meter), func(ctx context.Context) error {
		if meter.Commands() >= most {
			return refuse()
		}
		if !charged {
			return nil
		}
		return s.admit(ctx)
	})
}

// ChargeAgain is for a part of an answer that continues after its endpoint has returned, such as each
// card of a stream. It opens a new account of the request's payer: the limits are asked before
// the first call with the returned context, for as many commands as price, and settle has to be
// called after the last one.
func ChargeAgain(ctx context.Context, price int) (within context.Context, settle func()) {
	first, ok := ctx.Value(spendingKey{}).(*spending)
	if !ok {
		return ctx, func() {}
	}
	s := &spending{limits: first.limits, signIn: first.signIn, from: first.from, price: price, paying: first.paying}
	s.before = context.WithoutCancel(first.before)
	s.charge(first.r)
	return s.r.Context(), s.settle
}

// ForViewers charges an address for one read of a board that is streamed, which can cost as
// many commands as most: see Pay in package live. Signed-in viewers are charged by address
// too, since a page that is left open must not use up what its player may spend in a day.
func (k *Guard) ForViewers(from netip.Prefix, most int) func(context.Context) (paid context.Context, settle func(), later time.Duration) {
	return func(ctx context.Context) (context.Context, func(), time.Duration) {
		d, err := k.limits.Spend(ctx, limit.Caller{Address: from, Viewers: true}, most)
		if err != nil || !d.Allowed {
			return nil, nil, cmp.Or(d.Wait, time.Second)
		}
		meter := new(upstash.Meter)
		return upstash.WithMeter(upstash.WithAccount(ctx), meter), func() { d.Settle(int(meter.Commands())) }, 0
	}
}

// spentBy is what a request has cost so far: commands of Redis, queries to Postgres.
func spentBy(ctx context.Context) (commands, queries int64) {
	s, ok := ctx.Value(spendingKey{}).(*spending)
	if !ok {
		return 0, 0
	}
	queries, _ = s.asks.Read()
	return s.meter.Commands(), queries
}

// Settle settles a request whose endpoint does not return soon, once its calls are over. What
// comes later needs Again.
func Settle(ctx context.Context) {
	if s, ok := ctx.Value(spendingKey{}).(*spending); ok {
		s.settle()
	}
}

// settle says who has made the request, and replaces what was held by what was spent. It may
// be called twice.
func (s *spending) settle() {
	s.mu.Lock()
	defer s.mu.Unlock()
	usage.CalledBy(s.r.Context(), s.caller())
	if len(s.taken) == 0 {
		return
	}
	left := int(s.meter.Commands())
	for i, t := range s.taken {
		part := left
		if i < len(s.taken)-1 {
			part = min(left, t.commands)
		}
		t.Settle(part)
		left -= part
	}
	s.taken = nil
}

// caller is who has made the request, as far as is known by now; it verifies nothing.
func (s *spending) caller() usage.Caller {
	switch player := s.paying.player.ID; {
	case s.paying.trusted():
		return s.paying.holder
	case player != "" && !auth.IsDevice(player):
		return usage.Caller{Kind: usage.Player}
	}
	return usage.Caller{Kind: usage.Anonymous}
}

// who returns who pays: the player of a valid token, on any route, and otherwise the address.
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

// payerOf is the payer of the request of a context.
func payerOf(ctx context.Context) *payer {
	if s, ok := ctx.Value(spendingKey{}).(*spending); ok {
		return s.paying
	}
	return new(payer)
}

// signIn verifies a request's token, or returns the result of an earlier call.
func (p *payer) signIn(verify func() (auth.Player, error)) (auth.Player, error) {
	p.verify.Do(func() { p.player, p.err = verify() })
	return p.player, p.err
}

// trust notes that the request is of a holder of a key of the deployment. It has to be called
// before the request's first call to Redis.
func trust(ctx context.Context, who usage.Caller) { payerOf(ctx).holder = who }
