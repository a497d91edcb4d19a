package main

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/dev/local"
	"github.com/framedle/leaderboards/internal/product/app"
)

// A game that moves here brings its past along, and its players find it on every
// board.
func TestAGamesPastIsBroughtIn(t *testing.T) {
	g, err := app.LoadGame("")
	require.NoError(t, err)
	product, err := local.Start(t.Context(), local.Options{
		Addr: "127.0.0.1:0", Redis: local.RedisEmbedded, DatabaseURL: local.DatabaseAuto, Game: g, Log: t.Output(),
	})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, product.Close()) })
	now := time.Date(2027, 1, 20, 12, 0, 0, 0, time.UTC)
	product.Clock.Set(now)
	file := func(name, text string) string {
		path := filepath.Join(t.TempDir(), name)
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		return path
	}
	text := "user_id,points,played_at,name\n"
	for n := range 400 {
		text += fmt.Sprintf("ana,%d,%s,Ana\nbo,50,%s,\n", 100+n%5, now.AddDate(0, 0, -n-1).Format(time.RFC3339), now.AddDate(0, 0, -n-1).Format(time.RFC3339))
	}
	path := file("past.csv", text)
	names := []string{"--map", "player=user_id,score=points", "--mode", "daily_frame"}
	command := func(more ...string) (int, *output) {
		args := append([]string{"import-history", "--now", now.Format(time.RFC3339), "--url", product.URL}, more...)
		return lbctl(t, nil, append(args, names...)...)
	}
	status, out := command("--dry-run", path)
	require.Equal(t, statusGood, status, out.stderr.String())
	require.Contains(t, out.stdout.String(), " 784  of 392 days whose boards have expired in Redis: to the archive\n")
	require.Contains(t, out.stdout.String(), " 16  of 8 days whose boards may be in Redis: to Redis, and from there to the archive\n")
	require.Contains(t, out.stdout.String(), "nothing was written")
	status, out = command(path)
	require.Equal(t, statusGood, status, out.stderr.String())
	rules := filepath.Join(t.TempDir(), "other.yaml")
	require.NoError(t, os.WriteFile(rules, []byte("name: other\nmodes:\n  daily_frame: {max: 1000}\n"), 0o600))
	status, other := lbctl(t, map[string]string{
		"UPSTASH_REDIS_REST_URL": product.Secrets.RedisRESTURL, "UPSTASH_REDIS_REST_TOKEN": product.Secrets.RedisRESTToken,
	}, "game", "diff", "--redis", rules)
	require.Equal(t, statusFaults, status, "the boards are kept by the game's rules from the import on: %s", other.stdout.String())
	require.Regexp(t, `written +784  to the archive in .* rows/s`, out.stdout.String())
	status, out = command(path)
	require.Equal(t, statusGood, status, out.stderr.String())
	require.Contains(t, out.stdout.String(), "Already imported on 2027-01-20T12:00:00Z; nothing changed.")

	env := map[string]string{
		"UPSTASH_REDIS_REST_URL": product.Secrets.RedisRESTURL, "UPSTASH_REDIS_REST_TOKEN": product.Secrets.RedisRESTToken,
		"DATABASE_URL": product.Secrets.DatabaseURL,
	}
	status, out = lbctl(t, env, "verify", "--now", now.Format(time.RFC3339))
	require.Equal(t, statusGood, status, out.stdout.String())

	for path, want := range map[string]string{
		"/v1/leaderboards/daily_frame?period=alltime":               `{"rank":1,"player":"ana","score":40800,"name":"Ana"}`,
		"/v1/leaderboards/daily_frame?date=2026-03-01":              `{"rank":2,"player":"bo","score":50}`,
		"/v1/leaderboards/daily_frame?period=month&date=2026-12-31": `{"rank":2,"player":"bo","score":1550}`,
		"/v1/leaderboards/daily_frame?period=week&date=2026-12-31":  `{"rank":2,"player":"bo","score":350}`,
		"/v1/leaderboards/daily_frame?period=month&date=2026-02-01": `{"rank":2,"player":"bo","score":1400}`,
		"/v1/leaderboards/xp": `"player":"bo","score":20000`,
	} {
		answer, err := http.Get(product.URL + path)
		require.NoError(t, err)
		body := make([]byte, 10_000)
		n, _ := answer.Body.Read(body)
		require.NoError(t, answer.Body.Close())
		require.Contains(t, string(body[:n]), want, path)
	}

	wrong := file("wrong.csv", "user_id,points,played_at,name\nana,x,2026-01-01T00:00:00Z,\nana,5,2026-01-01T00:00:00Z,\n")
	status, out = command(wrong)
	require.Equal(t, statusFaults, status)
	require.Contains(t, out.stdout.String(), `line 2: score: "x" is not a number`)
	require.Contains(t, out.stderr.String(), "invalid lines: 1; nothing was changed")
	more := file("other.csv", "user_id,points,played_at,name\nana,5,2026-01-01T12:00:00Z,\n")
	status, out = command(more)
	require.Equal(t, statusFaults, status)
	require.Contains(t, out.stderr.String(), "daily_frame 2026-01-01: 0 players equal in the archive, 1 different, 0 only in the files, 1 only in the archive")

	for args, says := range map[string][]string{
		"missing FILE":               {"import-history"},
		"use FIELD=NAME":             {"import-history", "--map", "nobody=x", path},
		`no mode "nothing"`:          {"import-history", "--url", product.URL, "--mode", "nothing", path},
		"unknown column \"user_id\"": {"import-history", "--url", product.URL, path},
	} {
		status, out := lbctl(t, nil, says...)
		require.Equal(t, statusFailed, status, args)
		require.Contains(t, out.stderr.String(), args)
	}
}
