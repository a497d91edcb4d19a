package main

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestWhoSpendsIsPrintedBesideTheDaysBefore(t *testing.T) {
	product := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Query().Get("by") == "route" {
			_, _ = w.Write([]byte(`{"days": [{"date": "2026-11-12", "commands": 3, "by_function": {}, "by_route": {"POST /v1/scores": {"budget": 4, "calls": 2, "commands": 3, "round_trips": 1}}}]}`))
			return
		}
		require.Equal(t, "/v1/ops/usage?by=caller&days=4", r.URL.String())
		_, _ = w.Write([]byte(`{"days": [
			{"date": "2026-11-09", "commands": 0, "by_function": {}, "by_caller": {}},
			{"date": "2026-11-10", "commands": 1000, "by_function": {}, "by_caller": {"player": {"calls": 400, "commands": 1000, "round_trips": 500}}},
			{"date": "2026-11-11", "commands": 1200, "by_function": {}, "by_caller": {"player": {"calls": 480, "commands": 1100, "round_trips": 500}, "anonymous": {"calls": 9, "commands": 100, "round_trips": 9}}},
			{"date": "2026-11-12", "commands": 4000, "by_function": {}, "by_caller": {"player": {"calls": 500, "commands": 1050, "round_trips": 600}, "server 1a2b3c4d": {"calls": 1475, "commands": 2950, "round_trips": 1475}}}]}`))
	}))
	t.Cleanup(product.Close)
	env := map[string]string{"LEADERBOARDS_URL": product.URL, "OPS_TOKEN": "token"}
	status, out := lbctl(t, env, "usage", "--days", "4", "--by", "caller")
	require.Equal(t, statusGood, status, out.stderr.String())
	require.Equal(t, `  before  2026-11-12        calls  per call  round trips  caller
       0       2,950        1,475      2.00        1,475  server 1a2b3c4d
   1,050       1,050  1.0x    500      2.10          600  player
      50           0  0.0x      0                      0  anonymous
   1,100       4,000  3.6x  1,975      2.03        2,075  all
`, out.stdout.String())

	status, out = lbctl(t, env, "usage", "--days", "1", "--by", "route")
	require.Equal(t, statusGood, status, out.stderr.String())
	require.Equal(t, `  before  2026-11-12    calls  per call  budget  round trips  route
                   3        2      1.50       4            1  POST /v1/scores
                   3        2      1.50                    1  all
`, out.stdout.String())
}

func TestWhoSpendsOnAProductThatIsNew(t *testing.T) {
	product := localProduct(t)
	for by, want := range map[string]string{"function": "  function\n", "route": "  route\n", "schedule": "  schedule\n", "caller": "  caller\n"} {
		status, out := lbctl(t, nil, "usage", "--url", product.URL, "--by", by)
		require.Equal(t, statusGood, status, out.stderr.String())
		require.Contains(t, out.stdout.String(), want)
	}
	status, out := lbctl(t, nil, "usage", "--url", product.URL, "--by", "player")
	require.Equal(t, statusFailed, status)
	require.Contains(t, out.stderr.String(), "?by: this must be one of function, route, caller, schedule")
}
