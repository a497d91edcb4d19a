package local_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/local"
	"github.com/framedle/leaderboards/upstash/upstashtest"
)

func queued(t *testing.T, window time.Duration) (*client, *local.Product, *log) {
	t.Helper()
	o, lines := options(t), &log{}
	o.Queue, o.QueueWindow, o.Log = true, window, lines
	p, err := local.Start(t.Context(), o)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, p.Close()) })
	return &client{t, p.URL}, p, lines
}

func TestAQueuedScoreIsVisibleWithinTheWindow(t *testing.T) {
	c, _, _ := queued(t, 10*time.Millisecond)
	ana := c.token("user_ana")
	status, answer := c.do("POST", "/v1/scores", `{"mode":"daily_frame","score":600}`, ana)
	require.Equal(t, 202, status)
	require.Equal(t, "queued", answer["status"])
	require.Eventually(t, func() bool {
		status, _ := c.do("GET", "/v1/leaderboards/daily_frame/players/user_ana", "", nil)
		return status == 200
	}, time.Minute, 5*time.Millisecond)
	_, usage := c.do("GET", "/_local/usage", "", nil)
	require.Zero(t, usage["by_function"].(map[string]any)["enqueue"].(map[string]any)["commands"])
	require.NotZero(t, usage["by_function"].(map[string]any)["ingest"].(map[string]any)["commands"])
	status, answer = c.do("GET", "/_local/queue", "", nil)
	require.Equal(t, 200, status)
	require.Equal(t, map[string]any{"waiting": 0.0, "dead_letters": []any{}}, answer)
}

func TestWhatIsQueuedIsWrittenAtTheEnd(t *testing.T) {
	c, p, lines := queued(t, time.Hour)
	ana := c.token("user_ana")
	written := make(chan struct{}, 100)
	status, _ := c.do("POST", "/v1/scores", `{"mode":"daily_frame","score":600}`, ana)
	require.Equal(t, 202, status)
	_, answer := c.do("GET", "/_local/queue", "", nil)
	require.EqualValues(t, 1, answer["waiting"])
	p.Upstash.Inject(func(upstashtest.Request) upstashtest.Fault { written <- struct{}{}; return upstashtest.Fault{} })
	require.NoError(t, p.Close())
	require.NotEmpty(t, written)
	require.False(t, strings.Contains(lines.String(), "lost"), lines)
}

func TestWithoutAQueueThereIsNoneToLookAt(t *testing.T) {
	c, _ := start(t)
	status, _ := c.do("GET", "/_local/queue", "", nil)
	require.Equal(t, 404, status)
}
