package bands_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/framedle/leaderboards/internal/bands"
	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/redis"
)

// sweep goes through the whole board.
func (k *kit) sweep(s *bands.Bands, b bands.Board) (found int) {
	at := bands.Swept{}
	for !at.Done {
		var err error
		at, err = s.Sweep(context.Background(), b, at, 3)
		require.NoError(k.tb, err)
	}
	return at.Found
}

// A player whose scores are sent from many places at once may be left in bands that the home
// is past. The home has the best score at once, and a sweep leaves one entry.
func TestScoresOfOnePlayerFromManyPlacesEndInOneBand(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		ctx := context.Background()
		s := k.process(testkit.AtOnce)
		require.NoError(t, s.Create(ctx, highest, bands.Birth{Homes: 4, Edges: []float64{80, 60, 40, 20}}))
		const writers = 64
		models := make([]*model, writers)
		var all sync.WaitGroup
		for n := range writers {
			models[n] = newModel(highest)
			all.Go(func() {
				random := rand.New(rand.NewPCG(uint64(n), 2))
				for range 10 {
					e := bands.Entry{Player: fmt.Sprint("p", random.IntN(5)), Stored: float64(random.IntN(10_000)) / 100}
					models[n].put(e.Player, e.Stored)
					if n%4 == 0 {
						if _, err := s.SubmitMany(ctx, highest, []bands.Entry{e}); err != nil {
							t.Error(err)
						}
						continue
					}
					known := redis.Place{}
					if was, err := s.Scores(ctx, highest, []string{e.Player}); err == nil && n%2 == 0 {
						known = was[0]
					}
					got, err := s.Submit(ctx, highest, e, known)
					if err != nil || got.Stored < e.Stored {
						t.Error(err, "answered", got.Stored, "for", e.Stored)
					}
				}
			})
		}
		all.Wait()
		whole := newModel(highest)
		for _, m := range models {
			for player, stored := range m.scores {
				whole.put(player, stored)
			}
		}
		k.pass(31 * time.Second)
		_, err := s.Tighten(ctx, highest, 1000)
		require.NoError(t, err)
		k.sweep(s, highest)
		whole.held(t, k, s)
		drift, err := s.Drift(ctx, highest)
		require.NoError(t, err)
		require.Zero(t, drift)
		require.Zero(t, k.sweep(s, highest), "what was swept stays so")
	})
}

// Batches need no sweep: one of them takes out whatever they leave in a band.
func TestBatchesOfTheSamePlayersLeaveEachInOneBand(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		ctx := context.Background()
		s := k.process(testkit.AtOnce)
		require.NoError(t, s.Create(ctx, highest, bands.Birth{Homes: 4, Edges: []float64{80, 60, 40, 20}}))
		const writers = 64
		models := make([]*model, writers)
		var all sync.WaitGroup
		for n := range writers {
			models[n] = newModel(highest)
			all.Go(func() {
				random := rand.New(rand.NewPCG(uint64(n), 3))
				for range 8 {
					var some []bands.Entry
					for range 20 {
						e := bands.Entry{Player: fmt.Sprint("p", random.IntN(30)), Stored: float64(random.IntN(10_000)) / 100}
						models[n].put(e.Player, e.Stored)
						some = append(some, e)
					}
					if _, err := s.SubmitMany(ctx, highest, some); err != nil {
						t.Error(err)
					}
				}
			})
		}
		all.Wait()
		whole := newModel(highest)
		for _, m := range models {
			for player, stored := range m.scores {
				whole.put(player, stored)
			}
		}
		whole.held(t, k, s)
	})
}

// A score that was answered stands, whatever became of those that were not.
func TestWhatWasAnsweredStandsWhereWritesAreCutOff(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		rapid.Check(t, func(rt *rapid.T) {
			k.empty()
			ctx := context.Background()
			whole := k.process()
			require.NoError(t, whole.Create(ctx, highest, bands.Birth{Homes: 3, Edges: []float64{75, 50, 25}}))
			answered, sent := newModel(highest), newModel(highest)
			for range 40 {
				player := fmt.Sprint("p", rapid.IntRange(0, 5).Draw(rt, "player"))
				e := bands.Entry{Player: player, Stored: float64(rapid.IntRange(0, 99).Draw(rt, "score"))}
				s := k.cutting(int64(rapid.IntRange(1, 6).Draw(rt, "requests")))
				var err error
				if rapid.Bool().Draw(rt, "many") {
					_, err = s.SubmitMany(ctx, highest, []bands.Entry{e})
				} else {
					_, err = s.Submit(ctx, highest, e, redis.Place{})
				}
				sent.put(e.Player, e.Stored)
				if err == nil {
					answered.put(e.Player, e.Stored)
				}
			}
			k.sweep(whole, highest)
			drift, err := whole.Drift(ctx, highest)
			require.NoError(t, err)
			require.Zero(t, drift)
			current := newModel(highest)
			layout, err := whole.Layout(ctx, highest)
			require.NoError(t, err)
			for _, band := range layout.Bands {
				for _, e := range k.members(band) {
					current.scores[e.Player] = e.Stored
				}
			}
			current.held(t, k, whole)
			for player, stored := range answered.scores {
				require.GreaterOrEqual(t, current.scores[player], stored)
			}
			for player, stored := range current.scores {
				require.LessOrEqual(t, stored, sent.scores[player])
			}
		})
	})
}

