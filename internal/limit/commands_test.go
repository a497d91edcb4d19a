package limit_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/limit"
	"github.com/framedle/leaderboards/internal/testkit"
)

// untold is how many commands of a player each process keeps to itself.
const untold = 40

func aDay(n int) game.Limits {
	return game.Limits{Commands: game.CommandLimits{Player: game.Rate{Count: n, Window: 24 * time.Hour}}}
}

// fleet is so many processes before one memory of Redis.
func fleet(n int, c *testkit.Clock, limits game.Limits) (all []*limit.Limiter, m *memory) {
	m = newMemory()
	for range n {
		all = append(all, limit.New(limit.Options{Limits: limits, Store: m, Now: c.Now}))
	}
	return all, m
}

// cost is what one request has cost, and when it was let in.
type cost struct {
	at       time.Time
	commands int
}

// dearestDay is the most that any 24 hours have cost.
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

// However many processes serve a player, whatever the requests cost of what was
// held for them, and however many are under way at once: no 24 hours cost more
// than the limit and what each process keeps to itself.
func TestTheBoundOfAPlayersCommandsHolds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		count := rapid.IntRange(40, 300).Draw(t, "limit")
		processes := rapid.IntRange(1, 200).Draw(t, "processes")
		c := testkit.Still(noon.Add(time.Duration(rapid.Int64Range(0, int64(24*time.Hour)).Draw(t, "start"))))
		all, _ := fleet(processes, c, aDay(count))
		// What requests cost of what was held for them, in eighths: who attacks costs all.
		parts := rapid.SampledFrom([][]int{{8}, {0, 1, 8}}).Draw(t, "parts")
		type underWay struct {
			limit.Decision
			most, which int
		}
		var under []underWay
		var costs []cost
		settle := func() {
			u := under[0]
			under = under[1:]
			costs[u.which].commands = u.most * rapid.SampledFrom(parts).Draw(t, "part") / 8
			u.Settle(costs[u.which].commands)
		}
		request := func(l *limit.Limiter, most int) {
			d, err := l.Spend(t.Context(), player("a"), most)
			require.NoError(t, err)
			if d.Allowed {
				under = append(under, underWay{d, most, len(costs)})
				costs = append(costs, cost{at: c.Now()})
			}
		}
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			c.Pass(rapid.SampledFrom([]time.Duration{0, 0, 0, time.Second, time.Minute, time.Hour, 5 * time.Hour, 23 * time.Hour}).Draw(t, "pause"))
			most := rapid.SampledFrom([]int{2, 10, 18, 30, 80}).Draw(t, "most")
			if rapid.IntRange(0, 9).Draw(t, "through all processes") == 0 {
				for _, l := range all { // each up to just before it would ask, or beyond
					for range rapid.IntRange(1, 4).Draw(t, "times") * untold / most {
						request(l, most)
					}
				}
			} else {
				request(all[rapid.IntRange(0, processes-1).Draw(t, "process")], most)
			}
			for len(under) > 0 && rapid.IntRange(0, 9).Draw(t, "answered") > 0 {
				settle()
			}
		}
		for len(under) > 0 {
			settle()
		}
		require.LessOrEqual(t, dearestDay(costs), count+processes*untold)
	})
}

// One who goes from process to process, and leaves each just before it would
// ask, or uses each up, costs no more than the limit, 40 in each process, and what
// the processes ask.
func TestWhoGoesThroughManyProcessesIsBounded(t *testing.T) {
	for name, uses := range map[string]int{"leaves early": untold, "uses each up": 10_000} {
		for _, processes := range []int{1, 12, 50, 200} {
			c := testkit.Still(noon)
			all, m := fleet(processes, c, aDay(2000))
			spent := 0
			for _, l := range all {
				for used := 0; used < uses; used += 2 {
					if !spends(t, l, player("a"), 2, 2) {
						break
					}
					spent += 2
				}
			}
			require.LessOrEqual(t, spent+m.cost, 2000+processes*(untold+3), "%s, %d processes", name, processes)
		}
	}
}

func TestWhoPlaysAsPeopleDoIsNotAskedAbout(t *testing.T) {
	c := testkit.Still(noon)
	all, m := fleet(30, c, aDay(2000))
	for _, l := range all {
		for range 3 { // a score and a look, with what is held for them
			require.True(t, spends(t, l, player("a"), 18, 2))
			require.True(t, spends(t, l, player("a"), 30, 1))
			c.Pass(time.Minute)
		}
		// A week that nobody has looked at in a while.
		require.True(t, spends(t, l, player("b"), 18, 2))
		require.True(t, spends(t, l, player("b"), 30, 28))
	}
	require.Zero(t, m.asked)
}

func TestWhoPlaysALotCostsFewQuestions(t *testing.T) {
	c := testkit.Still(noon)
	all, m := fleet(1, c, aDay(2000))
	for range 900 {
		require.True(t, spends(t, all[0], player("a"), 18, 2))
	}
	require.LessOrEqual(t, m.cost, 15, "of 1,800 commands")
}

// What a refused request told of is there for the next ones, and is told of once.
func TestWhatARefusedRequestToldOfIsNotLost(t *testing.T) {
	c := testkit.Still(noon)
	all, _ := fleet(2, c, aDay(100))
	require.True(t, spends(t, all[0], player("a"), 90, 90))
	for range 50 {
		require.False(t, spends(t, all[1], player("a"), 80, 80))
	}
	require.True(t, spends(t, all[1], player("a"), 40, 40))
}

func TestAPlayersCommandsAreCountedInRedis(t *testing.T) {
	onEngines(t, func(t *testing.T, r *redis) {
		var all []*limit.Limiter
		for range 20 {
			all = append(all, r.process(aDay(2000)))
		}
		commands, _ := r.Spent(func() {
			for i := range 20 * untold {
				require.True(t, spends(t, all[i%20], player("seldom"), 1, 1))
			}
		})
		require.Zero(t, commands)
		granted := 0
		asked, _ := r.Spent(func() {
			for range 24 * 6 {
				for _, l := range all {
					for range 6 {
						if spends(t, l, player("busy"), 20, 7) {
							granted += 7
						}
					}
				}
				r.clock.Pass(10 * time.Minute)
			}
		})
		t.Logf("%d commands, and %d to ask", granted, asked)
		require.GreaterOrEqual(t, granted, 1500)
		require.LessOrEqual(t, granted, 2000+20*untold)
		require.LessOrEqual(t, granted+int(asked), 2000+20*(untold+20))
		for _, key := range r.keys() {
			left, err := r.Server.Redis().Do(t.Context(), "TTL", key)
			require.NoError(t, err)
			require.Positive(t, left, key)
		}
		r.clock.Pass(24 * time.Hour)
		require.True(t, spends(t, all[0], player("busy"), 20, 7))
	})
}
