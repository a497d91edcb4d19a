package bands_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/bands"
	"github.com/framedle/leaderboards/internal/redis"
)

// What is not one player's: layouts, pages, batches, runs of a keeper.
func TestReadsAndRunsStayWithinTheirBudgets(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		ctx := context.Background()
		s := k.process()
		require.NoError(t, s.Create(ctx, highest, bands.Birth{Homes: 4, Edges: []float64{75, 50, 25}}))
		var all []bands.Entry
		for i := range 1000 {
			all = append(all, bands.Entry{Player: fmt.Sprint("p", i), Stored: float64(i % 100)})
		}
		databases := int64(len(k.redis))
		_, _, err := s.Counts(ctx, highest, false) // the layout is known from here on
		require.NoError(t, err)
		other := k.process()
		keeper := bands.NewKeeper(k.process(), bands.Rules{Split: 1000})
		fresh := func() { k.pass(11 * time.Second) }
		for _, c := range []struct {
			name               string
			do                 func() error
			least, most, trips int64
			beforehand         func()
		}{
			{name: "a thousand new scores", do: func() error { _, err := s.SubmitMany(ctx, highest, all); return err }, least: 16, most: 16 + 2*databases, trips: 3},
			{name: "the same again", do: func() error { _, err := s.SubmitMany(ctx, highest, all); return err }, least: 4, most: 4, trips: 1},
			{name: "the layout, another has counted", do: func() error { _, _, err := other.Counts(ctx, highest, false); return err }, least: 1, most: 1, trips: 1},
			{name: "the layout, and counting", beforehand: fresh, do: func() error { _, _, err := other.Counts(ctx, highest, false); return err }, least: 8, most: 8, trips: 4},
			{name: "a page", do: func() error { _, err := other.Page(ctx, highest, 300, 100); return err }, least: 1, most: 1, trips: 1},
			{name: "a page over an edge", do: func() error { _, err := other.Page(ctx, highest, 200, 100); return err }, least: 2, most: 2, trips: 2},
			{name: "a page behind an entry", do: func() error {
				_, err := other.After(ctx, highest, bands.Entry{Player: "p60", Stored: 60}, 50)
				return err
			}, least: 2, most: 2, trips: 1},
			{name: "around a player", do: func() error { _, _, err := other.Around(ctx, highest, "p60", redis.Place{}, 25); return err }, least: 3, most: 3, trips: 3},
			{name: "a look-up of many", do: func() error {
				_, err := other.Scores(ctx, highest, []string{"p1", "p2", "p3", "p4", "p5", "p6", "p7", "p8", "p9", "nobody"})
				return err
			}, least: 2, most: 4, trips: 1},
			{name: "settling one who is settled", do: func() error { _, err := other.Settle(ctx, highest, "p60"); return err }, least: 6, most: 6, trips: 2},
			{name: "a keeper with nothing to do", do: func() error { _, err := keeper.Tend(ctx, highest); return err }, least: 6, most: 6, trips: 3},
			{name: "a removal", do: func() error { return other.Remove(ctx, highest, "p60") }, least: 5, most: 5, trips: 2},
			{name: "how far bands have drifted", do: func() error { _, err := other.Drift(ctx, highest); return err }, least: 8, most: 8, trips: 1},
		} {
			if c.beforehand != nil {
				c.beforehand()
			}
			commands, trips := k.spent(func() { err = c.do() })
			require.NoError(t, err, c.name)
			require.GreaterOrEqual(t, commands, c.least, c.name)
			require.LessOrEqual(t, commands, c.most, c.name)
			require.LessOrEqual(t, trips, c.trips, c.name)
		}
	})
}
