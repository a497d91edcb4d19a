package postgresd_test

import (
	"context"
	"net"
	"os"
	"path/filepath"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/dev/postgresd"
)

func start(t *testing.T, o postgresd.Options) *postgresd.Server {
	t.Helper()
	s, err := postgresd.Start(t.Context(), o)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Stop()) })
	return s
}

func connect(t *testing.T, s *postgresd.Server) *pgx.Conn {
	t.Helper()
	c, err := pgx.Connect(t.Context(), s.URL())
	require.NoError(t, err)
	t.Cleanup(func() { _ = c.Close(context.Background()) })
	return c
}

func ask(t *testing.T, s *postgresd.Server, query string) string {
	t.Helper()
	var answer string
	require.NoError(t, connect(t, s).QueryRow(t.Context(), query).Scan(&answer))
	return answer
}

func do(t *testing.T, s *postgresd.Server, statement string) {
	t.Helper()
	_, err := connect(t, s).Exec(t.Context(), statement)
	require.NoError(t, err)
}

func TestATemporaryServerAnswersAndLeavesNothing(t *testing.T) {
	parent := t.TempDir()
	t.Setenv("TMPDIR", parent)
	s := start(t, postgresd.Options{})
	made, err := os.ReadDir(parent)
	require.NoError(t, err)
	require.Len(t, made, 1)
	require.Contains(t, s.URL(), "@"+s.Addr()+"/postgres?")
	require.Equal(t, "UTF8", ask(t, s, "SHOW server_encoding"))
	require.Equal(t, "C", ask(t, s, "SELECT datcollate FROM pg_database WHERE datname = 'postgres'"))
	require.Equal(t, "off", ask(t, s, "SHOW fsync"))
	require.Empty(t, ask(t, s, "SHOW unix_socket_directories"))
	require.Equal(t, "127.0.0.1", ask(t, s, "SHOW listen_addresses"))

	config, err := pgx.ParseConfig(s.URL())
	require.NoError(t, err)
	require.Len(t, config.Password, 48)
	config.Password = "guess"
	_, err = pgx.ConnectConfig(t.Context(), config)
	require.ErrorContains(t, err, "password authentication failed")

	require.NoError(t, s.Stop(), "with connections open")
	require.NoError(t, s.Stop(), "a second Stop changes nothing")
	_, err = net.Dial("tcp", s.Addr())
	require.Error(t, err)
	left, err := os.ReadDir(parent)
	require.NoError(t, err)
	require.Empty(t, left)
}

func TestADirectoryKeepsItsDataAndItsURLOnAPort(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	first := start(t, postgresd.Options{Dir: dir})
	require.Equal(t, "on", ask(t, first, "SHOW fsync"))
	do(t, first, "CREATE TABLE kept AS SELECT 'yes' AS word")
	require.NoError(t, first.Stop())

	addr, err := net.ResolveTCPAddr("tcp", first.Addr())
	require.NoError(t, err)
	second := start(t, postgresd.Options{Dir: dir, Port: addr.Port})
	require.Equal(t, first.URL(), second.URL())
	require.Equal(t, "yes", ask(t, second, "SELECT word FROM kept"))
}

func TestWhatWasCommittedSurvivesACrash(t *testing.T) {
	dir := t.TempDir()
	crashed := start(t, postgresd.Options{Dir: dir, NoSync: true})
	do(t, crashed, "CREATE TABLE kept AS SELECT 'yes' AS word")
	open := connect(t, crashed)
	require.NoError(t, crashed.Kill())
	require.Error(t, open.Ping(t.Context()))

	again := start(t, postgresd.Options{Dir: dir, NoSync: true})
	require.Equal(t, "yes", ask(t, again, "SELECT word FROM kept"))
	require.Equal(t, "off", ask(t, again, "SHOW fsync"))
}

func TestAnInterruptedBeginningIsDoneAgain(t *testing.T) {
	dir := t.TempDir()
	half := filepath.Join(dir, "cluster.new")
	require.NoError(t, os.MkdirAll(filepath.Join(half, "base"), 0o700))
	s := start(t, postgresd.Options{Dir: dir, NoSync: true})
	require.Equal(t, "1", ask(t, s, "SELECT '1'"))
	require.NoDirExists(t, half)
}
