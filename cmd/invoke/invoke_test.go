package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/upstash/upstashtest"
)

func none(string) (string, bool) { return "", false }

func TestEverySampleEventGetsTheAnswerThatItsReadmePromises(t *testing.T) {
	t.Chdir("../..")
	want := map[string]struct{ function, says string }{
		"submit.json":           {"submit", "201 Created"},
		"submit-batch.json":     {"submit", "200 OK"},
		"leaderboard.json":      {"leaderboard", "200 OK"},
		"openapi.json":          {"leaderboard", "200 OK"},
		"ops.json":              {"ops", "401 Unauthorized"},
		"ops-dead-letters.json": {"ops", "401 Unauthorized"},
		"ops-score.json":        {"ops", "401 Unauthorized"},
		"me.json":               {"me", "401 Unauthorized"},
		"friends.json":          {"friends", "401 Unauthorized"},
		"friends-board.json":    {"leaderboard", "401 Unauthorized"},
		"webhook.json":          {"webhook", "401 Unauthorized"},
		"duel.json":             {"duel", "201 Created"},
		"cron-daily.json":       {"cron-daily", ""},
		"cron-weekly.json":      {"cron-weekly", ""},
		"cron-save.json":        {"cron-save", ""},
		"ingest.json":           {"ingest", ""},
		"cron-usage.json":       {"cron-usage", ""},
		"compute.json":          {"compute", ""},
		"cron-merge.json":       {"cron-merge", ""},
		"events.json":           {"events", "404 Not Found"},
	}
	events, err := filepath.Glob("events/*.json")
	require.NoError(t, err)
	require.Len(t, events, len(want))
	readme, err := os.ReadFile("events/README.md")
	require.NoError(t, err)
	for _, event := range events {
		name := filepath.Base(event)
		require.Contains(t, string(readme), "`"+name+"`")
		var out bytes.Buffer
		err := run(t.Context(), []string{"-function", want[name].function, "-event", event}, none, time.Now, &out, io.Discard)
		require.NoError(t, err, name)
		require.True(t, strings.HasPrefix(out.String(), want[name].says), "%s: %s", name, out.String())
		require.Regexp(t, `init \d+\.\d ms, duration \d+\.\d ms\n$`, out.String())
	}
}

func TestASubmitWithoutCredentialsIsRefused(t *testing.T) {
	t.Chdir("../..")
	redis, err := upstashtest.New(upstashtest.Options{})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, redis.Close()) })
	fn, err := findFunction("submit")
	require.NoError(t, err)
	event, err := os.ReadFile("events/submit.json")
	require.NoError(t, err)
	var out bytes.Buffer
	require.NoError(t, invoke(t.Context(), fn, event, map[string]string{
		"UPSTASH_REDIS_REST_URL":   redis.URL(),
		"UPSTASH_REDIS_REST_TOKEN": redis.Token(),
		"SIGNING_KEYS":             strings.Repeat("k", 32),
	}, &out, io.Discard))
	require.True(t, strings.HasPrefix(out.String(), "401 Unauthorized"), out.String())
	require.Contains(t, out.String(), "application/problem+json")
}

func TestRunSaysWhatWouldBeRight(t *testing.T) {
	t.Chdir("../..")
	tests := []struct {
		name string
		args []string
		says string
	}{
		{"unknown function", []string{"-function", "sumbit"}, "want one of submit, enqueue"},
		{"no such event", []string{"-event", "events/absent.json"}, "reading the event"},
		{"no such environment", []string{"-env-file", "absent.env"}, "reading the environment"},
		{"unknown flag", []string{"-x"}, "not defined"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			err := run(t.Context(), tt.args, none, time.Now, io.Discard, io.Discard)
			require.ErrorContains(t, err, tt.says)
		})
	}
}