func TestWhoIsRemovedStandsInNoBand(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		ctx := context.Background()
		s := k.process()
		require.NoError(t, s.Create(ctx, highest, bands.Birth{Homes: 3, Edges: []float64{75, 50, 25}}))
		m := newModel(highest)
		for i := range 20 {
			e := bands.Entry{Player: fmt.Sprint("p", i), Stored: float64(5 * i)}
			m.put(e.Player, e.Stored)
			_, err := s.Submit(ctx, highest, e, redis.Place{})
			require.NoError(t, err)
		}
		require.NoError(t, s.Remove(ctx, highest, "p7"))
		require.NoError(t, s.Remove(ctx, highest, "p7"))
		delete(m.scores, "p7")
		m.held(t, k, s)
		_, err := s.Rank(ctx, highest, "p7", redis.Place{Stored: 35, Found: true}, false)
		require.ErrorIs(t, err, bands.ErrNotOnBoard)
	})
}

func TestKeysOfABoardThatEndsEndWithIt(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		ctx := context.Background()
		b := highest
		b.Ends = time.Now().Add(time.Hour).Truncate(time.Second) // what Redis takes for now is the machine's
		s := k.process()
		require.NoError(t, s.Create(ctx, b, bands.Birth{Homes: 2, Edges: []float64{50}}))
		for i := range 10 {
			_, err := s.Submit(ctx, b, bands.Entry{Player: fmt.Sprint("p", i), Stored: float64(10 * i)}, redis.Place{})
			require.NoError(t, err)
		}
		_, err := bands.NewKeeper(s, bands.Rules{}).Tend(ctx, b)
		require.NoError(t, err)
		for i := range k.redis {
			keys, _ := k.redis[i].Do("KEYS", "*").([]any)
			for _, key := range keys {
				require.Equal(t, b.Ends.Unix(), k.redis[i].Do("EXPIRETIME", fmt.Sprint(key)), key)
			}
		}
	})
}

func TestLayoutsThatWouldLoseScoresAreRefused(t *testing.T) {
	k := newKit(t, "")
	ctx := context.Background()
	s := k.process()
	for _, edges := range [][]float64{{10, 20}, {10, 10}} {
		require.ErrorContains(t, s.Create(ctx, highest, bands.Birth{Edges: edges}), "from the best to the worst")
	}
	lowest := highest
	lowest.Order = game.Asc
	require.ErrorContains(t, s.Create(ctx, lowest, bands.Birth{Edges: []float64{20, 10}}), "from the best to the worst")
	_, err := s.Layout(ctx, highest)
	require.ErrorIs(t, err, bands.ErrNoBands)
	for _, c := range []struct{ record, wrong string }{
		{`nonsense`, "cannot be used"},
		{`{"homes":1,"spread":["db0"],"bands":[]}`, "no band"},
		{`{"homes":0,"spread":["db0"],"bands":[{"key":"a","database":"db0"}]}`, "no homes"},
		{`{"homes":1,"spread":["db0"],"bands":[{"key":"a","database":"db0","from":3}]}`, "last band"},
		{`{"homes":1,"spread":["db0"],"bands":[{"key":"a","database":"db0"},{"key":"b","database":"db0"}]}`, "last band"},
		{`{"homes":1,"spread":["db0"],"bands":[{"key":"","database":"db0"}]}`, "no key"},
		{`{"homes":1,"spread":["db0"],"bands":[{"key":"a","database":"db0"}],"split":{"of":"z","phase":"copying"}}`, "none of its bands"},
	} {
		k.do("db0", "SET", game.BandsKey(highest.Key), c.record)
		_, err := s.Submit(ctx, highest, bands.Entry{Player: "ana", Stored: 1}, redis.Place{})
		require.ErrorContains(t, err, c.wrong)
	}
	k.do("db0", "SET", game.BandsKey(highest.Key), `{"homes":1,"spread":["db0"],"bands":[{"key":"a","database":"elsewhere"}]}`)
	_, err = s.Submit(ctx, highest, bands.Entry{Player: "ana", Stored: 1}, redis.Place{})
	require.ErrorContains(t, err, `names the database "elsewhere"`)
}
