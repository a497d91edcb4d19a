package postgresd_test

import (
	"context"
	"net"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/dev/postgresd"
)

// programs makes a folder with an initdb and a postgres of a version, which do
// nothing but fail.
func programs(t *testing.T, version string) string {
	t.Helper()
	bin := t.TempDir()
	require.NoError(t, os.Chmod(bin, 0o755))
	require.NoError(t, os.Chmod(filepath.Dir(bin), 0o755))
	script := "#!/bin/sh\n[ \"$1\" = --version ] && echo 'postgres (PostgreSQL) " + version + "' && exit 0\necho 'no such locale: moon' >&2\nexit 3\n"
	for _, name := range []string{"initdb", "postgres"} {
		require.NoError(t, os.WriteFile(filepath.Join(bin, name), []byte(script), 0o755))
	}
	return bin
}

func TestFindFollowsTheEnvironment(t *testing.T) {
	bin := programs(t, "16.2 (Debian 16.2-1)")
	t.Setenv("PG_BIN", bin)
	found, ok := postgresd.Find()
	require.True(t, ok)
	require.Equal(t, bin, found)

	t.Setenv("PG_BIN", filepath.Join(bin, "missing"))
	_, ok = postgresd.Find()
	require.False(t, ok)
	_, err := postgresd.Start(t.Context(), postgresd.Options{})
	require.ErrorIs(t, err, postgresd.ErrNotFound)
}

func TestFindPassesOverOldVersions(t *testing.T) {
	t.Setenv("PG_BIN", programs(t, "13.14"))
	_, ok := postgresd.Find()
	require.False(t, ok)
	t.Setenv("PG_BIN", programs(t, "17beta1"))
	_, ok = postgresd.Find()
	require.True(t, ok)
}

func TestAFailedStartShowsPostgresOwnWords(t *testing.T) {
	_, err := postgresd.Start(t.Context(), postgresd.Options{Bin: programs(t, "16.2")})
	require.ErrorContains(t, err, "initdb")
	require.ErrorContains(t, err, "no such locale: moon")
}

func TestACancelledStartReturns(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := postgresd.Start(ctx, postgresd.Options{})
	require.ErrorIs(t, err, context.Canceled)
}

func TestAFolderOfOtherThingsIsLeftAlone(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "letter.txt"), nil, 0o600))
	_, err := postgresd.Start(t.Context(), postgresd.Options{Dir: dir})
	require.ErrorContains(t, err, "letter.txt")
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, left, 1)
}

func TestAClusterWithoutItsVersionOrPasswordIsNamed(t *testing.T) {
	dir := t.TempDir()
	s := start(t, postgresd.Options{Dir: dir, NoSync: true})
	require.NoError(t, s.Stop())
	version := filepath.Join(dir, "cluster", "PG_VERSION")
	real, err := os.ReadFile(version)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(version, []byte("9\n"), 0o600))
	_, err = postgresd.Start(t.Context(), postgresd.Options{Dir: dir})
	require.ErrorContains(t, err, "was made by Postgres 9")
	require.NoError(t, os.WriteFile(version, real, 0o600))
	require.NoError(t, os.Remove(filepath.Join(dir, "password")))
	_, err = postgresd.Start(t.Context(), postgresd.Options{Dir: dir})
	require.ErrorContains(t, err, "password")
}

func TestATakenPortIsSaid(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer l.Close()
	_, err = postgresd.Start(t.Context(), postgresd.Options{Port: l.Addr().(*net.TCPAddr).Port})
	require.ErrorContains(t, err, "Address already in use")
}

func TestTwoServersCannotShareADirectory(t *testing.T) {
	dir := t.TempDir()
	start(t, postgresd.Options{Dir: dir, NoSync: true})
	_, err := postgresd.Start(t.Context(), postgresd.Options{Dir: dir})
	require.ErrorIs(t, err, postgresd.ErrInUse)
}
