package main

import (
	"context"
	"net/url"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/archive/archivetest"
)

// emptyDatabase is one that no migration has seen.
func emptyDatabase(t *testing.T) string {
	t.Helper()
	u, err := url.Parse(archivetest.Database(t))
	require.NoError(t, err)
	conn, err := pgx.Connect(t.Context(), u.String())
	require.NoError(t, err)
	_, err = conn.Exec(t.Context(), "CREATE DATABASE empty")
	require.NoError(t, err)
	t.Cleanup(func() {
		ctx := context.Background()
		_, err := conn.Exec(ctx, "DROP DATABASE empty WITH (FORCE)")
		require.NoError(t, err)
		require.NoError(t, conn.Close(ctx))
	})
	u.Path = "empty"
	return u.String()
}

func TestMigrateAppliesWhatIsMissingOnce(t *testing.T) {
	env := map[string]string{"DATABASE_URL_DIRECT": emptyDatabase(t), "DATABASE_URL": "postgres://none.invalid/x"}
	says := func(want int, args ...string) string {
		status, out := lbctl(t, env, append([]string{"migrate"}, args...)...)
		require.Equal(t, want, status, out.stderr.String())
		require.Empty(t, out.stderr.String())
		return out.stdout.String()
	}
	require.Regexp(t, `^would apply 00001_history.sql\n`, says(statusGood, "--dry-run"))
	require.Regexp(t, `^pending 00001_history.sql\n`, says(statusFaults, "--status"))
	require.Contains(t, says(statusFaults, "--status", "-o", "json"), `"name": "00001_history.sql",
    "applied_at": null`)
	require.Regexp(t, `^(applied \d{5}_\w+\.sql  \d+\.\d ms\n)+$`, says(statusGood))
	const upToDate = "no pending migrations\n"
	require.Equal(t, upToDate, says(statusGood))
	require.Equal(t, upToDate, says(statusGood, "--dry-run"))
	require.Contains(t, says(statusGood, "--status", "-o", "json"), `"applied_at": "20`)
	status := says(statusGood, "--status")
	require.Regexp(t, `^applied 00001_history.sql  20\d\d-`, status)
	require.True(t, strings.HasSuffix(status, upToDate), status)
}

func TestMigrateSaysWhatIsWrong(t *testing.T) {
	for name, test := range map[string]struct {
		args []string
		says string
	}{
		"no database":  {nil, "set DATABASE_URL_DIRECT or DATABASE_URL"},
		"a pooler":     {[]string{"--database-url", "postgres://u:secret@ep-a-1-pooler.eu.aws.neon.tech/db"}, "the host name without -pooler"},
		"status of it": {[]string{"--status", "--database-url", "postgres://u:secret@ep-a-1-pooler.eu.aws.neon.tech/db"}, "the host name without -pooler"},
		"nobody there": {[]string{"--database-url", "postgres://u:secret@127.0.0.1:1/db"}, "127.0.0.1:1"},
		"both":         {[]string{"--status", "--dry-run", "--database-url", "postgres://127.0.0.1:1/db"}, "either --status or --dry-run"},
		"a file":       {[]string{"x.sql"}, "unexpected argument"},
	} {
		t.Run(name, func(t *testing.T) {
			status, out := lbctl(t, nil, append([]string{"migrate"}, test.args...)...)
			require.Equal(t, statusFailed, status)
			require.Contains(t, out.stderr.String(), test.says)
			require.NotContains(t, out.stderr.String(), "secret")
			require.Empty(t, out.stdout.String())
		})
	}
}
