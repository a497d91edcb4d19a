package archive_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/archive/archivetest"
)

func TestUsageIsKeptByDayAndFunctionAndOnlyGrows(t *testing.T) {
	a, trips := openAt(t, archivetest.Database(t), 1)
	first := archive.Usage{Date: today, Function: "submit", Calls: 10, Commands: 20, RoundTrips: 11, Sent: 900, Received: 800, Failed: 1, Throttled: 2, Replayed: 3}
	other := archive.Usage{Date: today.AddDays(-1), Function: "leaderboard", Calls: 1}
	require.NoError(t, a.PutUsage(ctx, []archive.Usage{first, other}))
	require.NoError(t, a.PutUsage(ctx, []archive.Usage{{Date: today, Function: "submit", Calls: 12, Commands: 5}}), "a process's field was lost")

	grown := first
	grown.Calls = 12
	kept, err := a.UsageBetween(ctx, today.AddDays(-1), today)
	require.NoError(t, err)
	require.Equal(t, []archive.Usage{other, grown}, kept)
	require.Equal(t, 1, trips.during(func() {
		kept, err = a.UsageBetween(ctx, today, today)
		require.NoError(t, err)
	}))
	require.Equal(t, []archive.Usage{grown}, kept)
	kept, err = a.UsageBetween(ctx, today.AddDays(1), today.AddDays(2))
	require.NoError(t, err)
	require.Empty(t, kept)
	require.NoError(t, a.PutUsage(ctx, nil))
}
