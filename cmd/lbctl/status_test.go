package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/platform/status"
)

func TestStatusSaysThatNothingIsWrong(t *testing.T) {
	product := localProduct(t)
	env := map[string]string{"LEADERBOARDS_URL": product.URL, "OPS_TOKEN": product.Secrets.OpsToken}
	code, out := lbctl(t, env, "status")
	require.Equal(t, statusGood, code, out.stderr.String())
	require.Contains(t, out.stdout.String(), "no problems")
	require.Contains(t, out.stdout.String(), "last never")

	code, out = lbctl(t, nil, "status", "--url", product.URL, "-o", "json")
	require.Equal(t, statusGood, code, out.stderr.String())
	var s status.Status
	require.NoError(t, json.Unmarshal(out.stdout.Bytes(), &s))
	require.True(t, s.Good)
}

// Whatever prints a table prints JSON for programs, and the same exit status.
func TestTablesArePrintedAsJSONToo(t *testing.T) {
	product := localProduct(t)
	rules := filepath.Join(t.TempDir(), "g.yaml")
	require.NoError(t, os.WriteFile(rules, []byte("name: g\nmodes: {a: {max: 5}}\n"), 0o600))
	for _, args := range [][]string{{"status"}, {"usage"}, {"usage", "--by", "route"}, {"bans"}, {"doctor"}, {"game", "check", rules}} {
		env := map[string]string{"LEADERBOARDS_URL": product.URL}
		code, out := lbctl(t, env, append(args, "-o", "json")...)
		require.Equal(t, statusGood, code, "%v: %s", args, out.stderr.String())
		var answer map[string]any
		require.NoError(t, json.Unmarshal(out.stdout.Bytes(), &answer), "%v", args)
		require.NotEmpty(t, answer, "%v", args)
		table, _ := lbctl(t, env, args...)
		require.Equal(t, code, table, "%v", args)
	}
	_, out := lbctl(t, map[string]string{"LEADERBOARDS_URL": product.URL}, "status", "-json")
	require.True(t, json.Valid(out.stdout.Bytes()), out.stdout.String())
	require.Contains(t, out.stderr.String(), "lbctl status --json is accepted until the next release; use lbctl status -o json")
}

func TestStatusSaysWhatToDo(t *testing.T) {
	product := localProduct(t)
	record, err := json.Marshal(status.Run{Due: product.Clock.Now(), Ended: product.Clock.Now().Add(time.Second), Error: "no route to host"})
	require.NoError(t, err)
	_, err = product.Upstash.Redis().Do(t.Context(), "HSET", "runs", "cron-daily", string(record))
	require.NoError(t, err)
	code, out := lbctl(t, map[string]string{"LEADERBOARDS_URL": product.URL}, "status")
	require.Equal(t, statusFaults, code, out.stderr.String())
	require.Contains(t, out.stdout.String(), "the last run of cron-daily failed: no route to host")
	require.Contains(t, out.stdout.String(), "do: check its log, then run it: docs/operate/runbook.md, Missed schedule")
}

// While a token is being changed, the environment has both the new and the old one, as the
// deployment does. A request sends one.
func TestTheFirstOfSeveralTokensIsSent(t *testing.T) {
	product := localProduct(t)
	env := map[string]string{
		"LEADERBOARDS_URL": product.URL, "OPS_TOKEN": product.Secrets.OpsToken + ", the-token-of-before-with-32-characters",
		"SIGNING_KEYS": product.Secrets.SigningKey + ", the-key-of-before-with-32-characters",
	}
	for _, args := range [][]string{
		{"status"}, {"usage"}, {"bans"}, {"doctor"},
		{"import", "--no-progress", scores(t, "900")},
	} {
		code, out := lbctl(t, env, args...)
		require.Equal(t, statusGood, code, "%v: %s%s", args, out.stdout.String(), out.stderr.String())
		require.NotContains(t, out.stdout.String(), "is refused", "%v", args)
	}
}

func TestStatusSaysThatWritesWait(t *testing.T) {
	product := localProduct(t)
	env := map[string]string{
		"LEADERBOARDS_URL": product.URL, "UPSTASH_REDIS_REST_URL": product.Secrets.RedisRESTURL, "UPSTASH_REDIS_REST_TOKEN": product.Secrets.RedisRESTToken,
	}
	_, out := lbctl(t, env, "status")
	require.Regexp(t, `(?m)^writes +accepted$`, out.stdout.String())
	product.Clock.Set(time.Time{}) // lbctl goes by the machine's
	code, _ := lbctl(t, env, "maintenance", "on", "--for", "2h", "--reason", "moving")
	require.Equal(t, statusGood, code)
	code, out = lbctl(t, env, "status")
	require.Equal(t, statusFaults, code)
	require.Regexp(t, `(?m)^writes +MAINTENANCE since .*Z until .*Z: moving$`, out.stdout.String())
	require.Regexp(t, `PROBLEM +maintenance mode is on until .*: moving\n +do: lbctl maintenance off`, out.stdout.String())
	code, _ = lbctl(t, env, "maintenance", "off")
	require.Equal(t, statusGood, code)
	code, _ = lbctl(t, env, "status")
	require.Equal(t, statusGood, code)
}

func TestStatusNeedsAProduct(t *testing.T) {
	code, out := lbctl(t, nil, "status", "--url", "http://127.0.0.1:1")
	require.Equal(t, statusFailed, code)
	require.Contains(t, out.stderr.String(), "OPS_TOKEN")
}
