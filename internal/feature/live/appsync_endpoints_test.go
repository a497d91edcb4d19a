package live_test

import (
	"github.com/framedle/leaderboards/internal/dev/apitest"

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
	var answer []string
	fails := false
	events := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		var asked struct{ Channel string }
		if json.NewDecoder(r.Body).Decode(&asked) != nil || fails {
			w.WriteHeader(http.StatusInternalServerError)
			return
		}
		answer = append(answer, asked.Channel)
		_, _ = w.Write([]byte(`{"failed":[],"successful":[]}`))
	}))
	t.Cleanup(events.Close)
	taken := func() []string {
		mu.Lock()
		defer mu.Unlock()
		return answer
	}
	s := apitest.NewStack(t)
	var err error
	s.Events, err = live.NewAppSync(live.AppSyncOptions{URL: events.URL, Key: "da2-key", Now: s.Clock.Now, Log: slog.New(slog.DiscardHandler), Patience: time.Minute})
	require.NoError(t, err)
	s.Handler = s.Process()

	const batch = `{"scores":[{"mode":"daily","player":"user_b","score":5},{"mode":"daily","player":"user_c","score":6}]}`
	s.Play("user_a", "daily", "100")
	require.Equal(t, []string{"boards/daily"}, taken())
	require.Equal(t, http.StatusBadRequest, s.Do(s.As("user_a", apitest.Post("/v1/scores", `{"mode":"daily","score":"x"}`))).Status)
	require.Len(t, taken(), 1)
	s.Clock.Pass(time.Second)
	a := s.Do(apitest.Post("/v1/scores/batch", batch).Signed())
	require.Equal(t, http.StatusOK, a.Status, string(a.Body))
	require.Len(t, taken(), 2)

	s.Clock.Pass(time.Second)
	mu.Lock()
	fails = true
	mu.Unlock()
	spent := func(s *apitest.Stack) []int64 {
		commands, trips := testkit.Spent(s.Client.Meter(), func() { s.Play("user_d", "daily", "100") })
		return []int64{commands, trips}
	}
	alone := apitest.NewStack(t)
	alone.Play("user_a", "daily", "100")
	alone.Clock.Pass(time.Second)
	require.Equal(t, http.StatusOK, alone.Do(apitest.Post("/v1/scores/batch", batch).Signed()).Status)
	alone.Clock.Pass(time.Second)
	require.Equal(t, spent(alone), spent(s))
}
