package queue_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/platform/host"
)

// Budgets of one batch, in the steady state: the process knows its keys and has
// counted the board within 10 s. Each row fails when one command more is spent.
func TestBatchesStayWithinTheirBudgets(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		n := 0
		batch := func(size int, modes ...string) []host.QueueMessage {
			messages := make([]host.QueueMessage, size)
			for i := range messages {
				n++
				sub := k.play(n%3000, modes[i%len(modes)], fmt.Sprintf("p%d", n), game.Score(n%20))
				sub.Idempotency.ID += fmt.Sprint("-", n)
				messages[i] = message(t, n, sub)
			}
			return messages
		}
		in := k.ingest()
		for _, mode := range modes {
			for range 2 { // the first sees to the board, the next tells others
				_, err := in.Take(t.Context(), batch(2, mode))
				require.NoError(t, err)
			}
		}
		for _, row := range []struct {
			name                 string
			messages             []host.QueueMessage
			commands, roundTrips int64
		}{
			{"500 on one board", batch(500, "golf"), 3, 1},
			{"500 on one board, with details", batch(500, "first"), 4, 1},
			{"1,000 on one board, with details", batch(1000, "best"), 4, 1},
			{"500 on four boards, with details", batch(500, "golf", "first", "best", "latest"), 3 + 3*4, 1},
			{"10 sums", batch(10, "coins"), 10 * 4, 10},
		} {
			t.Run(row.name, func(t *testing.T) {
				meter := k.Client.Meter().Usage()
				stats := k.ran(t)
				failed, err := in.Take(t.Context(), row.messages)
				require.NoError(t, err)
				require.Empty(t, failed)
				spent := k.Client.Meter().Usage()
				require.Equal(t, row.commands, spent.Commands-meter.Commands, "billed commands")
				require.Equal(t, row.roundTrips, spent.RoundTrips-meter.RoundTrips, "round trips")
				require.Equal(t, row.commands, k.ran(t)-stats, "the meter and Redis itself disagree")
				again := k.Client.Meter().Usage()
				_, err = in.Take(t.Context(), row.messages)
				require.NoError(t, err)
				require.LessOrEqual(t, k.Client.Meter().Usage().Commands-again.Commands, 2*row.commands, "a batch that comes again")
			})
		}
	})
}

// ran is how many commands Redis itself has run, but for asking.
func (k *kit) ran(tb testing.TB) (n int64) {
	tb.Helper()
	stats, err := k.Server.Redis().CommandStats(tb.Context())
	require.NoError(tb, err)
	for name, calls := range stats {
		if name != "info" {
			n += calls
		}
	}
	return n
}
