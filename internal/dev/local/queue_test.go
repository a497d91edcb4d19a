package local_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/dev/local"
	"github.com/framedle/leaderboards/internal/feature/queue"
	"github.com/framedle/leaderboards/internal/platform/host"
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

func TestTheStatusCountsDeadScores(t *testing.T) {
	c, p, _ := queued(t, 10*time.Millisecond)
	operator := map[string]string{"Authorization": "Bearer " + p.Secrets.OpsToken}
	_, got := c.do("GET", "/v1/ops/dead-letters", "", operator)
	require.Equal(t, map[string]any{"failed_runs": nil, "queued_scores": map[string]any{"count": 0.0, "redrive": true, "samples": []any{}}}, got)
	status, got := c.do("POST", "/v1/ops/dead-letters/redrive", "", operator)
	require.Equal(t, 202, status)
	require.Equal(t, map[string]any{"sent_back": 0.0}, got)
	_, answer := c.do("GET", "/v1/ops/status", "", map[string]string{"Authorization": "Bearer " + p.Secrets.OpsToken})
	require.Equal(t, map[string]any{"failed_runs": nil, "queued_scores": 0.0}, answer["dead_letters"])

	q := queue.New(queue.Options{
		Batch: 1, Window: time.Millisecond, Visibility: time.Minute, MaxReceives: 1, Capacity: 10,
		Take: func(context.Context, []host.QueueMessage) ([]string, error) { return nil, errors.New("not now") },
	})
	require.NoError(t, q.Send(t.Context(), "a"))
	require.NoError(t, q.Send(t.Context(), "b"))
	over, cancel := context.WithCancel(t.Context())
	cancel()
	q.Run(over) // takes what is there, and ends
	dead := local.DeadLettersOf(q).Scores
	n, err := dead.Waiting(t.Context())
	require.NoError(t, err)
	require.EqualValues(t, 2, n)
	letters, err := dead.Look(t.Context())
	require.NoError(t, err)
	require.Len(t, letters, 2)
	require.Equal(t, "a", letters[0].Body)
	require.Equal(t, 1, letters[0].Receives)
	require.WithinDuration(t, time.Now(), letters[0].Sent, time.Hour)
	n, err = dead.Waiting(t.Context())
	require.NoError(t, err)
	require.EqualValues(t, 2, n, "a look takes nothing")
	require.NoError(t, dead.Redrive(t.Context()))
	n, err = dead.Waiting(t.Context())
	require.NoError(t, err)
	require.Zero(t, n)
	require.Equal(t, 2, q.Waiting())
}

func TestWithoutAQueueNoDeadScoresAreCounted(t *testing.T) {
	c, p := start(t)
	_, answer := c.do("GET", "/v1/ops/status", "", map[string]string{"Authorization": "Bearer " + p.Secrets.OpsToken})
	require.Equal(t, map[string]any{"failed_runs": nil, "queued_scores": nil}, answer["dead_letters"])
	require.Equal(t, "closed", answer["redis"].(map[string]any)["circuit"])
}
