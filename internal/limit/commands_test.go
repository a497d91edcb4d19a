package limit_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/framedle/leaderboards/internal/limit"
)

// bound is what one player costs at most in any 24 hours, with what is asked.
const bound = 5000

// However short processes live, and in whatever order a player uses them: at most fifty of
// them at once cost 5,000 for one player.
func TestTheBoundOfAPlayersCommandsHolds(t *testing.T) {
	type step struct{ pause, kind, times, most, part, lives int }
	most := []int{2, 10, 18, 30, 40, 80, 400}
	pauses := []time.Duration{0, 0, 0, 0, time.Second, time.Minute, time.Hour, 5 * time.Hour, 23 * time.Hour}
	orders := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) step {
		return step{
			pause: rapid.IntRange(0, len(pauses)-1).Draw(t, "pause"),
			kind:  rapid.IntRange(0, 3).Draw(t, "kind"),
			times: rapid.IntRange(1, 300).Draw(t, "times"),
			most:  rapid.IntRange(0, len(most)-1).Draw(t, "most"),
			part:  rapid.IntRange(0, 8).Draw(t, "part"),
			lives: rapid.IntRange(1, 20).Draw(t, "lives"),
		}
	}), 10, 60)
	dearest := 0
	for seed := range 300 {
		f := newFleet(atOnce, uint64(seed), aDay(2000))
		for _, s := range orders.Example(seed) {
			f.clock.Pass(pauses[s.pause])
			n := most[s.most]
			cost := max(1, n*s.part/8)
			for i := range s.times {
				switch at := i % atOnce; s.kind {
				case 0: // a few requests of each new process
					if i/atOnce%s.lives == 0 {
						f.replace(at)
					}
					f.request(t, at, "a", n, cost)
				case 1: // each up to just before it asks
					for range max(1, aside/n) {
						f.request(t, at, "a", n, cost)
					}
				case 2:
					f.request(t, 0, "a", n, cost)
				case 3: // all new and unused
					f.replace(at)
				}
			}
		}
		dearest = max(dearest, f.dearestDay())
		require.LessOrEqual(t, f.dearestDay(), bound, "seed %d", seed)
	}
	t.Logf("the dearest day cost %d", dearest)
	require.Greater(t, dearest, 2000)
}

// A player who leaves each process before it asks, and finds fifty unused ones when all
// processes know, costs exactly what the bound adds up.
func TestWhoLeavesEachProcessInTimeIsBounded(t *testing.T) {
	dearest := 0
	for seed := range uint64(300) {
		f := newFleet(atOnce, seed, aDay(2000))
		leave := func(requests int, until func() bool) {
			for !until() {
				f.replace(0)
				for range requests {
					f.request(t, 0, "a", 18, 2)
				}
				require.Less(t, f.began, 10_000)
			}
		}
		leave(1+int(seed%4), func() bool { return f.board.added > 0 })
		for i := range f.alive[1:] {
			for range aside / 2 {
				f.request(t, 1+i, "a", 2, 2)
			}
		}
		leave(3, func() bool { return !f.board.spenders["a"].refuse.IsZero() })
		for i := range f.alive {
			for range 100 {
				f.request(t, i, "a", 2, 2)
			}
		}
		dearest = max(dearest, f.dearestDay())
		require.LessOrEqual(t, f.dearestDay(), bound, "seed %d", seed)
	}
	t.Logf("the dearest day cost %d", dearest)
}

// A patient caller, a thousand processes a day, for three days.
func TestAPatientCallerIsBounded(t *testing.T) {
	for name, lives := range map[string]int{"a request each": 1, "three": 3, "ten": 10} {
		for seed := range uint64(20) {
			f := newFleet(atOnce, seed, aDay(2000))
			for n := range 3 * 1000 {
				f.replace(n % atOnce)
				for range lives {
					f.request(t, n%atOnce, "a", 18, 4)
				}
				f.clock.Pass(24 * time.Hour / 1000)
			}
			require.LessOrEqual(t, f.dearestDay(), bound, "%s, seed %d", name, seed)
			if lives > 1 {
				require.Greater(t, f.dearestDay(), 1500, "%s, seed %d", name, seed)
			}
		}
	}
}

