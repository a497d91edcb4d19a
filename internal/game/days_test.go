package game_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/framedle/leaderboards/internal/game"
)

func withDays(t require.TestingT, rule game.DayRule, grace time.Duration) *game.Game {
	d := description(plainMode())
	d.Day, d.Grace, d.Lives.Day = rule, grace, 9*day
	return newGame(t, d)
}

// openByClocks asks the clocks of the world: a date is open when it is, or
// was within the grace, the date on some clock.
func openByClocks(rule game.DayRule, grace time.Duration, now time.Time) []game.Date {
	east, west := 0, 0
	if rule == game.Local {
		east, west = 14, -12
	}
	seen := map[game.Date]bool{}
	for offset := west; offset <= east; offset++ {
		shift := time.Duration(offset) * hour
		for back := time.Duration(0); back < grace; back += hour {
			seen[game.DateOf(now.Add(shift-back))] = true
		}
		seen[game.DateOf(now.Add(shift-grace))] = true
	}
	var open []game.Date
	for d := game.DateOf(now).AddDays(-5); len(open) < len(seen); d = d.AddDays(1) {
		if seen[d] {
			open = append(open, d)
		}
	}
	return open
}

func TestOpenDatesAreThoseOfTheWorldsClocks(t *testing.T) {
	start := time.Date(2026, 12, 30, 0, 0, 0, 0, time.UTC)
	for _, rule := range []game.DayRule{game.UTC, game.Local} {
		for _, grace := range []time.Duration{0, time.Second, 15 * time.Minute, 3 * hour, day} {
			g := withDays(t, rule, grace)
			for minute := range 3 * 24 * 60 {
				now := start.Add(time.Duration(minute) * time.Minute)
				for _, at := range []time.Time{now, now.Add(-1)} {
					want, got := openByClocks(rule, grace, at), g.OpenDates(at)
					if len(want) != len(got) || want[0] != got[0] {
						t.Fatalf("%s with grace %s at %s: open are %v, not %v", rule, grace, at, want, got)
					}
				}
			}
		}
	}
}

func TestADayIsOpenFromOpensUntilItIsClosed(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		grace := time.Duration(rapid.Int64Range(0, int64(day)).Draw(t, "grace"))
		g := withDays(t, rapid.SampledFrom([]game.DayRule{game.UTC, game.Local}).Draw(t, "rule"), grace)
		d := anyDate().Draw(t, "date")
		opens, closes := g.Opens(d), g.Ends(game.Day.Of(d)).Add(grace)
		for _, c := range []struct {
			at           time.Time
			open, closed bool
		}{
			{opens.Add(-1), false, false},
			{opens, true, false},
			{opens.Add(time.Duration(rapid.Int64Range(0, int64(closes.Sub(opens)-1)).Draw(t, "within"))), true, false},
			{closes.Add(-1), true, false},
			{closes, false, true},
		} {
			require.Equal(t, c.open, g.Open(d, c.at), "open at %s", c.at)
			require.Equal(t, c.closed, g.Closed(game.Day.Of(d), c.at), "closed at %s", c.at)
			require.Equal(t, c.open, contains(g.OpenDates(c.at), d), "listed at %s", c.at)
		}
		require.Contains(t, g.OpenDates(opens), d)
	})
}

func contains(dates []game.Date, d game.Date) bool {
	for _, other := range dates {
		if other == d {
			return true
		}
	}
	return false
}

func TestTodayIsAlwaysOpen(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := withDays(t, rapid.SampledFrom([]game.DayRule{game.UTC, game.Local}).Draw(t, "rule"), 0)
		now := anyDate().Draw(t, "date").Midnight().Add(time.Duration(rapid.Int64Range(0, int64(day)-1).Draw(t, "time")))
		require.Contains(t, g.OpenDates(now), g.Today(now))
	})
}

func TestDayEdges(t *testing.T) {
	d := date(t, "2026-11-21")
	utc := withDays(t, game.UTC, 15*time.Minute)
	require.Equal(t, "2026-11-21T00:00:00Z", utc.Opens(d).Format(time.RFC3339))
	require.Equal(t, "2026-11-22T00:00:00Z", utc.Ends(game.Day.Of(d)).Format(time.RFC3339))
	local := withDays(t, game.Local, 0)
	require.Equal(t, "2026-11-20T10:00:00Z", local.Opens(d).Format(time.RFC3339))
	require.Equal(t, "2026-11-22T12:00:00Z", local.Ends(game.Day.Of(d)).Format(time.RFC3339))
	require.Equal(t, "2026-11-23T12:00:00Z", local.Ends(game.Week.Of(d)).Format(time.RFC3339))
	require.Equal(t, "2026-12-01T00:00:00Z", utc.Ends(game.Month.Of(d)).Format(time.RFC3339))
	require.Len(t, local.OpenDates(time.Date(2026, 11, 21, 11, 0, 0, 0, time.UTC)), 3)
}

func TestBoardsExpireAFixedTimeAfterTheirPeriod(t *testing.T) {
	g := withDays(t, game.UTC, 15*time.Minute)
	g.Lives = game.Lives{Day: 8 * day, Week: 30 * day, Month: 180 * day}
	d := date(t, "2026-11-21")
	for _, c := range []struct {
		kind game.PeriodKind
		at   string
	}{
		{game.Day, "2026-11-30"},
		{game.Week, "2026-12-23"},
		{game.Month, "2027-05-30"},
	} {
		at, ok := g.Expires(c.kind.Of(d))
		require.True(t, ok)
		require.Equal(t, c.at, game.DateOf(at).String())
		require.Equal(t, game.DateOf(at).Midnight(), at)
	}
}

func TestAllTimeNeitherEndsNorClosesNorExpires(t *testing.T) {
	g := withDays(t, game.UTC, 0)
	p := game.AllTime.Of(date(t, "2026-11-21"))
	require.True(t, g.Ends(p).IsZero())
	require.False(t, g.Closed(p, date(t, "9999-12-31").Midnight()))
	_, ok := g.Expires(p)
	require.False(t, ok)
}
