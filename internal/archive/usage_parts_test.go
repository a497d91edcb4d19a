package archive_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/archive/archivetest"
)

func TestPartsOfUsageAreKeptAndOnlyGrow(t *testing.T) {
	a, trips := openAt(t, archivetest.Database(t), 1)
	first := archive.UsagePart{Date: today, Function: "submit", Route: "POST /v1/scores", Caller: "player", Calls: 10, Commands: 20, RoundTrips: 11}
	server := first
	server.Caller = "server 1a2b3c4d"
	before := archive.UsagePart{Date: today.AddDays(-1), Function: "cron-daily", Route: "schedule", Caller: "schedule", Calls: 1}
	require.NoError(t, a.Usage.PutParts(ctx, []archive.UsagePart{server, first, before}))
	again := first
	again.Calls, again.Commands = 12, 5
	require.NoError(t, a.Usage.PutParts(ctx, []archive.UsagePart{again}), "a process's field was lost")

	grown := first
	grown.Calls = 12
	var kept []archive.UsagePart
	var err error
	for range 2 { // the connection learns the query
		require.LessOrEqual(t, trips.during(func() { kept, err = a.Usage.Parts(ctx, today.AddDays(-1), today) }), 2)
		require.NoError(t, err)
		require.Equal(t, []archive.UsagePart{before, grown, server}, kept)
	}
	require.Equal(t, 1, trips.during(func() { kept, err = a.Usage.Parts(ctx, today.AddDays(1), today.AddDays(9)) }))
	require.NoError(t, err)
	require.Empty(t, kept)
	require.NoError(t, a.Usage.PutParts(ctx, nil))
}
