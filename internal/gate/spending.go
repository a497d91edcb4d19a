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
	asks   querymeter.Meter // queries to Postgres

	mu     sync.Mutex // held while the limits are asked
	asked  bool
	taken  []taken // one for each time that commands were held
	refuse error

	paying payer
	later  bool // settle is called when the answer ends, after the endpoint has returned
}

// settleTimeout bounds how long an answer waits until its cost is written.
const settleTimeout = time.Second

// taken is what was held at one time: the limit's decision, and how many commands.
type taken struct {
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
func (k *Keeper) spend(r *http.Request, price int) (*http.Request, *spending) {
	s := &spending{limits: k.limits, signIn: k.credentials.anyone, from: k.Address(r), price: price}
	// A caller reads its own writes: all calls of a request share one sync token.
	s.before = upstash.WithSync(r.Context(), &s.sync)
	ctx := upstash.WithAccount(context.WithValue(s.before, spendingKey{}, s))
	s.r = r.WithContext(upstash.WithGate(upstash.WithMeter(querymeter.With(ctx, &s.asks), &s.meter), s.admit))
	return s.r, s
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

// hold charges commands to whoever pays, or refuses. The caller holds s.mu.
func (s *spending) hold(ctx context.Context, commands int) error {
	who, trusted := s.who()
	if trusted {
		return nil
	}
	// The commands that the limits themselves need are counted, but never refused.
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

// CostsMore raises the price of a request that turns out to be dearer than its route's price,
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

// spentBy is what a request has cost so far: commands of Redis, queries to Postgres.
func spentBy(ctx context.Context) (commands, queries int64) {
	s, ok := ctx.Value(spendingKey{}).(*spending)
	if !ok {
		return 0, 0
	}
	queries, _ = s.asks.Read()
	return s.meter.Commands(), queries
}

// SettlesLater is for a request whose answer goes on after its endpoint has returned. The
// caller has to call settle when the answer ends.
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

// returned settles a request when its endpoint has returned, unless its answer goes on.
func (s *spending) returned() {
	s.mu.Lock()
	later := s.later
	s.mu.Unlock()
	if !later {
		s.settle()
	}
}

// settle says who has made the request, and replaces what was held by what was spent.
func (s *spending) settle() {
	s.mu.Lock()
	defer s.mu.Unlock()
	usage.CalledBy(s.r.Context(), s.caller())
	if len(s.taken) == 0 {
		return
	}
	left := int(s.meter.Commands())
	// The cost of a caller who has disconnected counts too.
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

// caller is who has made the request, as far as is known by now; it verifies nothing. A
// device is known by its address.
func (s *spending) caller() usage.Caller {
	switch player := s.paying.player.ID; {
	case s.paying.trusted():
		return s.paying.holder
	case player != "" && !auth.IsDevice(player):
		return usage.Caller{Kind: usage.Player, ID: player}
	}
	return usage.Caller{Kind: usage.Anonymous, Network: s.from}
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
		return &s.paying
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
