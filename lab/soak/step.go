package soak

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/platform/auth/devissuer"
	"github.com/framedle/leaderboards/lab/caller"
	"github.com/framedle/leaderboards/upstash/upstashtest"
)

// How plays are sent.
const (
	singles     = 12 // plays of a step that are sent one by one, at most; the others are sent in batches
	batchMost   = 1000
	shakyShare  = 8  // one step in so many has failing connections
	cutShare    = 12 // in such a step one request to Redis in so many fails, before or after its effect
	repeatShare = 15 // one request in so many is sent again
)

// sendStep takes a step's plays into the model and sends them.
func (r *run) sendStep(ctx context.Context, plays []play, rng *rand.Rand) error {
	r.shaky = rng.IntN(shakyShare) == 0
	if r.shaky {
		r.shake(rng.Uint64())
		defer r.Product.Upstash.Inject(nil)
	}
	plays = slices.DeleteFunc(slices.Clone(plays), func(p play) bool { return r.model.Retired[p.Player] })
	rng.Shuffle(len(plays), func(i, j int) { plays[i], plays[j] = plays[j], plays[i] })
	for i := range plays {
		plays[i].at = r.now
	}
	requests, err := r.pack(plays, rng)
	if err != nil {
		return err
	}
	old := slices.DeleteFunc(r.pending, func(q *request) bool { return !r.Game.Open(q.plays[0].Date, r.now) })
	r.pending = nil
	var again []*request
	for _, q := range requests {
		if rng.IntN(repeatShare) == 0 {
			again = append(again, q)
		}
		if rng.IntN(repeatShare) == 0 && r.lasting(q) {
			r.pending = append(r.pending, q)
		}
	}
	for _, stage := range []struct {
		requests []*request
		repeated bool
	}{{old, true}, {requests, false}, {again, true}} {
		err := r.each(ctx, stage.requests, func(ctx context.Context, q *request) error {
			q.at, q.stale = r.now, q.stale && stage.repeated
			return r.send(ctx, q, stage.repeated)
		})
		if err != nil {
			return err
		}
	}
	for _, q := range r.pending {
		q.stale = true
	}
	r.report.Repeated += int64(len(old) + len(again))
	return nil
}

// lasting reports whether a request may be repeated after newer plays, because the
// repetition then changes nothing.
func (r *run) lasting(q *request) bool {
	for i, p := range q.plays {
		if q.want[i].status == "" || r.model.Rules[p.Mode].Policy == game.Latest && q.who != r.calls.importing() {
			return false
		}
	}
	return true
}

// pack makes requests of plays, and takes the plays into the model.
func (r *run) pack(plays []play, rng *rand.Rand) ([]*request, error) {
	var requests []*request
	few := rng.IntN(singles + 1)
	for len(plays) > 0 && few > 0 {
		q, err := r.one(plays[0], rng)
		if err != nil {
			return nil, err
		}
		requests = append(requests, q)
		plays = plays[1:]
		few--
	}
	for len(plays) > 0 {
		n := min(len(plays), 1+rng.IntN(batchMost))
		q, err := r.batch(plays[:n], caller.Server)
		if err != nil {
			return nil, err
		}
		requests = append(requests, q)
		plays = plays[n:]
	}
	return requests, nil
}

func (r *run) expect(q *request, p play) {
	p.Tick = r.model.Rules[p.Mode].TickOf(p.Date, p.at)
	status, current := r.model.Submit(p.Play)
	q.plays = append(q.plays, p)
	q.want = append(q.want, expected{status, current})
	r.report.Plays++
}

func (r *run) newKey() string {
	r.keys++
	return "soak-" + strconv.Itoa(r.keys)
}

// one makes a request of one play. The player sends it, with country and group in the
// session token, or the game server does.
func (r *run) one(p play, rng *rand.Rand) (*request, error) {
	q := &request{who: caller.Server, single: true}
	body := r.body(p)
	if len(body.Groups) < 2 && rng.IntN(2) == 0 {
		who, err := r.calls.player(devissuer.Claims{Player: body.Player, Country: body.Country, Groups: body.Groups})
		if err != nil {
			return nil, err
		}
		q.who, body.Player, body.Country = who, "", ""
	}
	if r.model.Rules[p.Mode].Policy == game.Sum {
		q.key = r.newKey()
	}
	r.expect(q, p)
	var err error
	q.body, err = json.Marshal(body)
	return q, err
}

func (r *run) batch(plays []play, who caller.As) (*request, error) {
	q := &request{who: who, key: r.newKey()}
	var body struct {
		Scores []scoreBody `json:"scores"`
	}
	for _, p := range plays {
		r.expect(q, p)
		b := r.body(p)
		if who == r.calls.importing() {
			b.PlayedAt = p.at.Format(time.RFC3339Nano)
		}
		body.Scores = append(body.Scores, b)
	}
	var err error
	q.body, err = json.Marshal(body)
	return q, err
}

// shake cuts connections to Redis, half of them before the effect and half after it.
func (r *run) shake(seed uint64) {
	rng := &locked{source: rand.New(rand.NewPCG(seed, 0))}
	r.Product.Upstash.Inject(func(upstashtest.Request) upstashtest.Fault {
		switch rng.IntN(2 * cutShare) {
		case 0:
			return upstashtest.Fault{CutBefore: true}
		case 1:
			return upstashtest.Fault{CutAfter: true}
		}
		return upstashtest.Fault{}
	})
}

// each calls do for every request, some of them concurrently.
func (r *run) each(ctx context.Context, requests []*request, do func(context.Context, *request) error) error {
	tasks := make([]func(context.Context) error, len(requests))
	for i, q := range requests {
		tasks[i] = func(ctx context.Context) error { return do(ctx, q) }
	}
	if err := caller.Together(ctx, r.Workers, tasks); err != nil {
		return fmt.Errorf("send plays: %w", err)
	}
	return nil
}

// locked is a source of randomness for several goroutines.
type locked struct {
	mu     sync.Mutex
	source *rand.Rand
}

// IntN is that of rand.Rand.
func (l *locked) IntN(n int) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.source.IntN(n)
}
