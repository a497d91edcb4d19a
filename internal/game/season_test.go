package game_test

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/gamefile"
)

func seasonal(t testing.TB) *game.Game {
	g, err := gamefile.Parse("g.yaml", []byte(`
name: g
seasons:
  - {name: summer, first: 2026-06-10, last: 2026-08-31}
  - {name: spring, first: 2026-03-01, last: 2026-05-31}
modes: {a: {max: 1000}, large: {max: 69273666}, down: {min: -69273666, max: 0}}
`))
	require.NoError(t, err)
	return g
}

func TestASeasonIsFoundByItsDates(t *testing.T) {
	g := seasonal(t)
	date := func(m time.Month, d int) game.Date { return game.NewDate(2026, m, d) }
	spring, ok := g.SeasonOf(date(time.March, 1))
	require.True(t, ok)
	again, _ := g.SeasonOf(date(time.May, 31))
	require.True(t, spring == again)
	require.Equal(t, "spring", spring.Key())
	require.Len(t, spring.Days(), 92)
	for _, none := range []game.Date{date(time.February, 28), date(time.June, 1), date(time.June, 9), date(time.September, 1)} {
		_, ok := g.PeriodOf(game.Season, none)
		require.False(t, ok, none)
		require.NotContains(t, g.PeriodsOf(none), spring)
	}
	summer, _ := g.PeriodOf(game.Season, date(time.June, 10))
	before, ok := summer.Previous()
	require.True(t, ok)
	require.True(t, before == spring)
	_, ok = spring.Previous()
	require.False(t, ok)

	require.Equal(t, []game.Period{game.Week.Of(date(time.June, 10)), game.Month.Of(date(time.June, 10)), summer, game.AllTime.Of(date(time.June, 10))}, g.PeriodsOf(date(time.June, 10)))
	end, ok := g.Expires(spring)
	require.True(t, ok)
	require.Equal(t, date(time.May, 31).AddDays(181).Midnight(), end)
	require.True(t, g.Closed(spring, end))
	require.False(t, g.Closed(spring, date(time.May, 31).Midnight()))
	require.False(t, game.Season.Of(date(time.June, 10)).Contains(date(time.June, 10)))
	require.Empty(t, game.Season.Of(date(time.June, 10)).Days())
}

func TestKeysOfSeasonsAreReadByTheGame(t *testing.T) {
	g := seasonal(t)
	spring, _ := g.SeasonOf(game.NewDate(2026, time.March, 1))
	red, err := game.GroupScope("red")
	require.NoError(t, err)
	for _, scope := range []game.Scope{{}, red} {
		key := game.BoardKey("a", spring, scope)
		mode, p, s, err := g.ParseBoardKey(key)
		require.NoError(t, err)
		require.Equal(t, "a", mode)
		require.True(t, p == spring)
		require.Equal(t, scope, s)
		_, _, _, err = game.ParseBoardKey(key)
		require.ErrorContains(t, err, "seasons are a game's")
	}
	require.Equal(t, "lb:a:season:spring:group:red", game.BoardKey("a", spring, red))
	_, _, _, err = g.ParseBoardKey("lb:a:season:winter")
	require.ErrorIs(t, err, game.ErrNoSeason)
	_, p, _, err := g.ParseBoardKey("lb:a:month:2026-03")
	require.NoError(t, err)
	require.Equal(t, game.Month, p.Kind())
}

// A season holds the true scores of its rolled-up days and adds up to 31 that are not
// rolled up yet as they are stored, in whatever order: the total is exact.
func TestASeasonsTotalIsExact(t *testing.T) {
	g := seasonal(t)
	rapid.Check(t, func(t *rapid.T) {
		m := g.Modes[rapid.IntRange(0, len(g.Modes)-1).Draw(t, "mode")]
		rolledUp := rapid.IntRange(0, 366-31).Draw(t, "rolled-up days")
		open := rapid.IntRange(0, 31).Draw(t, "open days")
		score := rapid.OneOf(rapid.Just(int64(m.Min)), rapid.Just(int64(m.Max)), rapid.Int64Range(int64(m.Min), int64(m.Max)))
		tick := rapid.OneOf(rapid.Just(int64(1)), rapid.Just(int64(math.MaxInt64)), rapid.Int64Min(1))
		var want game.Score
		stored := 0.0
		for i := range rolledUp + open {
			s := game.Score(score.Draw(t, "score"))
			want += s
			day := m.Encode(s, tick.Draw(t, "tick"))
			if i < rolledUp {
				day = math.Floor(day)
			}
			stored += day
		}
		require.Equal(t, want, m.Decode(stored))
	})
}
