package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/dev/local"
	"github.com/framedle/leaderboards/internal/product/app"
)

// play runs the command.
func play(t *testing.T, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	var out, messages bytes.Buffer
	status = run(t.Context(), args, console{&out, &messages, false})
	return status, out.String(), messages.String()
}

func TestReplaysThatAreNotUnderstoodFail(t *testing.T) {
	for name, test := range map[string]struct {
		args []string
		says string
	}{
		"no such day file":   {[]string{"none.csv"}, "no such file"},
		"no such day":        {[]string{"-date", "2022-02-02"}, "the made-up day has no 2022-02-02"},
		"no such date":       {[]string{"-date", "2022-02-30"}, "-date: "},
		"two day files":      {[]string{"-file", "a", "b"}, "one file too many"},
		"two files":          {[]string{"a", "b"}, `unexpected argument "b"`},
		"no such Redis":      {[]string{"-redis", "http://x"}, "-redis http://x: use auto"},
		"no workers":         {[]string{"-redis", "embedded", "-workers", "0"}, "-workers 0"},
		"no such match file": {[]string{"duels", "none.csv"}, "no such file"},
		"no message file":    {[]string{"activity", "none.txt"}, "no such file"},
		"no such cut":        {[]string{"activity", "-cut", "90"}, "-cut 0 to 60"},
		"no such group":      {[]string{"activity", "-group", "a b"}, "is not a group"},
		"no passes":          {[]string{"duels", "-passes", "0"}, "-passes 1 or more"},
	} {
		t.Run(name, func(t *testing.T) {
			status, stdout, stderr := play(t, test.args...)
			require.Equal(t, statusFailed, status)
			require.Contains(t, stderr, test.says)
			require.Empty(t, stdout)
		})
	}
}

func TestHelpIsThereForEveryReplay(t *testing.T) {
	for says, args := range map[string][]string{
		"Usage: replay [flags]":  {"-help"},
		"Usage: replay duels":    {"duels", "-help"},
		"Usage: replay activity": {"activity", "-help"},
	} {
		status, _, stderr := play(t, args...)
		require.Equal(t, statusRight, status)
		require.Contains(t, stderr, says)
	}
}

// day is a day of 40 players.
func day(t *testing.T) string {
	path := filepath.Join(t.TempDir(), "days.csv")
	require.NoError(t, os.WriteFile(path, []byte("date,reported_results,pct_1,pct_2,pct_3,pct_4,pct_5,pct_6,pct_fail\n2022-02-01,1,0,0,1,0,0,0,0\n2022-02-02,40,5,15,30,30,10,5,5\n"), 0o600))
	return path
}

func TestReplayStartsAProductOfItsOwn(t *testing.T) {
	status, stdout, stderr := play(t, "-redis", "embedded", "-workers", "1", day(t))
	require.Equal(t, statusRight, status, stderr+stdout)
	require.Contains(t, stdout, "Top of 2022-02-02, 40 players")
	require.Contains(t, stdout, "Counted by Redis")
	require.Contains(t, stdout, "Heap alive")
	require.Contains(t, stdout, "Every rank is right.")
}

func TestReplayUsesAProductThatRuns(t *testing.T) {
	g, err := app.LoadGame("")
	require.NoError(t, err)
	product, err := local.Start(t.Context(), local.Options{Addr: "127.0.0.1:0", Redis: local.RedisEmbedded, Game: g, Log: io.Discard})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, product.Close()) })
	product.Clock.Set(time.Date(2026, 11, 12, 12, 0, 0, 0, time.UTC))
	status, stdout, stderr := play(t, "-url", product.URL, "-date", "2022-02-01", "-file", day(t))
	require.Equal(t, statusRight, status, stderr+stdout)
	require.Contains(t, stdout, "Every rank is right.")
	require.NotContains(t, stdout, "Heap alive")
	require.NotEqual(t, 2022, product.Clock.Now().Year(), "the clock is given back")
}
