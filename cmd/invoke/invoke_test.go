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

// A shell that has a deployment's variables does not write to its boards by accident.
func TestOnlyStoresOfThisMachineAreUsedUnlessAskedOtherwise(t *testing.T) {
	t.Chdir("../..")
	variables := func(all map[string]string) func(string) (string, bool) {
		return func(name string) (string, bool) { value, ok := all[name]; return value, ok }
	}
	for name, test := range map[string]struct {
		function string
		env      map[string]string
		refused  string
	}{
		"a Redis elsewhere":         {"submit", map[string]string{"UPSTASH_REDIS_REST_URL": "https://eu1-x.upstash.io"}, "UPSTASH_REDIS_REST_URL (eu1-x.upstash.io)"},
		"one of several databases":  {"submit", map[string]string{"UPSTASH_REDIS_REST_URL": "http://127.0.0.1:1", "UPSTASH_REDIS_REST_URLS": "a=http://localhost:1,b=https://b.upstash.io"}, "UPSTASH_REDIS_REST_URLS (b.upstash.io)"},
		"a database by URL":         {"me", map[string]string{"DATABASE_URL": "postgres://u:secret@ep-x.neon.tech/db"}, "DATABASE_URL (ep-x.neon.tech)"},
		"a database by keywords":    {"me", map[string]string{"DATABASE_URL": "user=u password=secret host=ep-x.neon.tech"}, "DATABASE_URL (ep-x.neon.tech)"},
		"a queue":                   {"enqueue", map[string]string{"QUEUE_URL": "https://sqs.eu-west-1.amazonaws.com/1/q"}, "QUEUE_URL (sqs.eu-west-1.amazonaws.com)"},
		"what cannot be read":       {"me", map[string]string{"DATABASE_URL": "postgres://u:sec ret@[::1/db"}, "DATABASE_URL"},
		"the issuer's keys are not": {"submit", map[string]string{"CLERK_ISSUER": "https://clerk.example.com", "CLERK_JWKS_URL": "https://clerk.example.com/keys"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			err := run(t.Context(), []string{"-function", test.function, "-event", "events/submit.json"}, variables(test.env), time.Now, io.Discard, io.Discard)
			if test.refused == "" {
				require.NoError(t, err)
				return
			}
			require.ErrorContains(t, err, "not on this machine: "+test.refused)
			require.ErrorContains(t, err, "-live")
			require.NotContains(t, err.Error(), "secret")
		})
	}
	var out bytes.Buffer
	env := variables(map[string]string{"UPSTASH_REDIS_REST_URL": "https://absent.invalid", "UPSTASH_REDIS_REST_TOKEN": "t"})
	require.NoError(t, run(t.Context(), []string{"-function", "submit", "-live"}, env, time.Now, &out, io.Discard))
	require.Contains(t, out.String(), "503 Service Unavailable", "the function asked the address")
}

func TestRunSaysWhatWouldBeRight(t *testing.T) {
	t.Chdir("../..")
	tests := []struct {
		name string
		args []string
		says string
	}{
		{"unknown function", []string{"-function", "sumbit"}, `there is no function "sumbit": want one of submit, `},
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
