package archive_test

import (
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/archive/archivetest"
)

func TestTheCodeNeedsTheNewestMigration(t *testing.T) {
	files, err := filepath.Glob("../../migrations/*.sql")
	require.NoError(t, err)
	slices.Sort(files)
	number := func(file string) int64 {
		n, err := strconv.ParseInt(filepath.Base(file)[:5], 10, 64)
		require.NoError(t, err)
		return n
	}
	newest, before := number(files[len(files)-1]), number(files[len(files)-2])
	require.EqualValues(t, archive.SchemaVersion, newest)

	url := archivetest.Database(t)
	a, _ := openAt(t, url, 1)
	version, err := a.Schema(ctx)
	require.NoError(t, err)
	require.Equal(t, newest, version)

	conn, err := pgx.Connect(ctx, url)
	require.NoError(t, err)
	defer func() { _ = conn.Close(ctx) }()
	_, err = conn.Exec(ctx, `DELETE FROM schema_migrations WHERE version_id = $1`, newest)
	require.NoError(t, err)
	version, err = a.Schema(ctx)
	require.NoError(t, err)
	require.Equal(t, before, version)

	_, err = conn.Exec(ctx, `DROP TABLE schema_migrations`)
	require.NoError(t, err)
	version, err = a.Schema(ctx)
	require.NoError(t, err)
	require.Zero(t, version, "a database without tables")
}

// Tables that are missing are those of a database that was lost or not migrated:
// for callers that passes as an outage does, and asking again at once is no use.
func TestMissingTablesAreAnOutageThatNamesThem(t *testing.T) {
	for what, statement := range map[string]string{
		`relation "results" does not exist`: `DROP TABLE results CASCADE`, `column`: `ALTER TABLE results DROP COLUMN details`,
	} {
		url := archivetest.Database(t)
		a, n := openAt(t, url, 1)
		conn, err := pgx.Connect(ctx, url)
		require.NoError(t, err)
		_, err = conn.Exec(ctx, statement)
		require.NoError(t, err)
		require.NoError(t, conn.Close(ctx))
		_, err = a.PlayerResults(ctx, "user_a", today, today)
		require.ErrorIs(t, err, archive.ErrUnavailable)
		require.ErrorIs(t, err, archive.ErrUnmigrated)
		require.ErrorContains(t, err, what)
		require.ErrorContains(t, err, "lbctl migrate")
		require.Equal(t, 1, n.dialled)
	}
}
