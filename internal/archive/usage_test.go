package archive_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/archive/archivetest"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/platform/trace"
)

func TestUsageIsKeptByDayAndFunctionAndOnlyGrows(t *testing.T) {
	a, trips := openAt(t, archivetest.Database(t), 1)
	first := archive.Usage{Date: today, Function: "submit", UsageCount: game.UsageCount{
		Calls: 10, Commands: 20, RoundTrips: 11, Sent: 900, Received: 800, Failed: 1, Throttled: 2, Replayed: 3, Accepted: 9, Queries: 4, Rows: 40,
	}}
	other := archive.Usage{Date: today.AddDays(-1), Function: "leaderboard", UsageCount: game.UsageCount{Calls: 1}}
	require.NoError(t, a.Usage.Put(ctx, []archive.Usage{first, other}))
	require.NoError(t, a.Usage.Put(ctx, []archive.Usage{{Date: today, Function: "submit", UsageCount: game.UsageCount{Calls: 12, Commands: 5, Queries: 3}}}), "a process's field was lost")

	grown := first
	grown.Calls = 12
	kept, err := a.Usage.Between(ctx, today.AddDays(-1), today)
	require.NoError(t, err)
	require.Equal(t, []archive.Usage{other, grown}, kept)
	require.Equal(t, 1, trips.during(func() {
		kept, err = a.Usage.Between(ctx, today, today)
		require.NoError(t, err)
	}))
	require.Equal(t, []archive.Usage{grown}, kept)
	kept, err = a.Usage.Between(ctx, today.AddDays(1), today.AddDays(2))
	require.NoError(t, err)
	require.Empty(t, kept)
	require.NoError(t, a.Usage.Put(ctx, nil))
}

func TestBothFiguresOfADayAreKeptAsTheyWereComparedLast(t *testing.T) {
	a, trips := openAt(t, archivetest.Database(t), 1)
	check := func(ago int, counted, upstash int64) game.UsageCheck {
		return game.UsageCheck{Date: today.AddDays(-ago), Counted: counted, Upstash: upstash, At: noon}
	}
	require.NoError(t, a.Usage.PutChecks(ctx, []game.UsageCheck{check(2, 5, 7), check(1, 900, 1000)}))
	again := check(1, 1000, 1000)
	again.At = noon.Add(time.Hour)
	require.NoError(t, a.Usage.PutChecks(ctx, []game.UsageCheck{again}))
	var kept []game.UsageCheck
	var err error
	for range 2 { // the connection learns the query
		require.LessOrEqual(t, trips.during(func() { kept, err = a.Usage.Checks(ctx, today.AddDays(-2), today) }), 2)
		require.NoError(t, err)
	}
	require.Equal(t, []game.UsageCheck{check(2, 5, 7), again}, kept)
	require.Equal(t, 1, trips.during(func() { kept, err = a.Usage.Checks(ctx, today, today) }))
	require.NoError(t, err)
	require.Empty(t, kept)
	require.NoError(t, a.Usage.PutChecks(ctx, nil))
}

func TestQueriesAndRowsAreCountedForWhoAsks(t *testing.T) {
	a, _ := openAt(t, archivetest.Database(t), 1)
	var mine, other trace.QueryMeter
	counted := trace.WithQueries(ctx, &mine)
	require.NoError(t, a.Usage.Put(counted, []archive.Usage{{Date: today, Function: "a"}, {Date: today, Function: "b"}}))
	queries, rows := mine.Read()
	require.Equal(t, [2]int64{2, 2}, [2]int64{queries, rows}, "two in one round trip, of a row each")
	_, err := a.Usage.Between(counted, today, today)
	require.NoError(t, err)
	_, err = a.Usage.Between(trace.WithQueries(ctx, &other), today, today)
	require.NoError(t, err)
	require.Error(t, a.Usage.Put(counted, []archive.Usage{{Date: today, Function: "a", UsageCount: game.UsageCount{Calls: -1}}}))
	queries, rows = mine.Read()
	require.Equal(t, [2]int64{4, 4}, [2]int64{queries, rows}, "one that read two rows, and one that failed")
	queries, rows = other.Read()
	require.Equal(t, [2]int64{1, 2}, [2]int64{queries, rows})
}
