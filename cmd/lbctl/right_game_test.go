package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/client"
	"github.com/framedle/leaderboards/internal/archive/archivetest"
)

// Whoever forgets to name the game works by the built-in one: boards of another are
// neither made nor compared by it.
func TestBoardsOfAnotherGameAreLeftAlone(t *testing.T) {
	product := localProduct(t)
	env := map[string]string{
		"UPSTASH_REDIS_REST_URL": product.Secrets.RedisRESTURL, "UPSTASH_REDIS_REST_TOKEN": product.Secrets.RedisRESTToken,
		"DATABASE_URL": archivetest.Database(t),
	}
	server, err := client.New(client.Config{URL: product.URL, SigningKey: product.Secrets.SigningKey})
	require.NoError(t, err)
	a, err := server.Submit(t.Context(), client.Submission{Mode: "daily_frame", Player: "p", Score: 100})
	require.NoError(t, err)
	require.Equal(t, client.Accepted, a.Status)
	file := func(name, text string) string {
		path := filepath.Join(t.TempDir(), name)
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		return path
	}
	other := file("other.yaml", "name: other\nmodes:\n  daily_frame: {max: 1000, order: asc}\n")
	keys := func() any {
		n, err := product.Upstash.Redis().Do(t.Context(), "DBSIZE")
		require.NoError(t, err)
		return n
	}
	before := keys()
	for _, command := range [][]string{
		{"restore"}, {"restore", "--dry-run"}, {"archive"}, {"verify"}, {"close", "day"},
		{"import-history", file("past.csv", "player,mode,date,score\np,daily_frame,2026-01-01,5\n")},
	} {
		status, out := lbctl(t, env, append(command, "--game", other)...)
		require.Equal(t, statusFailed, status, command)
		require.Contains(t, out.stderr.String(), "other is not the game of these boards; name theirs with --game FILE or $GAME", command)
	}
	changed := file("changed.yaml", "name: framedle\nmodes:\n  daily_frame: {max: 1000, order: asc}\n")
	status, out := lbctl(t, env, "verify", "--game", changed)
	require.Equal(t, statusFailed, status)
	require.Contains(t, out.stderr.String(), "these are not the rules that the boards of the game framedle use")
	require.Equal(t, before, keys())
}
