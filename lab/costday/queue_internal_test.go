package costday

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/platform/host"
	"github.com/framedle/leaderboards/lab/stage"
)

func TestTwoBatchesGatherUntilTheirWindowsEnd(t *testing.T) {
	c := &stage.Clock{}
	var written [][]string
	q := newQueue(20*time.Second, 3, c.Now)
	q.take = func(_ context.Context, messages []host.QueueMessage) error {
		var bodies []string
		for _, m := range messages {
			bodies = append(bodies, m.Body)
		}
		written = append(written, bodies)
		return nil
	}
	send := func(second int, bodies ...string) {
		c.Forward(time.Unix(int64(second), 0))
		for _, body := range bodies {
			require.NoError(t, q.Send(t.Context(), body))
		}
	}
	deliver := func(second int) [][]string {
		c.Forward(time.Unix(int64(second), 0))
		written = nil
		for at, do := q.next(); do != nil && !at.After(c.Now()); at, do = q.next() {
			require.NoError(t, do(t.Context()))
		}
		return written
	}
	send(10, "a")
	send(15, "b", "c")
	require.Empty(t, deliver(29))
	require.Equal(t, [][]string{{"a", "c"}}, deliver(31), "20 s after its first message")
	require.Equal(t, [][]string{{"b"}}, deliver(36))
	require.Empty(t, deliver(100))
	send(100, "d", "e", "f", "g", "h")
	require.Equal(t, [][]string{{"d", "f", "h"}}, deliver(101), "a full batch does not wait")
	require.Equal(t, [][]string{{"e", "g"}}, deliver(121))
}

func TestPlayersLookForTheirStandingWhenItIsWritten(t *testing.T) {
	const window = time.Minute
	played := map[int]time.Duration{}
	for _, e := range waiting(plan(60, byDay, newRand(1, 0)), window) {
		switch e.act {
		case submits:
			if e.mode == firstMode {
				played[e.player] = e.at
			}
		case looksAround, looksAtFriends, looksAtWeek:
			require.Greater(t, e.at-played[e.player], window)
		}
	}
}
