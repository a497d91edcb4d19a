package local_test

import (
	"bytes"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/dev/local"
	"github.com/framedle/leaderboards/internal/gamefile"
)

// syncLog is what the product logs.
type syncLog struct {
	mu  sync.Mutex
	all bytes.Buffer
}

func (l *syncLog) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.all.Write(p)
}
func (l *syncLog) text() string { l.mu.Lock(); defer l.mu.Unlock(); return l.all.String() }

// A small budget, a busy day: answers get plainer and say so, it is logged once for
// each change and told to the operator, no score is refused, and the next day begins
// anew. Redis has run what the meters say.
func TestAProductLivesWithinItsBudgetByItself(t *testing.T) {
	g, err := gamefile.Parse("g.yaml", []byte("name: g\nbudget: {month: 150000}\nlimits: {boards: {ip: off}}\nmodes: {daily: {max: 1000, details: true}}\n"))
	require.NoError(t, err)
	var log syncLog
	p, err := local.Start(t.Context(), local.Options{Addr: "127.0.0.1:0", Redis: local.RedisEmbedded, Game: g, Counters: true, Log: &log})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, p.Close()) })
	c := &client{t, p.URL}
	// Others have spent 2,000 of the 3,125 commands that the day may cost by noon.
	_, err = p.Upstash.Redis().Do(t.Context(), "HSET", "usage:month:2026-11", "2026-11-01", "2000")
	require.NoError(t, err)
	degraded := func(path string) string {
		r, err := http.NewRequestWithContext(t.Context(), "GET", p.URL+path, nil)
		require.NoError(t, err)
		res, err := http.DefaultClient.Do(r)
		require.NoError(t, err)
		require.NoError(t, res.Body.Close())
		require.Equal(t, http.StatusOK, res.StatusCode)
		return res.Header.Get("Framedle-Degraded")
	}
	played := 0
	play := func(players int) {
		for range players {
			played++
			status, answer := c.do("POST", "/v1/scores", `{"mode":"daily","score":500}`, c.token(fmt.Sprintf("user_%d", played)))
			require.Equal(t, http.StatusCreated, status, answer)
			require.EqualValues(t, played, answer["rank"])
		}
	}
	var seen []string
	for minute := 0; minute < 84; minute += 6 {
		c.clock(fmt.Sprintf("2026-11-01T%02d:%02d:00Z", 12+minute/60, minute%60))
		play(40)
		seen = append(seen, degraded("/v1/leaderboards/daily?period=week")+" | "+degraded("/v1/leaderboards/daily/players/user_1"))
	}
	const none = " | "
	require.Equal(t, []string{none, "caches | ", "caches, refresh | ", "caches, refresh | features"}, slices.Compact(seen))
	_, got := c.do("GET", "/v1/ops/usage?days=1", "", map[string]string{"Authorization": "Bearer " + p.Secrets.OpsToken})
	require.Equal(t, []any{"caches", "refresh", "features"}, got["budget"].(map[string]any)["degraded"])
	const changed = "the degradation of the budget has changed"
	changes := strings.Count(log.text(), changed)
	require.GreaterOrEqual(t, changes, 3)
	require.LessOrEqual(t, changes, 84/5, "they are judged every 5 minutes")

	c.clock("2026-11-02T00:00:01Z")
	require.Equal(t, none, degraded("/v1/leaderboards/daily?period=week")+" | "+degraded("/v1/leaderboards/daily/players/user_1?date=2026-11-01"))
	require.Equal(t, changes+1, strings.Count(log.text(), changed))

	billed, err := p.Upstash.Usage(t.Context())
	require.NoError(t, err)
	require.Equal(t, billed.Commands, p.Usage().Commands)
}
