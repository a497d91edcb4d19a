package api_test

import (
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/feature/live"
)

// Subscribers of AppSync Events are told of a score while it is written, of a batch once for
// each board, and of no refused score. Whatever becomes of that, the score gets its usual
// answer at the usual cost.
func TestAScoreIsToldOfWhileItIsWritten(t *testing.T) {
	var mu sync.Mutex
	var told []string
	fails := false
	events := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		var asked struct{ Channel string }
		if json.NewDecoder(r.Body).Decode(&asked) != nil || fails {
			w.WriteHeader(http.StatusInternalServerError)
			return
		}
		told = append(told, asked.Channel)
		_, _ = w.Write([]byte(`{"failed":[],"successful":[]}`))
	}))
	t.Cleanup(events.Close)
	taken := func() []string {
		mu.Lock()
		defer mu.Unlock()
		return told
	}
	s := newStack(t)
	var err error
	s.events, err = live.NewAppSync(live.AppSyncOptions{URL: events.URL, Key: "da2-key", Now: s.clock.Now, Log: slog.New(slog.DiscardHandler), Patience: time.Minute})
	require.NoError(t, err)
	s.handler = s.process()

	const batch = `{"scores":[{"mode":"daily","player":"user_b","score":5},{"mode":"daily","player":"user_c","score":6}]}`
	s.play("user_a", "daily", "100")
	require.Equal(t, []string{"boards/daily"}, taken())
	require.Equal(t, http.StatusBadRequest, s.do(s.as("user_a", post("/v1/scores", `{"mode":"daily","score":"x"}`))).status)
	require.Len(t, taken(), 1)
	s.clock.Pass(time.Second)
	a := s.do(post("/v1/scores/batch", batch).signed())
	require.Equal(t, http.StatusOK, a.status, string(a.body))
	require.Len(t, taken(), 2)

	s.clock.Pass(time.Second)
	mu.Lock()
	fails = true
	mu.Unlock()
	spent := func(s *stack) []int64 {
		commands, trips := testkit.Spent(s.client.Meter(), func() { s.play("user_d", "daily", "100") })
		return []int64{commands, trips}
	}
	alone := newStack(t)
	alone.play("user_a", "daily", "100")
	alone.clock.Pass(time.Second)
	require.Equal(t, http.StatusOK, alone.do(post("/v1/scores/batch", batch).signed()).status)
	alone.clock.Pass(time.Second)
	require.Equal(t, spent(alone), spent(s))
}
