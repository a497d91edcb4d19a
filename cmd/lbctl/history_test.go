package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/client"
	"github.com/framedle/leaderboards/games"
	"github.com/framedle/leaderboards/internal/archive/archivetest"
	"github.com/framedle/leaderboards/internal/dev/local"
	"github.com/framedle/leaderboards/internal/product/app"
	"github.com/framedle/leaderboards/upstash"
)

// A Redis that was lost is made again from the history by one command, and
// another one tells that nothing is missing.
func TestALostRedisIsRestoredAndVerified(t *testing.T) {
	g, err := app.LoadGame("")
	require.NoError(t, err)
	product, err := local.Start(t.Context(), local.Options{
		Addr: "127.0.0.1:0", Redis: local.RedisEmbedded, DatabaseURL: local.DatabaseAuto, Game: g, Log: t.Output(),
	})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, product.Close()) })
	env := map[string]string{
		"UPSTASH_REDIS_REST_URL": product.Secrets.RedisRESTURL, "UPSTASH_REDIS_REST_TOKEN": product.Secrets.RedisRESTToken,
		"DATABASE_URL": product.Secrets.DatabaseURL,
	}
	server, err := client.New(client.Config{URL: product.URL, SigningKey: product.Secrets.SigningKey})
	require.NoError(t, err)
	day := time.Date(2026, 12, 29, 12, 0, 0, 0, time.UTC)
	for n := range 3 {
		product.Clock.Set(day.AddDate(0, 0, n))
		for i := range 3 {
			body := fmt.Sprintf(`{"mode":"daily_frame","player":"p%d","score":%d,"country":"BR"}`, i, 100*(i+n))
			a, err := server.Do(context.Background(), client.Request{Method: http.MethodPost, Path: "/v1/scores", Body: []byte(body)})
			require.NoError(t, err)
			require.Equal(t, http.StatusCreated, a.Status, string(a.Body))
		}
	}
	product.Clock.Set(day.AddDate(0, 0, 3))
	now := "--now=" + day.AddDate(0, 0, 3).Format(time.RFC3339)

	_, out := lbctl(t, env, "close", "--dry-run", now, "day")
	require.Equal(t, 3, strings.Count(out.stdout.String(), "would close 202"))
	status, out := lbctl(t, env, "close", now, "day")
	require.Equal(t, statusGood, status, out.stderr.String())
	require.Contains(t, out.stdout.String(), `"date": "2026-12-31"`)
	status, out = lbctl(t, env, "verify", now)
	require.Equal(t, statusGood, status, out.stdout.String()+out.stderr.String())
	require.Contains(t, out.stderr.String(), ", 0 differences")

	redis, err := upstash.New(upstash.Config{URL: env["UPSTASH_REDIS_REST_URL"], Token: env["UPSTASH_REDIS_REST_TOKEN"]})
	require.NoError(t, err)
	_, err = redis.Do(context.Background(), upstash.Cmd("FLUSHALL"))
	require.NoError(t, err)
	status, out = lbctl(t, env, "verify", now)
	require.Equal(t, statusFaults, status)
	require.Contains(t, out.stdout.String(), "lb:daily_frame:2026-12-31\tp2\t-\t400")
	_, out = lbctl(t, env, "restore", "--dry-run", now)
	require.Contains(t, out.stdout.String(), `"days": 3`)
	status, out = lbctl(t, env, "restore", now)
	require.Equal(t, statusGood, status, out.stderr.String())
	status, out = lbctl(t, env, "verify", now)
	require.Equal(t, statusGood, status, out.stdout.String())
	status, out = lbctl(t, env, "close", now, "week", "2026-12-20")
	require.Equal(t, statusGood, status, out.stderr.String())

	ops := map[string]string{"LEADERBOARDS_URL": product.URL, "OPS_TOKEN": product.Secrets.OpsToken}
	status, out = lbctl(t, ops, "log")
	require.Equal(t, statusGood, status, out.stderr.String())
	require.Regexp(t, `lbctl +close .*"day"`, out.stdout.String())
	require.Regexp(t, `lbctl +restore .*"all modes"`, out.stdout.String())
	status, out = lbctl(t, ops, "log", "-n", "1", "-o", "json")
	require.Equal(t, statusGood, status, out.stderr.String())
	require.Regexp(t, `(?s)^{\s+"entries": \[\s+{.*"action": "(close|restore)"`, out.stdout.String()) // both at the same moment

	status, out = lbctl(t, env, "archive", now, "--again", "2026-12-31", "2025-01-01")
	require.Equal(t, statusFaults, status, out.stderr.String())
	require.Contains(t, out.stdout.String(), `"date": "2026-12-31"`)
	require.Contains(t, out.stderr.String(), "2025-01-01: Redis has no closed board of this date")
	require.NotContains(t, out.stderr.String(), "2026-12-31:")

	for args, says := range map[string]string{
		"close": "missing argument: day, week, month or season", "close year": "use day, week, month or season", "close week 2026-12-31": "is not over",
		"restore --modes nothing": `no mode "nothing"`, "verify --now yesterday": "use a form like",
	} {
		status, out := lbctl(t, env, append(strings.Fields(args), now)...)
		if strings.Contains(args, "--now") {
			status, out = lbctl(t, env, strings.Fields(args)...)
		}
		require.Equal(t, statusFailed, status, args)
		require.Contains(t, out.stderr.String(), says)
	}

	settles(t, product, env, ops, day)
}

