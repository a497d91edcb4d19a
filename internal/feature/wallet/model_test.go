package wallet_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/feature/wallet"
	"github.com/framedle/leaderboards/internal/game"
)

// model has the expected wallets, in maps. Until a day and all before it have been taken in,
// its coins are what its plays give; from then on, what they gave at that moment.
type model struct {
	plays   map[game.Date]map[string]int64 // what the plays of a day give, by player
	daily   map[game.Date]map[string]bool
	taken   map[game.Date]map[string]int64
	through game.Date
	spent   map[string]int64
	answers map[string]game.Spend
	after   map[string]wallet.Balance
}

func (m *model) earned(g *game.Game, now time.Time, player string) (all int64) {
	days := map[game.Date]struct{}{}
	for d := range m.plays {
		days[d] = struct{}{}
	}
	for d := range days {
		if m.through.IsZero() || d.After(m.through) {
			if g.Lifecycle(game.Day.Of(d), now) < game.Expired {
				all += m.plays[d][player]
				continue
			}
		}
		all += m.taken[d][player]
	}
	return all
}

// Two processes handle plays, late plays, removed scores, spends that are sent twice, and
// closings that run twice, late or not at all. After each step both processes answer what the
// maps say.
func TestWalletsAreThoseOfAPlainModel(t *testing.T) {
	testkit.OnEngines(t, func(t *testing.T, address string) {
		redis := testkit.NewRedis(t, address)
		g := typing(t)
		rapid.Check(t, func(rt *rapid.T) {
			do(rt, redis, "FLUSHALL")
			clock := testkit.Still(noon)
			processes := []process{newProcess(g, redis.Client, clock), newProcess(g, redis.Connect(), clock)}
			m := &model{plays: map[game.Date]map[string]int64{}, daily: map[game.Date]map[string]bool{}, taken: map[game.Date]map[string]int64{},
				spent: map[string]int64{}, answers: map[string]game.Spend{}, after: map[string]wallet.Balance{}}
			players := []string{"user_a", "user_b", "dev_c"}
			one := func(rt *rapid.T) process { return processes[rapid.IntRange(0, 1).Draw(rt, "process")] }
			player := func(rt *rapid.T) string { return rapid.SampledFrom(players).Draw(rt, "player") }
			day := func(rt *rapid.T, back int) game.Date {
				return game.DateOf(clock.Now()).AddDays(-rapid.IntRange(0, back).Draw(rt, "back"))
			}
			sent := 0
			rt.Repeat(map[string]func(*rapid.T){
				"play": func(rt *rapid.T) {
					d, who, mode := day(rt, 1), player(rt), rapid.SampledFrom([]string{"short", "long", "daily"}).Draw(rt, "mode")
					play(rt, redis, mode, d, who)
					if m.plays[d] == nil {
						m.plays[d], m.daily[d] = map[string]int64{}, map[string]bool{}
					}
					switch {
					case mode == "short":
						m.plays[d][who]++
					case mode == "long":
						m.plays[d][who] += 5
					case !m.daily[d][who]:
						m.daily[d][who] = true
						m.plays[d][who] += 20
					}
				},
				"take out": func(rt *rapid.T) {
					d, who := day(rt, 3), player(rt)
					for _, mode := range []string{"short", "long"} {
						first, last := game.PlaysOf(who)
						do(rt, redis, "ZREMRANGEBYLEX", game.PlaysKey(mode, d), first, last)
					}
					do(rt, redis, "ZREM", game.DayBoardKey("daily", d), who)
					if m.plays[d] != nil {
						delete(m.plays[d], who)
						delete(m.daily[d], who)
					}
				},
				"spend": func(rt *rapid.T) {
					who, amount := player(rt), int64(rapid.IntRange(1, 30).Draw(rt, "amount"))
					sent++
					once := key(sent)
					for range rapid.IntRange(1, 3).Draw(rt, "times") {
						done, after, replayed, err := one(rt).Spend(context.Background(), wish(who, amount, once))
						first, known := m.answers[once]
						switch left := m.earned(g, clock.Now(), who) - m.spent[who]; {
						case known:
							require.NoError(rt, err)
							require.True(rt, replayed)
							require.Equal(rt, first, done)
							require.Equal(rt, m.after[once], after)
						case left >= amount:
							require.NoError(rt, err)
							require.False(rt, replayed)
							m.spent[who] += amount
							m.answers[once], m.after[once] = done, after
							require.Equal(rt, left-amount, after.Left())
						default:
							var short *wallet.ShortError
							require.ErrorAs(rt, err, &short)
							require.Equal(rt, max(0, left), short.Left())
						}
					}
				},
				"close": func(rt *rapid.T) {
					p, last := one(rt), day(rt, 2)
					for d := last.AddDays(-9); !d.After(last); d = d.AddDays(1) {
						for range rapid.IntRange(1, 2).Draw(rt, "times") {
							_, err := p.Close(context.Background(), d)
							require.NoError(rt, err)
						}
						if g.Lifecycle(game.Day.Of(d), clock.Now().Add(5*time.Minute)) < game.Expired {
							m.taken[d] = maps.Clone(m.plays[d])
						}
					}
					if last.Before(game.DateOf(clock.Now())) {
						require.NoError(rt, p.Through(context.Background(), last))
						if last.After(m.through) {
							m.through = last
						}
					}
				},
				"pass": func(rt *rapid.T) {
					clock.Pass(time.Duration(rapid.IntRange(1, 30*60).Draw(rt, "minutes")) * time.Minute)
					expire(rt, redis, g, clock.Now(), slices.Collect(maps.Keys(m.plays)))
				},
				"": func(rt *rapid.T) {
					for _, p := range processes {
						for _, who := range players {
							got := has(rt, p.Wallets, who)
							require.Equal(rt, []int64{m.earned(g, clock.Now(), who), m.spent[who]}, []int64{got.Earned, got.Spent}, fmt.Sprint(who, clock.Now()))
							require.GreaterOrEqual(rt, got.Left(), int64(0))
						}
					}
				},
			})
		})
	})
}

// expire deletes the keys that have expired by the game's clock.
func expire(t require.TestingT, redis *testkit.Redis, g *game.Game, now time.Time, days []game.Date) {
	for _, d := range days {
		end, _ := g.Expires(game.Day.Of(d))
		var keys []string
		if !now.Before(end) {
			keys = append(keys, game.PlaysKey("short", d), game.PlaysKey("long", d), game.DayBoardKey("daily", d))
		}
		if !now.Before(end.Add(24 * time.Hour)) {
			keys = append(keys, wallet.EarnedDayKey("coins", d), wallet.EarnedDayKey("gems", d))
		}
		if len(keys) > 0 {
			do(t, redis, strings.Fields("DEL "+strings.Join(keys, " "))...)
		}
	}
}
