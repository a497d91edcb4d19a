package main

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/client"
	"github.com/framedle/leaderboards/internal/dev/local"
	"github.com/framedle/leaderboards/internal/gamefile"
)

// The steps of docs/build/decay.md: another factor is refused until it is accepted, and a
// restore makes all time by it.
func TestAnotherDecayIsAcceptedAndRestored(t *testing.T) {
	rules := "name: g\nmodes:\n  daily: {max: 1000, decay: {factor: 0.95}}\n"
	old, faster := filepath.Join(t.TempDir(), "old.yaml"), filepath.Join(t.TempDir(), "faster.yaml")
	require.NoError(t, os.WriteFile(old, []byte(rules), 0o600))
	require.NoError(t, os.WriteFile(faster, []byte(strings.Replace(rules, "0.95", "0.9", 1)), 0o600))
	g, err := gamefile.Parse("old.yaml", []byte(rules))
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
	noon := time.Date(2026, 12, 20, 12, 0, 0, 0, time.UTC)
	do := func(file string, good bool, args ...string) string {
		t.Helper()
		status, out := lbctl(t, env, args...)
		require.Equal(t, good, status == statusGood, "%s with %s: %s", args, file, out.stdout.String()+out.stderr.String())
		return out.stdout.String()
	}
	for day := range 9 {
		now := noon.AddDate(0, 0, day)
		product.Clock.Set(now)
		a, err := server.Do(t.Context(), client.Request{Method: http.MethodPost, Path: "/v1/scores", Body: []byte(`{"mode":"daily","player":"p","score":1000}`)})
		require.NoError(t, err)
		require.Equal(t, http.StatusCreated, a.Status, string(a.Body))
		do(old, true, "close", "--game="+old, "--now="+now.Add(13*time.Hour).Format(time.RFC3339), "day")
	}
	now := "--now=" + noon.AddDate(0, 0, 8).Add(13*time.Hour).Format(time.RFC3339)
	do(old, true, "verify", "--game="+old, now)
	do(old, true, "game", "accept", old)
	require.Contains(t, do(faster, false, "game", "diff", "--redis", faster), "refused      modes.daily.decay: 0.95 every 1d -> 0.9 every 1d")
	do(faster, true, "maintenance", "on", "--for=1h", "--reason=another decay")
	do(faster, true, "game", "accept", faster)
	require.Contains(t, do(faster, false, "verify", "--game="+faster, now), "folded:lb:daily:alltime")
	do(faster, true, "restore", "--game="+faster, now)
	do(faster, true, "verify", "--game="+faster, now)
	do(faster, true, "maintenance", "off")
}