// A player who is refused costs nothing more, but what each new process reads anyway.
func TestWhoIsRefusedCostsNothingMore(t *testing.T) {
	f := newFleet(atOnce, 1, aDay(2000))
	for range 3 * 2000 {
		f.request(t, 0, "a", 2, 2)
		f.replace(0)
	}
	require.False(t, f.board.spenders["a"].refuse.IsZero())
	asked := f.asked()
	for range 1000 {
		f.replace(0)
		require.False(t, f.request(t, 0, "a", 400, 400))
	}
	require.Equal(t, asked, f.asked())
	f.clock.Pass(29 * time.Hour)
	f.replace(0)
	require.True(t, f.request(t, 0, "a", 400, 400))
}

// A player who costs 500 commands a day is never refused, in one process or in many.
func TestHonestPlayersAreNeverRefused(t *testing.T) {
	for seed := range uint64(300) {
		f := newFleet(15, seed, aDay(2000))
		for n := range 3 * 125 {
			at := n * int(seed%3) % len(f.alive)
			if seed%5 > 0 && n%4 == 0 {
				f.replace(at)
			}
			require.True(t, f.request(t, at, "a", 30, 4), "seed %d, request %d", seed, n)
			f.clock.Pass(24 * time.Hour / 125)
		}
	}
}

func TestWhoPlaysAsPeopleDoCostsHardlyAQuestion(t *testing.T) {
	f := newFleet(30, 1, aDay(2000))
	const players = 10_000
	for n := range players {
		for i := range 4 { // a score and a look, with what is held for them
			require.True(t, f.request(t, (n+i)%30, string(rune(n)), 18, 2))
			require.True(t, f.request(t, (n+i)%30, string(rune(n)), 30, 1))
		}
	}
	t.Logf("%.3f commands a player", float64(f.asked())/players)
	require.LessOrEqual(t, f.asked(), players/10)
}

func TestWhoPlaysALotInOneProcessCostsFewQuestions(t *testing.T) {
	f := newFleet(1, 1, aDay(2000))
	for range 900 {
		require.True(t, f.request(t, 0, "a", 18, 2))
	}
	t.Logf("%d", f.asked())
	require.LessOrEqual(t, f.asked(), 300, "of 1,800 commands")
}

// A request that Redis was told of before, as the most that it can cost, gives the rest back,
// whether it was served or refused.
func TestWhatIsToldAheadIsGivenBack(t *testing.T) {
	f := newFleet(2, 1, aDay(500))
	require.True(t, f.request(t, 0, "a", 90, 90))
	for range 10 {
		require.True(t, f.request(t, 0, "a", 300, 5))
		require.False(t, f.request(t, 1, "a", 480, 480))
	}
	require.True(t, f.request(t, 1, "a", 300, 5))
}

// However many requests are under way at once, Redis is told of all commands but those that a
// process keeps to itself.
func TestWhatIsUnderWayAtOnceIsTold(t *testing.T) {
	f := newFleet(atOnce, 1, aDay(2000))
	var under []limit.Decision
	for range 100 {
		for _, l := range f.alive {
			d, err := l.Spend(t.Context(), player("a"), 30)
			require.NoError(t, err)
			if d.Allowed {
				under = append(under, d)
			}
		}
	}
	require.LessOrEqual(t, 30*len(under), 2000+atOnce*aside)
	for _, d := range under {
		d.Settle(t.Context(), 1)
	}
	told := 0
	for _, n := range f.redis.counts {
		told += n
	}
	require.LessOrEqual(t, told, 500)
}

func TestAPlayersCommandsAreCountedInRedis(t *testing.T) {
	onEngines(t, func(t *testing.T, r *redis) {
		f := newFleet(0, 1, aDay(2000))
		f.clock = r.clock
		process := func() *limit.Limiter {
			return limit.New(limit.Options{
				Limits: aDay(2000), Store: limit.NewRedis(r.Client), Now: r.clock.Now, Random: f.random.Float64,
				Spenders: &view{board: f.board},
			})
		}
		granted := 0
		spent, _ := r.Spent(func() {
			for range 4 * 24 {
				for range 20 {
					l := process()
					for range 4 {
						if spends(t, l, player("busy"), 20, 7) {
							granted += 7
						}
					}
				}
				r.clock.Pass(15 * time.Minute)
			}
		})
		t.Logf("%d commands, and %d to ask", granted, spent)
		require.GreaterOrEqual(t, granted, 1500)
		require.LessOrEqual(t, granted+int(spent), bound)
		for _, key := range r.keys() {
			left, err := r.Server.Redis().Do(t.Context(), "TTL", key)
			require.NoError(t, err)
			require.Positive(t, left, key)
		}
		r.clock.Pass(28 * time.Hour)
		require.True(t, spends(t, process(), player("busy"), 20, 7))
	})
}
