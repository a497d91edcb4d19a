package game_test

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/framedle/leaderboards/internal/game"
)

// A period grows older through every age that it has, and never younger; each age
// begins at its moment and not before.
func TestALifecycleOnlyGoesOn(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		const dayLong = 24 * time.Hour
		g := &game.Game{
			Day:   rapid.SampledFrom([]game.DayRule{game.UTC, game.Local}).Draw(r, "day"),
			Grace: time.Duration(rapid.IntRange(0, 24*60).Draw(r, "grace")) * time.Minute,
			Lives: game.Lives{
				Day:   time.Duration(rapid.IntRange(4, 60).Draw(r, "day lives")) * dayLong,
				Week:  time.Duration(rapid.IntRange(7, 90).Draw(r, "week lives")) * dayLong,
				Month: time.Duration(rapid.IntRange(31, 400).Draw(r, "month lives")) * dayLong,
			},
		}
		d := game.DateOf(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)).AddDays(rapid.IntRange(-400, 400).Draw(r, "date"))
		p := rapid.SampledFrom([]game.PeriodKind{game.Day, game.Week, game.Month}).Draw(r, "kind").Of(d)
		expires, ends := g.Expires(p)
		require.True(r, ends)
		begins := map[game.Lifecycle]time.Time{
			game.Open: g.Opens(p.First()), game.Closed: g.Ends(p).Add(g.Grace), game.Expired: expires,
		}
		if p.Kind() == game.Day {
			begins[game.Sealed] = g.Seals(d)
		}
		for age, at := range begins {
			require.Equal(r, age, g.Lifecycle(p, at), "from its moment on")
			require.Less(r, g.Lifecycle(p, at.Add(-time.Nanosecond)), age, "not before")
		}
		moments := []time.Time{}
		for range 20 {
			moments = append(moments, begins[game.Open].Add(time.Duration(rapid.Int64Range(int64(-40*dayLong), int64(500*dayLong)).Draw(r, "moment"))))
		}
		slices.SortFunc(moments, time.Time.Compare)
		was := game.Upcoming
		for _, at := range moments {
			is := g.Lifecycle(p, at)
			require.GreaterOrEqual(r, is, was)
			require.Equal(r, is >= game.Closed, g.Closed(p, at))
			require.Equal(r, is == game.Open, !at.Before(begins[game.Open]) && !g.Closed(p, at))
			was = is
		}
		require.Equal(r, game.Open, g.Lifecycle(game.AllTime.Of(d), moments[0]), "all time")
	})
}
