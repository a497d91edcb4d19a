package archivetest_test

import (
	"context"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/archive/archivetest"
)

func connect(t *testing.T, url string) *pgx.Conn {
	t.Helper()
	c, err := pgx.Connect(t.Context(), url)
	require.NoError(t, err)
	t.Cleanup(func() { _ = c.Close(context.Background()) })
	return c
}

func count(t *testing.T, c *pgx.Conn, table string) int {
	t.Helper()
	var n int
	require.NoError(t, c.QueryRow(t.Context(), "SELECT count(*) FROM "+table).Scan(&n))
	return n
}

func TestEveryDatabaseIsMigratedAndEmpty(t *testing.T) {
	first, second := connect(t, archivetest.Database(t)), connect(t, archivetest.Database(t))
	_, err := first.Exec(t.Context(), "INSERT INTO profiles (player, updated_at) VALUES ('user_ana', now())")
	require.NoError(t, err)
	require.Equal(t, 1, count(t, first, "profiles"))
	require.Zero(t, count(t, second, "profiles"))
}

func TestADatabaseGoesWithItsTestAndItsConnections(t *testing.T) {
	var url string
	var left *pgx.Conn
	t.Run("a test", func(t *testing.T) {
		url = archivetest.Database(t)
		var err error
		left, err = pgx.Connect(t.Context(), url)
		require.NoError(t, err)
	})
	require.Error(t, left.Ping(t.Context()))
	_, err := pgx.Connect(t.Context(), url)
	require.ErrorContains(t, err, "does not exist")
}

func TestDatabasesAreMadeByManyTestsAtOnce(t *testing.T) {
	for range 4 {
		t.Run("one of them", func(t *testing.T) {
			t.Parallel()
			require.Zero(t, count(t, connect(t, archivetest.Database(t)), "profiles"))
		})
	}
}

func TestAServerGoesAwayAndComesBackWithWhatWasCommitted(t *testing.T) {
	server := archivetest.Server(t)
	url := server.URL()
	for i, end := range []func(){server.Stop, server.Kill} {
		c := connect(t, url)
		_, err := c.Exec(t.Context(), "INSERT INTO profiles (player, updated_at) VALUES ($1, now())", strings.Repeat("p", i+1))
		require.NoError(t, err)
		end()
		end() // a second time changes nothing
		require.Error(t, c.Ping(t.Context()))
		_, err = pgx.Connect(t.Context(), url)
		require.Error(t, err)
		server.Start()
		server.Start()
		require.Equal(t, url, server.URL())
		require.Equal(t, i+1, count(t, connect(t, url), "profiles"))
	}
}
