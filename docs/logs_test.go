package docs_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/dev/local"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/platform/usage"
	"github.com/framedle/leaderboards/internal/product/app"
	"github.com/framedle/leaderboards/upstash/upstashtest"
)

// lines are what a product has logged so far.
type lines struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.Write(p)
}

// read is every line, as CloudWatch finds its fields.
func (l *lines) read(t *testing.T) (all []map[string]any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for line := range strings.Lines(l.buf.String()) {
		fields := map[string]any{}
		require.NoError(t, json.Unmarshal([]byte(line), &fields), line)
		all = append(all, fields)
	}
	return all
}

func (l *lines) with(t *testing.T, msg string) []map[string]any {
	return slices.DeleteFunc(l.read(t), func(line map[string]any) bool { return line["msg"] != msg })
}

// trouble is a product without a database in which everything goes wrong that the
// runbook asks its logs for.
func trouble(t *testing.T) *lines {
	g, err := app.LoadGame("")
	require.NoError(t, err)
	log := &lines{}
	p, err := local.Start(t.Context(), local.Options{Addr: "127.0.0.1:0", Redis: local.RedisEmbedded, Game: g, Queue: true, QueueWindow: time.Millisecond, Log: log})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, p.Close()) })
	ask := func(want int, method, path, token, body string) map[string]any {
		t.Helper()
		r, err := http.NewRequestWithContext(t.Context(), method, p.URL+path, strings.NewReader(body))
		require.NoError(t, err)
		r.Header.Set("Authorization", "Bearer "+token)
		res, err := http.DefaultClient.Do(r)
		require.NoError(t, err)
		text, err := io.ReadAll(res.Body)
		require.NoError(t, err)
		require.NoError(t, res.Body.Close())
		require.Equal(t, want, res.StatusCode, "%s %s: %s", method, path, text)
		answer := map[string]any{}
		require.NoError(t, json.Unmarshal(text, &answer), string(text))
		return answer
	}
	ops := p.Secrets.OpsToken
	token := func(player string) string {
		return ask(200, "POST", "/_local/token", "", `{"player":"`+player+`","name":"Zoe Quixote"}`)["token"].(string)
	}
	await := func(msg string) {
		t.Helper()
		require.Eventually(t, func() bool { return len(log.with(t, msg)) > 0 }, time.Minute, time.Millisecond, msg)
	}
	const play = `{"mode":"daily_frame","score":800,"details":{"word":"quixotry"}}`
	ask(200, "PUT", "/v1/ops/bans/user_cheat", ops, `{"reason":"plays with a script"}`)
	ask(202, "POST", "/v1/scores", token("user_cheat"), play)
	await("a queued score was rejected")
	until := time.Now().Add(time.Hour).UTC().Format(time.RFC3339)
	ask(200, "PUT", "/v1/ops/maintenance", ops, `{"until":"`+until+`"}`)
	ask(202, "POST", "/v1/scores", token("user_ana"), play)
	await("queued scores could not be written: they are retried")
	ask(200, "DELETE", "/v1/ops/maintenance", ops, "")
	ask(200, "DELETE", "/v1/ops/bans/user_cheat", ops, "") // reads that writes are taken again
	p.Upstash.Inject(func(upstashtest.Request) upstashtest.Fault { return upstashtest.Fault{CutBefore: true} })
	ask(503, "GET", "/v1/leaderboards/daily_frame/players/user_ana", "", "")
	ask(500, "POST", "/_local/schedules/cron-daily", "", "")
	p.Upstash.Inject(nil)

	// That a request's time is over is not waited for: only who is told of it is asked.
	p.Jobs.Closing().Store.Rollup.Unfinished(game.BoardOf(g.Modes[0], game.Week.Of(g.Today(time.Now())), game.Scope{}))

	// On Lambda there is a line for each call besides.
	watched := usage.New(usage.Options{Function: "submit", Lines: log, Now: time.Now})
	watched.Handler(http.NotFoundHandler()).ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", "/v1/scores", nil))
	return log
}

var (
	logQuery = regexp.MustCompile("(?ms)^```logs\n(.*?)^```$")
	asksFor  = regexp.MustCompile(`msg = "([^"]+)"`)
	quoted   = regexp.MustCompile(`"[^"]*"`)
	word     = regexp.MustCompile(`@?[A-Za-z_]+`)
	// What is no field of a line: the words of CloudWatch Logs Insights.
	words = []string{"fields", "filter", "sort", "desc", "limit", "stats", "sum", "count", "pct", "max", "by", "@timestamp", "@log"}
)

// Every query of the runbook finds a line that the product has really written, and
// every field that it names is there.
func TestTheQueriesOfTheRunbookFindRealLines(t *testing.T) {
	log := trouble(t)
	queries := logQuery.FindAllStringSubmatch(read(t, "docs/operate/runbook.md"), -1)
	require.Greater(t, len(queries), 5)
	for _, q := range queries {
		found := slices.DeleteFunc(log.read(t), func(line map[string]any) bool { return line["Function"] == nil })
		if asked := asksFor.FindStringSubmatch(q[1]); asked != nil {
			found = log.with(t, asked[1])
		}
		require.NotEmpty(t, found, q[1])
		for _, field := range word.FindAllString(quoted.ReplaceAllString(q[1], ""), -1) {
			if slices.Contains(words, field) {
				continue
			}
			require.True(t, slices.ContainsFunc(found, func(line map[string]any) bool { return line[field] != nil }), "no line has %q\n%s%v", field, q[1], found)
		}
	}
}

// What the page says that logs hold of players.
func TestWhatLogsHoldOfPlayers(t *testing.T) {
	log := trouble(t)
	everything := log.buf.String()
	for _, never := range []string{"127.0.0.1", "Bearer", "Quixote", "quixotry"} {
		require.NotContains(t, everything, never)
	}
	for _, line := range log.read(t) {
		if line["Function"] != nil {
			text, err := json.Marshal(line)
			require.NoError(t, err)
			require.NotContains(t, string(text), "user_")
		}
	}
	require.Contains(t, log.with(t, "request failed")[0]["path"], "user_ana", "a path may have an id in it")
	require.Equal(t, "user_cheat", log.with(t, "audit")[0]["player"])
}
