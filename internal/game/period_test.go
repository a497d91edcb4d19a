package game_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/game"
)

func TestEveryDayFrom1970To2100HasTheISOWeekAndMonthOfTime(t *testing.T) {
	for at := time.Date(1970, 1, 1, 0, 0, 0, 0, time.UTC); at.Year() <= 2100; at = at.AddDate(0, 0, 1) {
		d := game.DateOf(at)
		year, week := at.ISOWeek()
		if got, want := game.Week.Of(d).Key(), fmt.Sprintf("%04d-W%02d", year, week); got != want {
			t.Fatalf("%s is in week %s, not %s", at, want, got)
		}
		if got, want := game.Month.Of(d).Key(), at.Format("2006-01"); got != want {
			t.Fatalf("%s is in month %s, not %s", at, want, got)
		}
		if got, want := game.Day.Of(d).Key(), at.Format(time.DateOnly); got != want {
			t.Fatalf("%s is day %s, not %s", at, want, got)
		}
	}
}

func TestPeriodsPartitionTheCalendar(t *testing.T) {
	last := date(t, "2100-12-31")
	for _, kind := range []game.PeriodKind{game.Day, game.Week, game.Month} {
		p := kind.Of(date(t, "1970-01-01"))
		for ; p.Last().Before(last); p = kind.Of(p.Last().AddDays(1)) {
			days := p.Days()
			if days[0] != p.First() || days[len(days)-1] != p.Last() {
				t.Fatalf("%s: the days do not run from first to last", p.Key())
			}
			for i, d := range days {
				if d != p.First().AddDays(i) || kind.Of(d) != p || !p.Contains(d) {
					t.Fatalf("%s: %s is misplaced", p.Key(), d)
				}
			}
			if p.Contains(p.First().AddDays(-1)) || p.Contains(p.Last().AddDays(1)) {
				t.Fatalf("%s contains a neighbour's day", p.Key())
			}
			if previous, ok := kind.Of(p.Last().AddDays(1)).Previous(); !ok || previous != p {
				t.Fatalf("%s is not the previous of its next", p.Key())
			}
		}
	}
}

func TestPeriodLengths(t *testing.T) {
	for _, c := range []struct {
		kind  game.PeriodKind
		date  string
		key   string
		first string
		last  string
		days  int
	}{
		{game.Day, "2026-11-21", "2026-11-21", "2026-11-21", "2026-11-21", 1},
		{game.Week, "2026-11-21", "2026-W47", "2026-11-16", "2026-11-22", 7},
		{game.Week, "2027-01-01", "2026-W53", "2026-12-28", "2027-01-03", 7},
		{game.Week, "2024-12-30", "2025-W01", "2024-12-30", "2025-01-05", 7},
		{game.Week, "2021-01-03", "2020-W53", "2020-12-28", "2021-01-03", 7},
		{game.Week, "2025-02-22", "2025-W08", "2025-02-17", "2025-02-23", 7},
		{game.Month, "2024-02-10", "2024-02", "2024-02-01", "2024-02-29", 29},
		{game.Month, "2100-02-10", "2100-02", "2100-02-01", "2100-02-28", 28},
		{game.Month, "2026-12-31", "2026-12", "2026-12-01", "2026-12-31", 31},
		{game.Month, "9999-12-31", "9999-12", "9999-12-01", "9999-12-31", 31},
		{game.Last7, "2027-01-03", "2027-01-03", "2026-12-28", "2027-01-03", 7},
		{game.Last30, "2028-03-01", "2028-03-01", "2028-02-01", "2028-03-01", 30},
		{game.Week, "9999-12-31", "9999-W52", "9999-12-27", "9999-12-31", 5},
		{game.Week, "0001-01-01", "0001-W01", "0001-01-01", "0001-01-07", 7},
	} {
		p := c.kind.Of(date(t, c.date))
		require.Equal(t, c.key, p.Key())
		require.Equal(t, c.kind, p.Kind())
		require.Equal(t, c.first, p.First().String(), c.key)
		require.Equal(t, c.last, p.Last().String(), c.key)
		require.Len(t, p.Days(), c.days, c.key)
	}
}

func TestAllTimeHasNoEnds(t *testing.T) {
	p := game.AllTime.Of(date(t, "2026-11-21"))
	require.Equal(t, "alltime", p.Key())
	require.Equal(t, game.AllTime.Of(game.Date{}), p)
	require.Nil(t, p.Days())
	require.True(t, p.First().IsZero())
	require.True(t, p.Last().IsZero())
	require.True(t, p.Contains(date(t, "0001-01-01")))
	_, ok := p.Previous()
	require.False(t, ok)
}

func TestTheFirstPeriodsHaveNoPrevious(t *testing.T) {
	for _, kind := range []game.PeriodKind{game.Day, game.Week, game.Month} {
		_, ok := kind.Of(date(t, "0001-01-01")).Previous()
		require.False(t, ok, kind.String())
	}
}

func TestPeriodKindsReadTheirOwnNames(t *testing.T) {
	for k := game.Day; k <= game.Last30; k++ {
		got, err := game.ParsePeriodKind(k.String())
		require.NoError(t, err)
		require.Equal(t, k, got)
	}
	for _, s := range []string{"", "Day", "year", "days", "all-time", "period(4)"} {
		_, err := game.ParsePeriodKind(s)
		require.ErrorContains(t, err, "use day, week, month, season, alltime, last7 or last30", "%q", s)
	}
}
