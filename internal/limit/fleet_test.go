package limit_test

import (
	"context"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/limit"
	"github.com/framedle/leaderboards/internal/testkit"
)

// aside is how many commands of a player a process serves before it asks.
const aside = 40

// atOnce is how many processes may be alive at once: five functions, ten
// environments each.
const atOnce = 50

func aDay(n int) game.Limits {
	return game.Limits{Commands: game.CommandLimits{Player: game.Rate{Count: n, Window: 24 * time.Hour}}}
}

// fleet is the processes of a deployment before one Redis, as they come and go.
type fleet struct {
	clock  *testkit.Clock
	limits game.Limits
	random *rand.Rand
	redis  *memory
	board  *board
	alive  []*limit.Limiter
	began  int // processes
	costs  []cost
}

func newFleet(n int, seed uint64, limits game.Limits) *fleet {
	f := &fleet{
		clock: testkit.Still(noon), limits: limits, random: rand.New(rand.NewPCG(seed, 1)),
		redis: newMemory(), board: &board{spenders: map[string]ends{}},
	}
	for range n {
		f.alive = append(f.alive, f.process())
	}
	return f
}

func (f *fleet) process() *limit.Limiter {
	f.began++
	return limit.New(limit.Options{
		Limits: f.limits, Store: f.redis, Now: f.clock.Now, Random: f.random.Float64,
		Spenders: &view{board: f.board},
	})
}

// replace has a process end, and another begin.
func (f *fleet) replace(i int) { f.alive[i] = f.process() }

// cost is what one request has cost, with what was asked for it, and when it was
// let in.
type cost struct {
	at       time.Time
	commands int
}

// request has a player ask for something in one process.
func (f *fleet) request(tb require.TestingT, i int, who string, most, commands int) bool {
	asked := f.asked()
	d, err := f.alive[i].Spend(context.Background(), player(who), most)
	require.NoError(tb, err)
	spent := 0
	if d.Allowed {
		spent = commands
		d.Settle(context.Background(), commands+f.asked()-asked)
	}
	f.costs = append(f.costs, cost{f.clock.Now(), spent + f.asked() - asked})
	return d.Allowed
}

// asked is what all processes have asked, without what each reads at its start for whichever
// player.
func (f *fleet) asked() int { return f.redis.cost + f.board.added }

// dearestDay is the most that any 24 hours have cost.
func (f *fleet) dearestDay() int { return dearestDay(f.costs) }

func dearestDay(costs []cost) (most int) {
	first, sum := 0, 0
	for _, c := range costs {
		sum += c.commands
		for !costs[first].at.Add(24 * time.Hour).After(c.at) {
			sum -= costs[first].commands
			first++
		}
		most = max(most, sum)
	}
	return most
}

// board is what stands in Redis for all processes to see.
type board struct {
	mu       sync.Mutex
	spenders map[string]ends
	added    int
}

type ends struct{ watch, refuse time.Time }

// view is a board as one process knows it: as it was at its start.
type view struct {
	board *board
	known map[string]ends
}

func (v *view) Know(context.Context) {
	if v.known != nil {
		return
	}
	v.board.mu.Lock()
	defer v.board.mu.Unlock()
	v.known = map[string]ends{}
	for who, is := range v.board.spenders {
		v.known[who] = is
	}
}

func (v *view) Find(who string) (watch, refuse time.Time) {
	return v.known[who].watch, v.known[who].refuse
}

func (v *view) Add(_ context.Context, who string, watch, refuse time.Time) error {
	v.board.mu.Lock()
	defer v.board.mu.Unlock()
	is := v.board.spenders[who]
	if watch.After(is.watch) {
		is.watch = watch
	}
	if refuse.After(is.refuse) {
		is.refuse = refuse
	}
	v.board.spenders[who], v.known[who] = is, is
	v.board.added += 2
	return nil
}
