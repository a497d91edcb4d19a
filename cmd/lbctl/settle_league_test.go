package main

import (
	"context"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/dev/local"
)

// settles settles weeks of which the archive lacks days and players.
func settles(t *testing.T, product *local.Product, env, ops map[string]string, day time.Time) {
	t.Helper()
	weekLater := day.AddDate(0, 0, 10)
	now := "--now=" + weekLater.Format(time.RFC3339)
	status, out := lbctl(t, env, "settle", now, "2026-12-29")
	require.Equal(t, statusFailed, status)
	require.Contains(t, out.stderr.String(), "begin after this week")
	product.Clock.Set(weekLater)
	_, err := product.Jobs.Daily(t.Context(), weekLater)
	require.NoError(t, err)
	status, out = lbctl(t, env, "settle", "--dry-run", now, "2026-12-29")
	require.Equal(t, statusGood, status, out.stderr.String())
	require.Equal(t, "{\n  \"week\": \"2026-W53\",\n  \"players\": 3,\n  \"changed\": 0\n}\n", out.stdout.String())
	kept, err := pgx.Connect(t.Context(), env["DATABASE_URL"])
	require.NoError(t, err)
	defer func() { require.NoError(t, kept.Close(context.Background())) }()
	_, err = kept.Exec(t.Context(), `UPDATE archived_days SET complete = false WHERE date = '2026-12-29'`)
	require.NoError(t, err)
	_, err = kept.Exec(t.Context(), `DELETE FROM results WHERE date = '2026-12-30' AND player = 'p2'`)
	require.NoError(t, err)
	lateNow := "--now=" + weekLater.AddDate(0, 0, 10).Format(time.RFC3339)
	status, out = lbctl(t, env, "settle", lateNow, "2026-12-29")
	require.Equal(t, statusFaults, status, out.stderr.String())
	require.Contains(t, out.stdout.String(), `"date": "2026-12-29"`)
	require.Contains(t, out.stdout.String(), `"changed": 1`)
	_, err = kept.Exec(t.Context(), `UPDATE archived_days SET complete = true`)
	require.NoError(t, err)
	status, out = lbctl(t, env, "settle", lateNow, "2026-12-29")
	require.Equal(t, statusGood, status, out.stderr.String())
	status, out = lbctl(t, ops, "log")
	require.Equal(t, statusGood, status, out.stderr.String())
	require.Regexp(t, `lbctl +settle .*"2026-W53"`, out.stdout.String())
}
