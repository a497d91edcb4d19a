package bands_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/framedle/leaderboards/internal/bands"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/redis"
)

func TestAnswersAndBandsAreThoseOfOneBoard(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		rapid.Check(t, func(rt *rapid.T) {
			k.empty()
			ctx := context.Background()
			b := highest
			b.Order = rapid.SampledFrom([]game.Order{game.Asc, game.Desc}).Draw(rt, "order")
			b.First = rapid.Bool().Draw(rt, "first")
			edges := []float64{75, 50, 25}
			if b.Order == game.Asc {
				edges = []float64{25, 50, 75}
			}
			s := k.process()
			require.NoError(t, s.Create(ctx, b, bands.Birth{Homes: 3, Edges: edges}))
			m := newModel(b)
			known := map[string]redis.Place{}
			for range rapid.IntRange(1, 40).Draw(rt, "plays") {
				player := fmt.Sprint("p", rapid.IntRange(0, 8).Draw(rt, "player"))
				stored := float64(rapid.IntRange(0, 100).Draw(rt, "score")) + 0.25
				place := redis.Place{}
				if rapid.Bool().Draw(rt, "known") {
					place = known[player]
				}
				want := m.put(player, stored)
				got, err := s.Submit(ctx, b, bands.Entry{Player: player, Stored: stored}, place)
				require.NoError(t, err)
				require.Equal(t, want, got.Status)
				require.Equal(t, m.scores[player], got.Stored)
				if rapid.Bool().Draw(rt, "remember") {
					known[player] = redis.Place{Stored: got.Stored, Found: true}
				}
			}
			m.held(t, k, s)
			for i, e := range m.sorted() {
				current, err := s.Rank(ctx, b, e.Player, redis.Place{}, true)
				require.NoError(t, err)
				require.Equal(t, int64(i+1), current.Rank)
			}
			_, err := s.Rank(ctx, b, "nobody", redis.Place{}, false)
			require.ErrorIs(t, err, bands.ErrNotOnBoard)
		})
	})
}

func TestWritesAndRanksStayWithinTheirBudgets(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		ctx := context.Background()
		s := k.process()
		require.NoError(t, s.Create(ctx, highest, bands.Birth{Homes: 4, Edges: []float64{75, 50, 25}}))
		_, err := s.Submit(ctx, highest, bands.Entry{Player: "first", Stored: 1}, redis.Place{}) // the layout is known from here on
		require.NoError(t, err)
		is := func(stored float64) redis.Place { return redis.Place{Stored: stored, Found: true} }
		for _, c := range []struct {
			name            string
			stored          float64
			known           redis.Place
			status          game.Status
			commands, trips int64
		}{
			{"new", 30, redis.Place{}, game.Accepted, 4, 1},
			{"improved in its band", 40, redis.Place{}, game.Improved, 4, 1},
			{"improved in its band, known", 41, is(40), game.Improved, 3, 1},
			{"kept in its band", 35, redis.Place{}, game.Kept, 4, 1},
			{"kept, known", 10, is(41), game.Kept, 1, 1},
			{"kept out of another band", 10, redis.Place{}, game.Kept, 6, 2},
			{"over an edge, known", 60, is(41), game.Improved, 4, 2},
			{"over an edge", 80, redis.Place{}, game.Improved, 5, 2},
		} {
			var got bands.Outcome
			commands, trips := k.spent(func() { got, err = s.Submit(ctx, highest, bands.Entry{Player: "ana", Stored: c.stored}, c.known) })
			require.NoError(t, err, c.name)
			require.Equal(t, c.status, got.Status, c.name)
			require.Equal(t, c.commands, commands, "%s: billed commands", c.name)
			require.LessOrEqual(t, trips, c.trips, "%s: round trips", c.name)
			if len(k.redis) == 1 && c.name == "over an edge, known" {
				require.Equal(t, int64(1), trips)
			}
		}
		for _, c := range []struct {
			name            string
			known           redis.Place
			exact           bool
			commands, trips int64
		}{
			{"rank", redis.Place{}, false, 2, 2},
			{"rank, known", is(80), false, 1, 1},
			{"rank, known, exact", is(80), true, 1, 1},
		} {
			commands, trips := k.spent(func() { _, err = s.Rank(ctx, highest, "ana", c.known, c.exact) })
			require.NoError(t, err, c.name)
			require.Equal(t, c.commands, commands, c.name)
			require.LessOrEqual(t, trips, c.trips, c.name)
		}
		commands, _ := k.spent(func() { _, err = s.Rank(ctx, highest, "first", redis.Place{}, true) })
		require.NoError(t, err)
		require.Equal(t, int64(5), commands, "the home, the rank and the three better bands")
	})
}

func TestOfAnyStateThePlayerEndsInOneBandWithTheBestScore(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		rapid.Check(t, func(rt *rapid.T) {
			k.empty()
			ctx := context.Background()
			s := k.process()
			require.NoError(t, s.Create(ctx, highest, bands.Birth{Homes: 2, Edges: []float64{75, 50, 25}}))
			layout, err := s.Layout(ctx, highest)
			require.NoError(t, err)
			m := newModel(highest)
			for i, band := range layout.Bands { // what writes that were cut off may leave
				if !rapid.Bool().Draw(rt, "stands") {
					continue
				}
				stored := float64(75-25*i) + rapid.Float64Range(0, 24).Draw(rt, "score")
				m.put("ana", stored)
				k.do(band.Database, "ZADD", band.Key, game.FormatStored(stored), "ana")
			}
			if rapid.Bool().Draw(rt, "home") {
				stored := rapid.Float64Range(0, 99).Draw(rt, "at home")
				m.put("ana", stored)
				for i := range k.redis { // only one of them is asked
					k.do(fmt.Sprint("db", i), "ZADD", game.BandHomesKey(highest.Key, 0), game.FormatStored(stored), "ana")
					k.do(fmt.Sprint("db", i), "ZADD", game.BandHomesKey(highest.Key, 1), game.FormatStored(stored), "ana")
				}
			}
			current, err := s.Settle(ctx, highest, "ana")
			if len(m.scores) == 0 {
				require.ErrorIs(t, err, bands.ErrNotOnBoard)
				return
			}
			require.NoError(t, err)
			require.Equal(t, m.scores["ana"], current.Stored)
			found := 0
			for _, band := range layout.Bands {
				for _, e := range k.members(band) {
					require.Equal(t, m.scores["ana"], e.Stored)
					found++
				}
			}
			require.Equal(t, 1, found)
		})
	})
}
