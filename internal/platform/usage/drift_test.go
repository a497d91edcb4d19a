package usage_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/platform/usage"
)

// A day of 1,200 calls of 2 commands, of which a process leaves some off the meter;
// Upstash's figure is what Redis itself has counted.
func dayByBothCounts(t *testing.T, unmetered func(call int) bool) usage.Check {
	t.Helper()
	server, client := connect(t)
	now := testkit.Still(noon)
	f := newFunction(client, now, "submit", "p")
	for call := range 1200 {
		if unmetered(call) {
			require.NoError(t, spend(context.WithoutCancel(t.Context()), client, 2))
			continue
		}
		f.call(t, t.Context(), 2, 200)
	}
	require.NoError(t, f.watch.Close(t.Context()))
	stats, err := server.Redis().CommandStats(t.Context())
	require.NoError(t, err)
	billed := int64(0)
	for _, n := range stats {
		billed += n
	}
	archive := shelf{}
	checks, err := usage.NewLedger(client, archive).Check(t.Context(), noon.Add(24*time.Hour), map[game.Date]int64{today: billed})
	require.NoError(t, err)
	require.Len(t, checks, 1)
	require.Equal(t, checks[0], *archive[today].Check)
	return checks[0]
}

func TestAMeterThatDropsOneInTenIsFoundOut(t *testing.T) {
	whole := dayByBothCounts(t, func(int) bool { return false })
	part, compared := whole.Drift()
	require.True(t, compared)
	require.False(t, whole.Drifts())
	require.InDelta(t, 0, part, 0.005)

	broken := dayByBothCounts(t, func(call int) bool { return call%10 == 0 })
	part, compared = broken.Drift()
	require.True(t, compared)
	require.True(t, broken.Drifts())
	require.InDelta(t, -0.1, part, 0.005)
}

func TestDaysThatOneSideLacks(t *testing.T) {
	_, client := connect(t)
	put(t, client, today.AddDays(-1), "submit:p", usage.Count{Commands: 5000})
	put(t, client, today.AddDays(-2), "submit:p", usage.Count{Commands: 5000})
	put(t, client, today, "submit:p", usage.Count{Commands: 5000})
	upstash := map[game.Date]int64{
		today: 1, today.AddDays(-2): 5100, today.AddDays(-3): 4000, today.AddDays(-5): 1,
	}
	archive := shelf{}
	ledger := usage.NewLedger(client, archive)
	before := client.Meter().Usage()
	checks, err := ledger.Check(t.Context(), noon, upstash)
	require.NoError(t, err)
	require.EqualValues(t, 4, client.Meter().Usage().Commands-before.Commands)
	require.EqualValues(t, 1, client.Meter().Usage().RoundTrips-before.RoundTrips)
	require.Equal(t, []usage.Check{
		{Date: today.AddDays(-3), Counted: 0, Upstash: 4000, At: noon}, // nothing was counted: all of it is missing
		{Date: today.AddDays(-2), Counted: 5000, Upstash: 5100, At: noon},
	}, checks, "today is not over, and Upstash says nothing of yesterday")
	require.True(t, checks[0].Drifts())
	require.False(t, checks[1].Drifts())

	days, err := ledger.Days(t.Context(), today.AddDays(-3), today)
	require.NoError(t, err)
	require.Equal(t, []*usage.Check{&checks[0], &checks[1], nil, nil}, []*usage.Check{days[0].Check, days[1].Check, days[2].Check, days[3].Check})
	require.EqualValues(t, 5000, days[1].Total().Commands)

	alone, err := usage.NewLedger(client, nil).Check(t.Context(), noon, upstash)
	require.NoError(t, err)
	require.Len(t, alone, 2, "without an archive they are compared all the same")
}

func TestDriftIsAPartOfTheLargerFigure(t *testing.T) {
	for _, test := range []struct {
		counted, upstash int64
		part             float64
		compared, drifts bool
	}{
		{1000, 1000, 0, true, false},
		{950, 1000, -0.05, true, false},
		{949, 1000, -0.051, true, true},
		{1000, 949, 0.051, true, true},
		{0, 1000, -1, true, true},
		{1000, 0, 1, true, true},
		{999, 0, 0, false, false},
		{0, 0, 0, false, false},
	} {
		c := usage.Check{Counted: test.counted, Upstash: test.upstash}
		part, compared := c.Drift()
		require.InDelta(t, test.part, part, 1e-9, c)
		require.Equal(t, test.compared, compared, c)
		require.Equal(t, test.drifts, c.Drifts(), c)
	}
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.Int64Min(0)
		c := usage.Check{Counted: n.Draw(t, "counted"), Upstash: n.Draw(t, "upstash")}
		part, _ := c.Drift()
		require.LessOrEqual(t, part, 1.0)
		require.GreaterOrEqual(t, part, -1.0)
		back, _ := usage.Check{Counted: c.Upstash, Upstash: c.Counted}.Drift()
		require.InDelta(t, part, -back, 1e-9)
	})
}

func TestFiguresThatCannotBeKeptAreToldOf(t *testing.T) {
	_, client := connect(t)
	_, err := usage.NewLedger(client, fullShelf{shelf{}}).Check(t.Context(), noon, map[game.Date]int64{today.AddDays(-1): 1})
	require.EqualError(t, err, "archive both figures of days: no room")
}

type fullShelf struct{ shelf }

func (fullShelf) KeepChecks(context.Context, []usage.Check) error { return errors.New("no room") }
