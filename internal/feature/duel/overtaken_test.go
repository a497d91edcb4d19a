package duel_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/feature/duel"
)

// begin empties Redis, and is a new process.
func (k *kit) begin() {
	k.redis.Empty()
	k.clock.Set(noon)
	k.Store = duel.New(k.options)
}

// asks joins the queue from a process that knows nothing of it.
func (k *kit) asks(t *testing.T, player string) duel.Duel {
	d, _, err := duel.New(k.options).Queue().Join(ctx, player, "")
	require.NoError(t, err)
	return d
}

// decide has a game server decide a duel.
func (k *kit) decide(t *testing.T, id, winner string) {
	_, err := k.Report(ctx, id, duel.Result{Winner: winner})
	require.NoError(t, err)
}

// A player who asks twice concurrently after a finished duel gets one new duel.
func TestWhoAsksTwiceAtOnceIsGivenOneDuel(t *testing.T) {
	onEngines(t, "", func(t *testing.T, k *kit) {
		begin := func() {
			k.begin()
			k.join(t, "a")
			k.decide(t, k.join(t, "b").ID, "a")
		}
		var met duel.Duel
		meanwhile := func() {
			k.asks(t, "a")
			met = k.asks(t, "c")
		}
		testkit.Overtaken(k.redis.Server, begin, func() { k.join(t, "a") }, meanwhile, func(when string) {
			require.Equal(t, [2]string{"c", "a"}, met.Players, when)
			require.Equal(t, met.ID, k.asks(t, "a").ID, when)
		})
	})
}

// A player who returns to the queue while idle players are removed from it stays in it.
func TestWhoAsksAgainStaysInTheQueue(t *testing.T) {
	onEngines(t, "", func(t *testing.T, k *kit) {
		begin := func() {
			k.begin()
			k.join(t, "a")
			k.clock.Pass(k.rules.Queue.Away + time.Second)
		}
		drain := func() {
			_, err := k.Keeper().Drain(ctx)
			require.NoError(t, err)
		}
		testkit.Overtaken(k.redis.Server, begin, drain, func() { k.asks(t, "a") }, func(when string) {
			require.Equal(t, [2]string{"b", "a"}, k.asks(t, "b").Players, when)
		})
	})
}

// If a player is erased while a duel of theirs is handed over, the duel's XP goes to nobody.
func TestWhoIsErasedWhileADuelIsKeptHasNoXP(t *testing.T) {
	onEngines(t, "duels: {xp: 1, points: {win: 15, round: 1}}", func(t *testing.T, k *kit) {
		for _, erased := range [][]string{{"a"}, {"b"}, {"a", "b"}} {
			begin := func() {
				k.begin()
				k.ready(t, "over", "a", "b")
				_, err := k.Report(ctx, "over", duel.Result{Winner: "a", Score: score(3, 2)})
				require.NoError(t, err)
			}
			keep := func() {
				_, err := k.Keeper().Keep(ctx)
				require.NoError(t, err)
			}
			erase := func() {
				for _, player := range erased {
					require.NoError(t, duel.New(k.options).Erase(ctx, player))
				}
			}
			want := map[string]int64{"a": 18, "b": 2}
			for _, player := range erased {
				delete(want, player)
			}
			testkit.Overtaken(k.redis.Server, begin, keep, erase, func(when string) {
				for range 2 {
					require.Equal(t, want, k.xp(t), when)
					keep()
				}
			})
			testkit.Overtaken(k.redis.Server, begin, erase, keep, func(when string) {
				for range 2 {
					keep()
					require.Equal(t, want, k.xp(t), "kept "+when)
				}
			})
		}
	})
}

// A duel that is made for a player during the player's erasure is ended by it, or by the next
// erasure.
func TestADuelThatIsMadeDuringAnErasureIsFoundByTheNext(t *testing.T) {
	onEngines(t, "", func(t *testing.T, k *kit) {
		for name, make := range map[string]func(){
			"from the queue": func() { k.asks(t, "c") },
			"arranged":       func() { k.ready(t, "made", "c", "a") },
			"challenged": func() {
				_, err := k.Challenge(ctx, "c", "a", "")
				require.NoError(t, err)
			},
		} {
			begin := func() {
				k.begin()
				k.ready(t, "over", "a", "b")
				k.decide(t, "over", "a")
				k.join(t, "a")
			}
			erase := func() { require.NoError(t, duel.New(k.options).Erase(ctx, "a")) }
			testkit.Overtaken(k.redis.Server, begin, erase, make, func(when string) {
				all, err := k.Of(ctx, "c", duel.Mark{}, 10)
				require.NoError(t, err)
				if name == "from the queue" {
					for _, d := range all {
						require.NotEqual(t, duel.Ready, d.State, "%s %s: a is in the queue no more", name, when)
					}
				}
				erase()
				all, err = k.Of(ctx, "c", duel.Mark{}, 10)
				require.NoError(t, err)
				for _, d := range all {
					require.NotContains(t, d.Players, "a", "%s %s", name, when)
				}
			})
		}
	})
}

// Of whoever is erased while a duel of theirs is decided, told, accepted, rematched or
// given up, nothing is left but what they do behind that; and the next erasure finds it.
func TestWhoIsErasedWhileADuelGoesOnLeavesNothing(t *testing.T) {
	onEngines(t, "duels: {xp: 1}", func(t *testing.T, k *kit) {
		for name, act := range map[string]struct {
			own bool // it is the player's
			do  func(id string) error
		}{
			"decided": {false, func(id string) error { _, err := k.Report(ctx, id, duel.Result{Winner: "ann"}); return err }},
			"told": {true, func(id string) error {
				_, err := k.Report(ctx, id, duel.Result{Player: "ann", Winner: "ann"})
				return err
			}},
			"told by b": {false, func(id string) error {
				_, err := k.Report(ctx, id, duel.Result{Player: "ben", Winner: "ann"})
				return err
			}},
			"challenged": {false, func(string) error { _, err := k.Challenge(ctx, "ben", "ann", ""); return err }},
			"rematched":  {false, func(string) error { _, err := k.Rematch(ctx, "over", "ben"); return err }},
		} {
			begin := func() {
				k.begin()
				k.ready(t, "over", "ann", "ben")
				k.decide(t, "over", "ben")
				k.ready(t, "next", "ann", "ben")
			}
			erase := func() { require.NoError(t, duel.New(k.options).Erase(ctx, "ann")) }
			testkit.Overtaken(k.redis.Server, begin, func() { _ = act.do("next") }, erase, func(when string) {
				if act.own || name == "challenged" || name == "rematched" {
					erase()
				}
				for place, words := range testkit.Words(t, k.redis.Server, k.redis.Do("KEYS", "*")) {
					require.False(t, words["ann"], "%s, erased %s: %s", name, when, place)
				}
			})
		}
	})
}
