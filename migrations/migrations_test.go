package migrations_test

import (
	"context"
	"io/fs"
	"net/url"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/archive/archivetest"
	"github.com/framedle/leaderboards/migrations"
)

func names(all []migrations.Migration) []string {
	var n []string
	for _, m := range all {
		n = append(n, m.Name)
	}
	return n
}

func files(t *testing.T) []string {
	t.Helper()
	all, err := fs.Glob(os.DirFS("."), "*.sql")
	require.NoError(t, err)
	require.NotEmpty(t, all)
	return all
}

// empty gives a database that no migration has seen.
func empty(t *testing.T) (where string, conn *pgx.Conn) {
	t.Helper()
	server := archivetest.Database(t)
	first, err := pgx.Connect(t.Context(), server)
	require.NoError(t, err)
	name := strings.ToLower("empty_" + strings.ReplaceAll(t.Name(), "/", "_"))
	_, err = first.Exec(t.Context(), "CREATE DATABASE "+name)
	require.NoError(t, err)
	u, err := url.Parse(server)
	require.NoError(t, err)
	u.Path = name
	conn, err = pgx.Connect(t.Context(), u.String())
	require.NoError(t, err)
	t.Cleanup(func() {
		ctx := context.Background()
		require.NoError(t, conn.Close(ctx))
		_, err := first.Exec(ctx, "DROP DATABASE "+name+" WITH (FORCE)")
		require.NoError(t, err)
		require.NoError(t, first.Close(ctx))
	})
	return u.String(), conn
}

func TestEveryFileIsAppliedOnceInOrder(t *testing.T) {
	where, conn := empty(t)
	var tables int
	count := func() int {
		require.NoError(t, conn.QueryRow(t.Context(), "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'").Scan(&tables))
		return tables
	}
	before, err := migrations.Status(t.Context(), where)
	require.NoError(t, err)
	require.Equal(t, files(t), names(before))
	for _, m := range before {
		require.Zero(t, m.AppliedAt, m.Name)
	}
	require.Zero(t, count(), "asking changes nothing")

	applied, err := migrations.Up(t.Context(), where)
	require.NoError(t, err)
	require.Equal(t, files(t), names(applied))
	require.EqualValues(t, 1, applied[0].Version)
	require.Positive(t, count())

	again, err := migrations.Up(t.Context(), where)
	require.NoError(t, err)
	require.Empty(t, again)
	after, err := migrations.Status(t.Context(), where)
	require.NoError(t, err)
	require.Equal(t, files(t), names(after))
	for _, m := range after {
		require.NotZero(t, m.AppliedAt, m.Name)
	}
}

func TestRunsAtOnceApplyEachFileOnce(t *testing.T) {
	where, _ := empty(t)
	var mu sync.Mutex
	var all []string
	var runs sync.WaitGroup
	for range 3 {
		runs.Go(func() {
			applied, err := migrations.Up(t.Context(), where)
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				t.Error(err)
			}
			all = append(all, names(applied)...)
		})
	}
	runs.Wait()
	require.Equal(t, files(t), all)
}

func TestAFailedFileIsNamedAndLeavesNothing(t *testing.T) {
	where, conn := empty(t)
	_, err := conn.Exec(t.Context(), "CREATE TABLE results (mine int)")
	require.NoError(t, err)
	applied, err := migrations.Up(t.Context(), where)
	require.ErrorContains(t, err, files(t)[0])
	require.ErrorContains(t, err, `relation "results" already exists`)
	require.Empty(t, applied)

	_, err = conn.Exec(t.Context(), "DROP TABLE results")
	require.NoError(t, err)
	applied, err = migrations.Up(t.Context(), where)
	require.NoError(t, err)
	require.Equal(t, files(t), names(applied))
}

func TestPoolersAreRefused(t *testing.T) {
	const pooled = "postgres://u:secret@ep-cool-sun-123-pooler.eu-central-1.aws.neon.tech/db"
	_, err := migrations.Up(t.Context(), pooled)
	require.ErrorIs(t, err, migrations.ErrPooled)
	require.ErrorContains(t, err, "use the direct address")
	_, err = migrations.Status(t.Context(), pooled)
	require.ErrorIs(t, err, migrations.ErrPooled)
}

// A pooler of another name is known by what its sessions say: that a statement is
// there already, or that it is not, whoever has prepared it.
func TestPoolersOfAnyNameAreRecognizedByTheirSessions(t *testing.T) {
	for _, code := range []string{"42P05", "26000"} {
		t.Run(code, func(t *testing.T) {
			where, conn := empty(t)
			_, err := conn.Exec(t.Context(), `
CREATE FUNCTION of_another_session() RETURNS event_trigger LANGUAGE plpgsql AS $$
BEGIN RAISE EXCEPTION 'prepared statement "stmt_1" already exists' USING ERRCODE = '`+code+`'; END $$;
CREATE EVENT TRIGGER pooled ON ddl_command_start EXECUTE FUNCTION of_another_session()`)
			require.NoError(t, err)
			_, err = migrations.Up(t.Context(), where)
			require.ErrorIs(t, err, migrations.ErrPooled)
			require.ErrorContains(t, err, "use the direct address")
			require.ErrorContains(t, err, code)
		})
	}
}

func TestErrorsNameTheServerAndNotThePassword(t *testing.T) {
	for _, where := range []string{"postgres://u:secret@127.0.0.1:1/db", "postgres://u:secret@127.0.0.1:port/db", "nonsense"} {
		_, err := migrations.Up(t.Context(), where)
		require.ErrorContains(t, err, "migrations: ")
		require.NotContains(t, err.Error(), "secret")
	}
}
