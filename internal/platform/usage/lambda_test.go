package usage_test

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/platform/trace"
	"github.com/framedle/leaderboards/internal/platform/usage"
	"github.com/framedle/leaderboards/upstash"
)

// What AWS bills is written along with the counts, by the same command.
func TestWhatLambdaBillsIsCountedWithTheRest(t *testing.T) {
	server, client := connect(t)
	now := testkit.Still(noon)
	var lines bytes.Buffer
	commands := int64(0)
	for _, process := range []string{"p1", "p2"} {
		watch := usage.New(usage.Options{Function: "submit", Now: now.Now, Lines: &lines, MemoryMB: 256, Counters: usage.NewCounters(client, "submit", process)})
		h := watch.Handler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			now.Pass(2500 * time.Microsecond)
			require.NoError(t, spend(r.Context(), client, 1))
			trace.AddQueries(r.Context(), 1, 1)
			_, _ = w.Write([]byte("0123456789"))
		}))
		for range 10 {
			h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequestWithContext(t.Context(), "GET", "/", nil))
		}
		var meter upstash.Meter
		require.NoError(t, watch.Counters.Write(upstash.WithMeter(t.Context(), &meter)))
		commands += meter.Usage().Commands
	}
	require.EqualValues(t, 2, commands, "one for each process, as without")
	want := map[string]usage.Lambda{"submit": {
		Calls: 20, Requests: 20, Milliseconds: 60, Memory: 60 * 256, ColdStarts: 2, Logged: int64(lines.Len()), Answered: 200, Awake: 20,
	}}
	require.Equal(t, want, readToday(t, t.Context(), client).Lambda)

	// A later version may say more; what is no such record is refused.
	hset := func(value string) {
		_, err := server.Redis().Do(t.Context(), "HSET", usage.Key(today), "me:p3:lambda", value)
		require.NoError(t, err)
	}
	hset("1 2 3 4 5 6 7 8 9")
	want["me"] = usage.Lambda{Calls: 1, Requests: 2, Milliseconds: 3, Memory: 4, ColdStarts: 5, Logged: 6, Answered: 7, Awake: 8}
	require.Equal(t, want, readToday(t, t.Context(), client).Lambda)
	for _, bad := range []string{"", "1 2 3", "1 2 3 4 5 6 7", "1 2 3 4 5 6 7 -8", "1 2 3 4 5 6 7 x"} {
		hset(bad)
		_, err := usage.NewLedger(client, nil).Days(t.Context(), today, today)
		require.Error(t, err, bad)
	}
}

// Elsewhere than on Lambda nothing of it is written.
func TestOnlyLambdaIsToldOfLambda(t *testing.T) {
	_, client := connect(t)
	f := newFunction(client, testkit.Still(noon), "submit", "p")
	f.call(t, t.Context(), 120, 200)
	require.Nil(t, readToday(t, t.Context(), client).Lambda)
}
