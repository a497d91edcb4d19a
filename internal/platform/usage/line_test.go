package usage_test

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/platform/trace"
	"github.com/framedle/leaderboards/internal/platform/usage"
)

// Whatever a call has cost, its line is JSON of at most 300 bytes that has what an operator
// asks for first, and every number in it is the one that was counted.
func TestALineFitsWhateverACallHasCost(t *testing.T) {
	_, client := connect(t)
	rapid.Check(t, func(rt *rapid.T) {
		now := testkit.Still(noon.Add(time.Duration(rapid.Int64Range(0, 1e18).Draw(rt, "later"))))
		var out bytes.Buffer
		watch := usage.New(usage.Options{Function: "leaderboard", Now: now.Now, Lines: &out})
		most := int64(1) << rapid.IntRange(0, 50).Draw(rt, "bits")
		number := func(label string) int64 { return rapid.Int64Range(0, most).Draw(rt, label) }
		accepted, queries, rows, spent := number("accepted"), number("queries"), number("rows"), rapid.IntRange(0, 50).Draw(rt, "commands")
		drift, problem := rapid.Float64Range(0, 1).Draw(rt, "drift"), rapid.Bool().Draw(rt, "problem")
		took := time.Duration(rapid.Int64Range(0, int64(15*time.Minute)).Draw(rt, "took"))
		id := rapid.SampledFrom([]string{"", "JKJaXmPLvHcESHA=", "0123456789abcdef0123456789abcdef", "d5d410e5-7406-5a1b-888e-4aa7492a313d", strings.Repeat("x", 500)}).Draw(rt, "id")
		mux := http.NewServeMux()
		mux.HandleFunc("GET /v1/leaderboards/{mode}/players/{player}", func(w http.ResponseWriter, r *http.Request) {
			now.Pass(took)
			require.NoError(rt, spend(r.Context(), client, spent))
			usage.Accepted(r.Context(), int(accepted))
			trace.AddQueries(r.Context(), queries, rows)
			if problem {
				usage.ReportProblem(r.Context())
				usage.ReportDrift(r.Context(), drift)
			}
			w.Header().Set("Idempotency-Replayed", "true")
			w.WriteHeader(http.StatusServiceUnavailable)
		})
		r := httptest.NewRequestWithContext(context.Background(), "GET", "/v1/leaderboards/a/players/b", nil)
		r.Header.Set("X-Request-Id", id)
		watch.Handler(mux).ServeHTTP(httptest.NewRecorder(), r)
		require.LessOrEqual(rt, out.Len(), 300, out.String())
		require.Equal(rt, 1, strings.Count(out.String(), "\n"))

		var line map[string]any
		require.NoError(rt, json.Unmarshal(out.Bytes(), &line), out.String())
		at, err := time.Parse(time.RFC3339, line["timestamp"].(string))
		require.NoError(rt, err)
		require.WithinDuration(rt, now.Now(), at, time.Millisecond)
		want := map[string]any{
			"Function": "leaderboard", "Route": "GET /v1/leaderboards/{mode}/players/{player}", "Status": 503.0,
			"Commands": float64(spent), "Duration": float64(took.Microseconds()) / 1000,
		}
		for name, value := range want {
			require.Equal(rt, value, line[name], name)
		}
		if id != "" && len(id) <= 36 {
			require.Equal(rt, id, line["request_id"])
		}
		for name, value := range map[string]int64{"Accepted": accepted, "Queries": queries, "Rows": rows} {
			if answer, is := line[name]; is {
				require.Equal(rt, float64(value), answer, name)
			}
		}
	})
}

// What a month of lines weighs: the usual ones are much shorter.
func TestAUsualLineIsShort(t *testing.T) {
	for line := range bytes.Lines(lines(t, false)) {
		require.Less(t, len(line), 230, "%s", line)
	}
}
