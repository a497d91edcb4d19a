package jobs_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/platform/auth"
	"github.com/framedle/leaderboards/internal/platform/usage"
	"github.com/framedle/leaderboards/internal/product/app"
	"github.com/framedle/leaderboards/internal/product/jobs"
	"github.com/framedle/leaderboards/upstash"
)

const operatorsToken = "a-token-of-the-operator-with-32-characters"

// account is Upstash's API for managing accounts, with one database.
func account(t *testing.T, answer func() (status int, body string)) *usage.Client {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if email, key, _ := r.BasicAuth(); email != "ana@example.com" || key != "k" || r.URL.Path != "/redis/stats/db" {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		status, body := answer()
		w.WriteHeader(status)
		_, _ = w.Write([]byte(body))
	}))
	t.Cleanup(server.Close)
	client, err := usage.NewBill(usage.Config{URL: server.URL, Email: "ana@example.com", Key: "k", Database: "db"})
	require.NoError(t, err)
	return client
}

// watched is a product whose log and metrics can be read.
type watched struct {
	*product
	log, lines bytes.Buffer
}

func newWatched(t *testing.T) *watched {
	p := &watched{product: newProduct(t)}
	operator, err := auth.NewOperators(operatorsToken)
	require.NoError(t, err)
	p.app = app.New(app.Parts{
		Game: p.app.Game(), Redis: p.app.Redis(), Now: p.app.Now, Log: slog.New(slog.NewJSONHandler(&p.log, nil)), Operators: operator, Plan: 2_000_000,
	})
	return p
}

// run runs cron-usage as a host does.
func (p *watched) run(t *testing.T, b jobs.Bill) (any, error) {
	t.Helper()
	p.log.Reset()
	p.lines.Reset()
	watch := usage.New(usage.Options{Function: "cron-usage", Now: p.app.Now, Lines: &p.lines})
	return watch.Scheduled(jobs.New(p.app, p.history).CheckUsage(b))(context.Background(), p.app.Now())
}

func (p *watched) metric(t *testing.T, name string) any {
	t.Helper()
	var line map[string]any
	require.NoError(t, json.Unmarshal(p.lines.Bytes(), &line))
	return line[name]
}

func TestDaysThatDriftAreReportedEverywhere(t *testing.T) {
	p := newWatched(t)
	today := game.DateOf(p.app.Now())
	counted := func(ago int, commands int64) {
		_, err := p.app.Redis().Do(context.Background(), upstash.Cmd("HSET", usage.Key(today.AddDays(-ago)), "submit:p", usage.Count{Calls: 1, Commands: commands}.String()))
		require.NoError(t, err)
	}
	counted(2, 10_000)
	counted(1, 9_000) // one in ten is missing
	counted(3, 900)
	point := func(ago int, commands int64) string {
		return fmt.Sprintf(`{"x":"%s 15:12:52.799480932 +0000 UTC","y":%d}`, today.AddDays(-ago), commands)
	}
	stats := `{"dailyrequests":[` + point(3, 300) + "," + point(2, 10_300) + "," + point(1, 10_000) + "," + point(0, 70_000) + `]}`
	result, err := p.run(t, account(t, func() (int, string) { return 200, stats }))
	require.NoError(t, err)
	text, err := json.Marshal(result)
	require.NoError(t, err)
	require.JSONEq(t, `{"checked": [
		{"date": "2026-11-07", "counted": 900, "upstash": 300},
		{"date": "2026-11-08", "counted": 10000, "upstash": 10300, "drift": -0.0291},
		{"date": "2026-11-09", "counted": 9000, "upstash": 10000, "drift": -0.1}]}`, string(text))
	require.InDelta(t, 10, p.metric(t, "Drift"), 1e-9, "the newest day's, in percent")
	require.EqualValues(t, 5, p.metric(t, "Commands"), "four days of counters, and how the run ended")
	require.EqualValues(t, 5, p.metric(t, "Queries"), "two reads, and a write for each of three days")
	require.Contains(t, p.log.String(), `"level":"WARN"`)
	require.Contains(t, p.log.String(), `"date":"2026-11-09","counted":9000,"upstash":10000,"drift":-0.1`)
	require.NotContains(t, p.log.String(), "2026-11-08")

	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/v1/ops/usage?days=3", nil)
	r.Header.Set("Authorization", "Bearer "+operatorsToken)
	w := httptest.NewRecorder()
	jobs.NewProduct(p.app, p.history).Function("ops", jobs.Around{}).ServeHTTP(w, r)
	require.Equal(t, http.StatusOK, w.Code, w.Body)
	var answer struct {
		Days []struct {
			Upstash *int64
			Drift   *float64
			Drifts  bool
		}
		Plan struct{ Commands int64 }
	}
	require.NoError(t, json.Unmarshal(w.Body.Bytes(), &answer))
	require.EqualValues(t, 10_300, *answer.Days[0].Upstash)
	require.False(t, answer.Days[0].Drifts)
	require.EqualValues(t, 10_000, *answer.Days[1].Upstash)
	require.InDelta(t, -0.1, *answer.Days[1].Drift, 1e-9)
	require.True(t, answer.Days[1].Drifts)
	require.Nil(t, answer.Days[2].Upstash)
	require.EqualValues(t, 2_000_000, answer.Plan.Commands)

	counted(1, 10_000) // a late process
	_, err = p.run(t, account(t, func() (int, string) { return 200, stats }))
	require.NoError(t, err)
	require.Zero(t, p.metric(t, "Drift"))
	require.Empty(t, p.log.String())
}

func TestWithoutCredentialsNothingIsComparedAndThatIsSaid(t *testing.T) {
	p := newWatched(t)
	result, err := p.run(t, nil)
	require.NoError(t, err)
	text, err := json.Marshal(result)
	require.NoError(t, err)
	require.JSONEq(t, `{"skipped": "UPSTASH_EMAIL, UPSTASH_API_KEY and UPSTASH_DATABASE_ID are not set", "checked": []}`, string(text))
	require.EqualValues(t, 0, p.metric(t, "Commands"))
	require.Nil(t, p.metric(t, "Drift"))
}

func TestAnUpstashThatDoesNotAnswerFailsTheRunAndKeepsNothing(t *testing.T) {
	p := newWatched(t)
	for _, answer := range []struct {
		status int
		body   string
		says   string
	}{
		{429, "", "status 429"}, {500, "", "status 500"}, {401, "", "rejected (401)"}, {200, "{}", "no dailyrequests"},
	} {
		_, err := p.run(t, account(t, func() (int, string) { return answer.status, answer.body }))
		require.ErrorContains(t, err, "cron-usage: read Upstash's statistics: ")
		require.ErrorContains(t, err, answer.says)
		require.EqualValues(t, 1, p.metric(t, "Commands"), "Redis is told how the run ended, and not asked for what cannot be compared")
		require.Nil(t, p.metric(t, "Drift"))
	}
	checks, err := p.history.Usage.Checks(context.Background(), game.DateOf(p.now.Add(-24*time.Hour)), game.DateOf(p.now))
	require.NoError(t, err)
	require.Empty(t, checks)
}
