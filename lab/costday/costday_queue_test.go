package costday_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/lab/costday"
)

// A day in queue mode: scores cost nothing when they are sent, every one of them
// is written, and what a batch may cost is known.
func TestADayInQueueModeIsCountedAsRedisCountsIt(t *testing.T) {
	const players = 60
	days, err := costday.Product(t.Context(), costday.Options{Players: players, Days: []costday.Setting{{Arrivals: costday.Evenly, Journey: costday.Apart, Window: 20 * time.Second}}, Seed: 1})
	require.NoError(t, err)
	day := days[0]
	require.NoError(t, costday.Agree(day.Counted, day.Ran))

	require.EqualValues(t, players*5/2*51/50, day.Routes["submit"].Requests)
	require.Zero(t, day.Routes["submit"].Commands)
	ingest := day.Routes["ingest"]
	boards := ingest.ByName["EVALSHA"] + ingest.ByName["EVAL"]
	require.LessOrEqual(t, boards, day.Routes["submit"].Requests+2, "a script for each board, which two processes send by its source at first")
	require.LessOrEqual(t, ingest.Commands-askedOnce(ingest), 3*boards, "%v", ingest.Shapes)
	require.LessOrEqual(t, askedOnce(ingest), boards+int64(day.Started["ingest"])*(4*2+1+2)+2*64, "the count of each board, what a new process asks once, and bans each 15 minutes")
	require.Positive(t, day.Started["enqueue"])
	require.Zero(t, day.Started["submit"])
	require.EqualValues(t, players, day.Routes["around"].Requests)
	require.EqualValues(t, players, day.Routes["friends"].Requests)
}
