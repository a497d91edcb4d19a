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
