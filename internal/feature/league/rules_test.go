package league_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/framedle/leaderboards/internal/feature/league"
	"github.com/framedle/leaderboards/internal/game"
)

func TestKeysOfLeagues(t *testing.T) {
	d := game.NewDate(2026, time.November, 21)
	require.Equal(t, "league:2026-W47", league.Key(d))
	require.Equal(t, "league:xp:2026-W47", league.XPKey(d))
}

func TestACodeIsACohorts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		draw := func() league.Seat {
			return league.Seat{
				Player: "p", Tier: rapid.IntRange(0, league.MaxTiers-1).Draw(t, "tier"), Pace: rapid.IntRange(0, 7).Draw(t, "pace"),
				Cohort: rapid.IntRange(0, 1_000_000).Draw(t, "cohort"),
			}
		}
		a, b := draw(), draw()
		require.Equal(t, a, league.SeatOf("p", a.Code()))
		require.Equal(t, a == b, a.Code() == b.Code())
		require.Less(t, a.Code(), int64(1)<<53, "a score of Redis holds it")
	})
}

func TestZonesOfACohort(t *testing.T) {
	l := league.DefaultRules()
	for _, c := range []struct{ tier, players, promote, relegate int }{
		{0, 30, 7, 0}, {4, 30, 7, 5}, {9, 30, 0, 5}, {4, 1, 1, 0}, {4, 5, 2, 0}, {4, 6, 2, 1}, {4, 12, 3, 2}, {0, 2, 1, 0}, {9, 3, 0, 0},
	} {
		promote, relegate := l.Zones(c.tier, c.players)
		require.Equal(t, [2]int{c.promote, c.relegate}, [2]int{promote, relegate}, c)
	}
}

func TestAWeekThatIsNotPlayedCostsATier(t *testing.T) {
	l := league.DefaultRules()
	monday := game.NewDate(2026, time.November, 2)
	last := league.Result{Week: monday, Standing: league.Standing{After: 3}}
	for weeks, tier := range map[int]int{1: 3, 2: 2, 3: 1, 4: 0, 50: 0} {
		require.Equal(t, tier, l.TierIn(last, monday.AddDays(7*weeks)), weeks)
	}
	require.Zero(t, l.TierIn(league.Result{}, monday), "who is new")
	last.After = 99
	require.Equal(t, 9, l.TierIn(last, monday.AddDays(7)), "the file has fewer tiers than then")
}
