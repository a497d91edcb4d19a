package game_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/framedle/leaderboards/internal/game"
)

func date(t require.TestingT, s string) game.Date {
	d, err := game.ParseDate(s)
	require.NoError(t, err)
	return d
}

// anyDate draws dates of the years 1970 to 2100.
func anyDate() *rapid.Generator[game.Date] {
	return rapid.Custom(func(t *rapid.T) game.Date {
		return game.NewDate(1970, time.January, 1).AddDays(rapid.IntRange(0, 131*365).Draw(t, "days since 1970"))
	})
}

func TestParseDateReadsCalendarDays(t *testing.T) {
	for _, s := range []string{"0001-01-01", "1970-01-01", "2000-02-29", "2024-02-29", "2026-11-21", "9999-12-31"} {
		require.Equal(t, s, date(t, s).String())
	}
}

func TestParseDateRefusesAllElse(t *testing.T) {
	for _, s := range []string{
		"", "2026-11-2", "2026-11-211", "2026/11/21", "2026-02-29", "1900-02-29", "2026-13-01", "2026-00-10",
		"2026-04-31", "2026-01-00", "0000-01-01", "+026-01-01", "-001-01-01", "2026-1a-01", " 026-11-21",
		"2026-11-21T00:00:00Z", "२०२६-११-२१", "2026-11\x0021",
	} {
		_, err := game.ParseDate(s)
		require.ErrorContains(t, err, "use YYYY-MM-DD", "%q", s)
	}
}

func TestDateAgreesWithTime(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		at := time.Unix(rapid.Int64Range(-62135596800, 253402300799).Draw(t, "second"), 0).UTC()
		d := game.DateOf(at)
		require.Equal(t, at.Format(time.DateOnly), d.String())
		require.Equal(t, at.Weekday(), d.Weekday())
		require.Equal(t, at.Truncate(24*time.Hour), d.Midnight())
		require.Equal(t, d, date(t, d.String()))
		require.Equal(t, d, game.NewDate(at.Date()))
	})
}

func TestDateIsTakenInUTC(t *testing.T) {
	tokyo := time.FixedZone("Tokyo", 9*3600)
	require.Equal(t, "2026-11-20", game.DateOf(time.Date(2026, 11, 21, 8, 59, 59, 0, tokyo)).String())
	require.Equal(t, "2026-11-21", game.DateOf(time.Date(2026, 11, 21, 9, 0, 0, 0, tokyo)).String())
}

func TestDatesAddAndCompareAsMidnightsDo(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d, n := anyDate().Draw(t, "d"), rapid.IntRange(-40000, 40000).Draw(t, "n")
		e := d.AddDays(n)
		require.Equal(t, d.Midnight().AddDate(0, 0, n), e.Midnight())
		require.Equal(t, d.Midnight().Compare(e.Midnight()), d.Compare(e))
		require.Equal(t, d.Compare(e) < 0, d.Before(e))
		require.Equal(t, d.Compare(e) > 0, d.After(e))
		require.Equal(t, d.Compare(e) == 0, d == e)
	})
}

func TestDatesStopAtTheEndsOfTheCalendar(t *testing.T) {
	require.Equal(t, "9999-12-31", date(t, "9999-12-30").AddDays(1_000_000_000).String())
	require.Equal(t, "0001-01-01", date(t, "0001-01-02").AddDays(-1_000_000_000).String())
	require.Equal(t, "0001-01-01", game.DateOf(time.Time{}.AddDate(-5, 0, 0)).String())
}

func TestZeroDateIsNoDate(t *testing.T) {
	require.True(t, game.Date{}.IsZero())
	require.False(t, game.DateOf(time.Time{}).IsZero())
	require.True(t, game.Date{}.Before(date(t, "0001-01-01")))
}

func FuzzParseDate(f *testing.F) {
	for _, s := range []string{"2026-11-21", "2024-02-29", "0000-01-01", "2026-1-1", "9999-12-31"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		d, err := game.ParseDate(s)
		want, wantErr := time.Parse(time.DateOnly, s)
		if err != nil {
			require.True(t, d.IsZero())
			require.True(t, wantErr != nil || want.Year() == 0, "refused %q", s)
			return
		}
		require.NoError(t, wantErr)
		require.Equal(t, want, d.Midnight())
		require.Equal(t, s, d.String())
	})
}
