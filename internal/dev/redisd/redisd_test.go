package redisd_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/dev/redisd"
)

func ask(t *testing.T, addr, line string) string {
	t.Helper()
	c, err := net.Dial("tcp", addr)
	require.NoError(t, err)
	defer c.Close()
	_, err = fmt.Fprintf(c, "%s\r\n", line)
	require.NoError(t, err)
	answer, err := bufio.NewReader(c).ReadString('\n')
	require.NoError(t, err)
	return answer
}

func TestStartAnswersAndStopEndsIt(t *testing.T) {
	s, err := redisd.Start(t.Context(), redisd.Options{})
	require.NoError(t, err)
	defer s.Stop()
	require.Equal(t, "redis://"+s.Addr(), s.URL())
	require.Equal(t, "+PONG\r\n", ask(t, s.Addr(), "PING"))

	require.NoError(t, s.Stop())
	require.NoError(t, s.Stop(), "a second Stop changes nothing")
	_, err = net.Dial("tcp", s.Addr())
	require.Error(t, err)
}

func TestDataSurvivesARestartOnlyInADirectory(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	for i, want := range []string{"$-1\r\n", "$1\r\n"} {
		s, err := redisd.Start(t.Context(), redisd.Options{Dir: dir})
		require.NoError(t, err)
		require.Equal(t, want, ask(t, s.Addr(), "GET k"), "run %d", i)
		require.Equal(t, "+OK\r\n", ask(t, s.Addr(), "SET k v"))
		require.NoError(t, s.Stop())
	}
}

func TestAnothersDataIsRefusedAndStays(t *testing.T) {
	for _, name := range []string{"dump.rdb", "appendonly.aof", "appendonlydir/appendonly.aof.manifest"} {
		dir := t.TempDir()
		path := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
		require.NoError(t, os.WriteFile(path, []byte("another's"), 0o600))
		_, err := redisd.Start(t.Context(), redisd.Options{Dir: dir})
		require.ErrorContains(t, err, "was not started here")
		held, err := os.ReadFile(path)
		require.NoError(t, err)
		require.Equal(t, "another's", string(held))
	}
}

func TestOneServerAtATimeKeepsItsDataInADirectory(t *testing.T) {
	dir := t.TempDir()
	s, err := redisd.Start(t.Context(), redisd.Options{Dir: dir})
	require.NoError(t, err)
	defer s.Stop()
	_, err = redisd.Start(t.Context(), redisd.Options{Dir: dir})
	require.ErrorIs(t, err, redisd.ErrInUse)
	require.Equal(t, "+OK\r\n", ask(t, s.Addr(), "SET k v"))

	again := make(chan error)
	go func() {
		second, err := redisd.Start(t.Context(), redisd.Options{Dir: dir})
		if err == nil {
			defer second.Stop()
			if ask(t, second.Addr(), "GET k") != "$1\r\n" {
				err = errors.New("the second server has not what the first kept")
			}
		}
		again <- err
	}()
	require.NoError(t, s.Stop())
	require.NoError(t, <-again, "whoever waits for the other's end begins after it")
}

func TestTwoServersStandSideBySide(t *testing.T) {
	a, err := redisd.Start(t.Context(), redisd.Options{})
	require.NoError(t, err)
	defer a.Stop()
	b, err := redisd.Start(t.Context(), redisd.Options{})
	require.NoError(t, err)
	defer b.Stop()
	require.Equal(t, "+OK\r\n", ask(t, a.Addr(), "SET k v"))
	require.Equal(t, "$-1\r\n", ask(t, b.Addr(), "GET k"))
}

func TestAFailedStartShowsTheServersOwnWords(t *testing.T) {
	broken := filepath.Join(t.TempDir(), "broken-server")
	require.NoError(t, os.WriteFile(broken, []byte("#!/bin/sh\necho 'no such module: moon' >&2\nexit 3\n"), 0o700))
	_, err := redisd.Start(t.Context(), redisd.Options{Path: broken})
	require.ErrorContains(t, err, "exited while starting")
	require.ErrorContains(t, err, "no such module: moon")
}

func TestACancelledStartReturns(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := redisd.Start(ctx, redisd.Options{})
	require.ErrorIs(t, err, context.Canceled)
}

func TestFindFollowsTheEnvironment(t *testing.T) {
	exe, err := os.Executable()
	require.NoError(t, err)
	t.Setenv("REDIS_SERVER", exe)
	path, ok := redisd.Find()
	require.True(t, ok)
	require.Equal(t, exe, path)

	t.Setenv("REDIS_SERVER", filepath.Join(t.TempDir(), "missing"))
	_, ok = redisd.Find()
	require.False(t, ok)
	_, err = redisd.Start(t.Context(), redisd.Options{})
	require.ErrorIs(t, err, redisd.ErrNotFound)
}
