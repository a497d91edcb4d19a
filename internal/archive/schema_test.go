package archive_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/archive/archivetest"
	"github.com/framedle/leaderboards/internal/game"
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

// What a statement needs and the database lacks is told apart from an outage, and
// from what is wrong with the statement; it is not tried twice.
func TestOlderTablesAreNamed(t *testing.T) {
	url := archivetest.Database(t)
	a, n := openAt(t, url, 1)
	require.NoError(t, a.Ready(ctx))
	conn, err := pgx.Connect(ctx, url)
	require.NoError(t, err)
	defer func() { _ = conn.Close(ctx) }()
	older := func(says string, statements ...string) {
		for _, s := range statements {
			_, err := conn.Exec(ctx, s)
			require.NoError(t, err)
		}
		var err error
		require.LessOrEqual(t, n.during(func() { _, err = a.Days.Begin(ctx, "daily", today, "") }), 1)
		behind := (*archive.BehindError)(nil)
		require.ErrorAs(t, err, &behind)
		require.ErrorIs(t, err, archive.ErrUnavailable)
		require.ErrorContains(t, err, "run lbctl migrate")
		require.ErrorContains(t, a.Ready(ctx), says)
	}
	newest := archive.SchemaVersion
	forget := func(from int) string {
		return fmt.Sprintf(`DELETE FROM schema_migrations WHERE version_id >= %d`, from)
	}
	older(fmt.Sprintf("migration %d is pending", newest), `ALTER TABLE archived_days DROP COLUMN source`, forget(newest))
	require.NoError(t, a.Bans.Put(ctx, "user_a", "", game.Act{ID: "1", Actor: "operator", At: noon}), "what the older tables have is used")
	older(fmt.Sprintf("migrations %d to %d are pending", newest-1, newest), forget(newest-1))
	older(fmt.Sprintf("migrations 1 to %d are pending", newest), `DROP TABLE schema_migrations`, `DROP TABLE archived_days CASCADE`)
}
