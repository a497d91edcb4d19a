package bands_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/framedle/leaderboards/internal/bands"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/redis"
)

func TestPagesAndSurroundingsGoOverTheEdgesOfBands(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		rapid.Check(t, func(rt *rapid.T) {
			k.empty()
			ctx := context.Background()
			b := highest
			b.Order = rapid.SampledFrom([]game.Order{game.Asc, game.Desc}).Draw(rt, "order")
			edges := []float64{30, 20, 15, 10}
			if b.Order == game.Asc {
				edges = []float64{10, 15, 20, 30}
			}
			s := k.process()
			require.NoError(t, s.Create(ctx, b, bands.Birth{Homes: 3, Edges: edges}))
			m := newModel(b)
			var all []bands.Entry
			for i := range rapid.IntRange(0, 60).Draw(rt, "players") {
				e := bands.Entry{Player: fmt.Sprint("p", i), Stored: float64(rapid.IntRange(0, 40).Draw(rt, "score"))}
				m.put(e.Player, e.Stored)
				all = append(all, e)
			}
			_, err := s.SubmitMany(ctx, b, all)
			require.NoError(t, err)
			k.pass(11 * time.Second) // and what was counted before is of no use
			s = k.process()
			sorted := m.sorted()
			between := func(first, last int64) []bands.Entry { // of the model
				n := int64(len(sorted))
				return append([]bands.Entry(nil), sorted[min(max(first, 0), n):min(max(last, 0), n)]...)
			}
			same := func(want, got []bands.Entry) {
				require.Equal(t, len(want), len(got))
				for i := range want {
					require.Equal(t, want[i], got[i])
				}
			}
			offset, limit := int64(rapid.IntRange(0, 60).Draw(rt, "offset")), int64(rapid.IntRange(1, 30).Draw(rt, "limit"))
			page, err := s.Page(ctx, b, offset, limit)
			require.NoError(t, err)
			same(between(offset, offset+limit), page.Entries)
			require.Equal(t, offset+limit < int64(len(sorted)), page.More)
			require.Equal(t, int64(len(sorted)), page.Total)
			if len(sorted) == 0 {
				return
			}
			at := int64(rapid.IntRange(0, len(sorted)-1).Draw(rt, "at"))
			page, err = s.After(ctx, b, sorted[at], limit)
			require.NoError(t, err)
			same(between(at+1, at+1+limit), page.Entries)
			require.Equal(t, at+1, page.Position)
			require.Equal(t, at+1+limit < int64(len(sorted)), page.More)
			reach := int64(rapid.IntRange(0, 12).Draw(rt, "reach"))
			near, current, err := s.Around(ctx, b, sorted[at].Player, redis.Place{}, reach)
			require.NoError(t, err)
			require.Equal(t, at+1, current.Rank)
			same(between(at-reach, at+reach+1), near.Entries)
			require.Equal(t, max(0, at-reach), near.Position)
			scores, err := s.Scores(ctx, b, []string{"nobody", sorted[at].Player})
			require.NoError(t, err)
			require.Equal(t, []redis.Place{{}, {Stored: sorted[at].Stored, Found: true}}, scores)
		})
	})
}

func TestPagesGoOnBehindManyOfOneScore(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		ctx := context.Background()
		s := k.process()
		require.NoError(t, s.Create(ctx, highest, bands.Birth{Homes: 2, Edges: []float64{20, 5}}))
		m := newModel(highest)
		var all []bands.Entry
		for i := range 1500 {
			e := bands.Entry{Player: fmt.Sprint("p", i), Stored: float64([]int{30, 10, 10, 10, 1}[i%5])}
			m.put(e.Player, e.Stored)
			all = append(all, e)
		}
		_, err := s.SubmitMany(ctx, highest, all)
		require.NoError(t, err)
		k.pass(11 * time.Second) // and what was counted before is of no use
		s = k.process()
		sorted := m.sorted()
		for at := 0; at < len(sorted); at += 97 {
			page, err := s.After(ctx, highest, sorted[at], 50)
			require.NoError(t, err)
			require.Equal(t, int64(at+1), page.Position)
			require.Equal(t, sorted[at+1:min(at+51, len(sorted))], page.Entries)
		}
	})
}