// A copy that is being made would miss what is closed meanwhile, so closing by hand waits as
// the schedules do; it also waits if the boards are kept under other rules.
func TestClosingByHandWaitsForAMaintenance(t *testing.T) {
	product := localProduct(t)
	env := map[string]string{
		"UPSTASH_REDIS_REST_URL": product.Secrets.RedisRESTURL, "UPSTASH_REDIS_REST_TOKEN": product.Secrets.RedisRESTToken,
		"DATABASE_URL": archivetest.Database(t),
	}
	server, err := client.New(client.Config{URL: product.URL, SigningKey: product.Secrets.SigningKey})
	require.NoError(t, err)
	product.Clock.Set(time.Now().UTC().AddDate(0, 0, -3))
	a, err := server.Submit(t.Context(), client.Submission{Mode: "daily_frame", Player: "p", Score: 100})
	require.NoError(t, err)
	require.Equal(t, client.Accepted, a.Status)
	status, out := lbctl(t, env, "maintenance", "on", "--for", "2h", "--reason", "moving")
	require.Equal(t, statusGood, status, out.stderr.String())

	everything := func() any {
		keys, err := product.Upstash.Redis().Do(t.Context(), "DBSIZE")
		require.NoError(t, err)
		return keys
	}
	before := everything()
	for _, what := range []string{"day", "week", "month"} {
		status, out = lbctl(t, env, "close", what)
		require.Equal(t, statusFailed, status)
		require.Regexp(t, `maintenance and accept no writes until .*: moving; the schedules close what is due when it ends, or use --force`, out.stderr.String())
	}
	require.Equal(t, before, everything())
	status, out = lbctl(t, env, "close", "--dry-run", "day")
	require.Equal(t, statusGood, status)
	require.Contains(t, out.stdout.String(), "would close")
	status, out = lbctl(t, env, "close", "--force", "day")
	require.Equal(t, statusGood, status, out.stderr.String())
	require.Contains(t, out.stdout.String(), `"daily_frame"`)

	other := filepath.Join(t.TempDir(), "framedle.yaml")
	text, err := games.FS.ReadFile("framedle.yaml")
	require.NoError(t, err)
	changed := strings.Replace(string(text), "daily_frame:", "daily_frame:\n    order: asc", 1)
	require.NotEqual(t, string(text), changed)
	require.NoError(t, os.WriteFile(other, []byte(changed), 0o600))
	status, _ = lbctl(t, env, "maintenance", "off")
	require.Equal(t, statusGood, status)
	status, out = lbctl(t, env, "close", "--game", other, "--force", "day")
	require.Equal(t, statusFailed, status)
	require.Contains(t, out.stderr.String(), "order")
}
