package duel_test

import (
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/framedle/leaderboards/internal/feature/duel"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/upstash"
	"github.com/framedle/leaderboards/upstash/upstashtest"
)

// xp reads what duels have given, by player.
func (k *kit) xp(t require.TestingT) map[string]int64 {
	reply, err := k.redis.Client.Do(ctx, upstash.Cmd("ZRANGE", game.DuelXPKey, "0", "-1", "WITHSCORES"))
	require.NoError(t, err)
	items, err := reply.Array()
	require.NoError(t, err)
	all := map[string]int64{}
	for i := 0; i < len(items); i += 2 {
		player, err := items[i].Text()
		require.NoError(t, err)
		xp, err := items[i+1].Float64()
		require.NoError(t, err)
		all[player] = int64(xp)
	}
	return all
}

// brief is a Store whose process dies with its nth request: before that has
// had its effect, or after.
func (k *kit) brief(t require.TestingT, n int, after bool) *duel.Store {
	client, err := upstash.New(upstash.Config{URL: k.redis.Server.URL(), Token: k.redis.Server.Token(), Attempts: 1, Breaker: upstash.Breaker{Off: true}})
	require.NoError(t, err)
	var mu sync.Mutex
	k.redis.Server.Inject(func(upstashtest.Request) upstashtest.Fault {
		mu.Lock()
		defer mu.Unlock()
		n--
		return upstashtest.Fault{CutBefore: n < 0 || n == 0 && !after, CutAfter: n == 0 && after}
	})
	o := k.options
	o.Redis = client
	return duel.New(o)
}

// Whatever is played, however late it is decided, wherever runs are interrupted and however
// many run concurrently: every duel's XP is counted once.
func TestEveryDuelGivesItsXPOnce(t *testing.T) {
	onEngines(t, "duels: {xp: 1.1, points: {round: 1, win: 15, sweep: 7}}", func(t *testing.T, k *kit) {
		rapid.Check(t, func(t *rapid.T) {
			_, err := k.redis.Server.Redis().Do(ctx, "FLUSHALL")
			require.NoError(t, err)
			want := map[string]int64{}
			open := map[string][2]string{}
			var ids []string
			player := rapid.SampledFrom([]string{"a", "b", "c", "d"})
			arrange := func(t *rapid.T) {
				a := player.Draw(t, "a")
				b := player.Filter(func(b string) bool { return b != a }).Draw(t, "b")
				d := k.ready(t, k.newID(), a, b)
				ids = append(ids, d.ID)
				open[d.ID] = d.Players
			}
			arrange(t) // so that there is a duel to draw
			t.Repeat(map[string]func(*rapid.T){
				"arrange": arrange,
				"tell": func(t *rapid.T) {
					id := rapid.SampledFrom(ids).Draw(t, "duel")
					winner := rapid.IntRange(duel.NoWinner, 1).Draw(t, "winner")
					rounds := score(rapid.Int64Range(0, 3).Draw(t, "rounds of a"), rapid.Int64Range(0, 3).Draw(t, "rounds of b"))
					players, undecided := open[id]
					result := duel.Result{Score: rounds}
					if winner != duel.NoWinner && undecided {
						result.Winner = players[winner]
					}
					_, err := k.Report(ctx, id, result)
					if !undecided {
						return // the same or refused
					}
					require.NoError(t, err)
					delete(open, id)
					_, xp := earned(k.rules, winner, rounds)
					for i, p := range players {
						want[p] += xp[i]
					}
				},
				"dispute": func(t *rapid.T) {
					for id, players := range open {
						for i := range players {
							_, err := k.Report(ctx, id, duel.Result{Player: players[i], Winner: players[i]})
							if err != nil {
								require.ErrorIs(t, err, duel.ErrOver)
							}
						}
						return
					}
				},
				"be cut": func(t *rapid.T) {
					store := k.brief(t, rapid.IntRange(1, 5).Draw(t, "requests"), rapid.Bool().Draw(t, "after the effect"))
					_, _ = store.Keeper().Keep(ctx) // it may have been done before
					k.redis.Server.Inject(nil)
				},
				"two at once": func(t *rapid.T) {
					var wait sync.WaitGroup
					errs := make([]error, 2)
					for i := range errs {
						wait.Go(func() { _, errs[i] = k.Keeper().Keep(ctx) })
					}
					wait.Wait()
					require.NoError(t, errs[0])
					require.NoError(t, errs[1])
				},
				"pass": func(*rapid.T) { k.clock.Pass(k.rules.Timeout + time.Second) },
			})
			for range 2 {
				_, err := k.Keeper().Keep(ctx)
				require.NoError(t, err)
				for p, xp := range want {
					if xp == 0 {
						delete(want, p)
					}
				}
				require.Equal(t, want, k.xp(t))
			}
		})
	})
}
