package usage_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"net/http"
	"net/http/httptest"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/platform/trace"
	"github.com/framedle/leaderboards/internal/platform/usage"
)

var update = flag.Bool("update", false, "write the golden files anew")

// lines serves one request of each kind, and runs a schedule, over a watch that
// writes lines.
func lines(t *testing.T, detail bool) []byte {
	_, client := connect(t)
	now := testkit.Still(noon)
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/scores", func(w http.ResponseWriter, r *http.Request) {
		now.Pass(12345 * time.Microsecond)
		if err := spend(r.Context(), client, 2); err != nil {
			t.Error(err)
		}
		usage.Accepted(r.Context(), 3)
		trace.AddQueries(r.Context(), 2, 100)
		w.WriteHeader(http.StatusCreated)
	})
	mux.HandleFunc("GET /v1/leaderboards/{mode}", func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusTooManyRequests)
	})
	mux.HandleFunc("PUT /v1/x", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Idempotency-Replayed", "true")
		_, _ = w.Write([]byte("{}"))
	})
	mux.HandleFunc("DELETE /v1/x", func(http.ResponseWriter, *http.Request) { panic("a fault") })
	var out bytes.Buffer
	watch := usage.New(usage.Options{Function: "submit", Now: now.Now, Lines: &out, Detail: detail})
	h := watch.Handler(mux)
	for _, target := range []struct{ method, path string }{
		{"POST", "/v1/scores"}, {"POST", "/v1/scores"}, {"GET", "/v1/leaderboards/daily"}, {"PUT", "/v1/x"}, {"GET", "/nothing"},
	} {
		r := httptest.NewRequestWithContext(t.Context(), target.method, target.path, nil)
		r.Header.Set("X-Request-Id", "JKJaXmPLvHcESHA=")
		h.ServeHTTP(httptest.NewRecorder(), r)
	}
	require.PanicsWithValue(t, "a fault", func() {
		h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequestWithContext(t.Context(), "DELETE", "/v1/x", nil))
	})
	run := watch.Scheduled(func(ctx context.Context, _ time.Time) (any, error) {
		now.Pass(time.Minute)
		usage.ReportDrift(ctx, -0.0625)
		return 7, errors.Join(spend(ctx, client, 3), errors.New("and then it failed"))
	})
	result, err := run(t.Context(), noon)
	require.Equal(t, 7, result)
	require.EqualError(t, err, "and then it failed")
	return out.Bytes()
}

func TestLinesAreWhatTheyWere(t *testing.T) {
	for golden, detail := range map[string]bool{"testdata/lines.jsonl": false, "testdata/lines_full.jsonl": true} {
		got := lines(t, detail)
		if *update {
			require.NoError(t, os.WriteFile(golden, got, 0o644))
		}
		want, err := os.ReadFile(golden)
		require.NoError(t, err)
		require.Equal(t, string(want), string(got))
	}
}

// What CloudWatch asks of a line of embedded metric format.
func TestEachLineHasWhatItDeclares(t *testing.T) {
	all := bytes.SplitAfter(bytes.TrimSpace(lines(t, true)), []byte("\n"))
	require.Len(t, all, 7)
	units := map[string]bool{"Count": true, "Bytes": true, "Milliseconds": true, "Percent": true}
	for _, line := range all {
		var members map[string]any
		require.NoError(t, json.Unmarshal(line, &members), "%s", line)
		var meta struct {
			Timestamp         int64
			CloudWatchMetrics []struct {
				Namespace  string
				Dimensions [][]string
				Metrics    []struct{ Name, Unit string }
			}
		}
		text, err := json.Marshal(members["_aws"])
		require.NoError(t, err)
		decoder := json.NewDecoder(bytes.NewReader(text))
		decoder.DisallowUnknownFields()
		require.NoError(t, decoder.Decode(&meta))
		require.WithinDuration(t, noon, time.UnixMilli(meta.Timestamp), 2*time.Minute)
		require.Len(t, meta.CloudWatchMetrics, 2)
		declared := map[string]bool{"_aws": true, "Status": true, "request_id": true, "Accepted": true, "Drift": true}
		for _, directive := range meta.CloudWatchMetrics {
			require.Equal(t, usage.Namespace, directive.Namespace)
			for _, set := range directive.Dimensions {
				for _, name := range set {
					declared[name] = true
					require.NotEmpty(t, members[name], name)
				}
			}
			for _, m := range directive.Metrics {
				declared[m.Name] = true
				require.True(t, units[m.Unit], m.Unit)
				require.IsType(t, 0.0, members[m.Name], m.Name)
			}
		}
		for name := range members {
			require.True(t, declared[name], "%s is there and not declared", name)
		}
	}
}

func BenchmarkWatch(b *testing.B) {
	_, client := connect(b)
	nothing := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusOK) })
	var out bytes.Buffer
	h := usage.New(usage.Options{
		Function: "submit", Now: time.Now, Lines: &out, Metrics: &lastLevel{},
		Counters: usage.NewCounters(client, "submit", "p"),
	}).Handler(nothing)
	r := httptest.NewRequestWithContext(b.Context(), "GET", "/", nil)
	w := httptest.NewRecorder()
	b.ReportAllocs()
	for b.Loop() {
		out.Reset()
		h.ServeHTTP(w, r)
	}
}
