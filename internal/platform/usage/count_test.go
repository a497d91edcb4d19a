package usage_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/framedle/leaderboards/internal/platform/usage"
)

func TestCountsThatArePackedComeBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.Int64Min(0)
		c := usage.Count{
			Calls: n.Draw(t, "calls"), Commands: n.Draw(t, "commands"), RoundTrips: n.Draw(t, "round trips"), Sent: n.Draw(t, "sent"),
			Received: n.Draw(t, "received"), Failed: n.Draw(t, "failed"), Throttled: n.Draw(t, "throttled"), Replayed: n.Draw(t, "replayed"),
			Accepted: n.Draw(t, "accepted"), Queries: n.Draw(t, "queries"), Rows: n.Draw(t, "rows"),
		}
		back, err := usage.ParseCount(c.String())
		require.NoError(t, err)
		require.Equal(t, c, back)
	})
}

func TestCountsStopAtTheLargestNumber(t *testing.T) {
	c := usage.Count{Calls: math.MaxInt64 - 1, Commands: 1}
	c.Add(usage.Count{Calls: 2, Commands: 2})
	require.Equal(t, usage.Count{Calls: math.MaxInt64, Commands: 3}, c)
}

func TestCountsOfTheVersionBeforeAreTaken(t *testing.T) {
	c, err := usage.ParseCount("1 2 3 4 5 6 7 8")
	require.NoError(t, err)
	require.Equal(t, usage.Count{Calls: 1, Commands: 2, RoundTrips: 3, Sent: 4, Received: 5, Failed: 6, Throttled: 7, Replayed: 8}, c)
}

func TestWhatIsNoCountIsRefused(t *testing.T) {
	for _, text := range []string{"", "1", "1 2 3 4 5 6 7", "1 2 3 4 5 6 7 8 9", "1 2 3 4 5 6 7 8 9 10 11 12", "1 2 3 4 5 6 7 -8", "1 2 3 4 5 6 7 8.0", "1  3 4 5 6 7 8", "1 2 3 4 5 6 7 9223372036854775808"} {
		_, err := usage.ParseCount(text)
		require.Error(t, err, text)
	}
}

func FuzzParseCount(f *testing.F) {
	f.Add("1 2 3 4 5 6 7 8")
	f.Add("1 2 3 4 5 6 7 8 9 10 11")
	f.Add("0 0 0 0 0 0 0 -1")
	f.Fuzz(func(t *testing.T, text string) {
		c, err := usage.ParseCount(text)
		if err != nil {
			return
		}
		again, err := usage.ParseCount(c.String())
		require.NoError(t, err)
		require.Equal(t, c, again)
	})
}
