package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/archive/archivetest"
)

func TestABackfillWaitsForAMaintenance(t *testing.T) {
	product := localProduct(t)
	env := map[string]string{
		"LEADERBOARDS_URL": product.URL, "OPS_TOKEN": product.Secrets.OpsToken,
		"UPSTASH_REDIS_REST_URL": product.Secrets.RedisRESTURL, "UPSTASH_REDIS_REST_TOKEN": product.Secrets.RedisRESTToken,
		"DATABASE_URL": archivetest.Database(t),
	}
	past := filepath.Join(t.TempDir(), "past.csv")
	require.NoError(t, os.WriteFile(past, []byte("player,mode,date,score\np,daily_frame,2026-01-01,5\n"), 0o600))
	status, out := lbctl(t, env, "maintenance", "on", "--for", "2h", "--reason", "moving")
	require.Equal(t, statusGood, status, out.stderr.String())
	before, err := product.Upstash.Redis().Do(t.Context(), "DBSIZE")
	require.NoError(t, err)
	status, out = lbctl(t, env, "import-history", past)
	require.Equal(t, statusFailed, status)
	require.Contains(t, out.stderr.String(), "maintenance")
	after, err := product.Upstash.Redis().Do(t.Context(), "DBSIZE")
	require.NoError(t, err)
	require.Equal(t, before, after)
}
