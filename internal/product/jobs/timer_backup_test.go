package jobs_test

import (
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/product/jobs"
)

// The timer backs up each night if it has a folder for it, and tries three times.
func TestTheTimerBacksUp(t *testing.T) {
	dir := t.TempDir()
	lbctl, calls := filepath.Join(dir, "lbctl"), filepath.Join(dir, "calls")
	env := map[string]string{"URL": "http://127.0.0.1:1", "SCHEDULE_TOKEN": strings.Repeat("t", 32), "BACKUPS": dir}
	timer, err := jobs.NewTimer(func(name string) string { return env[name] }, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	timer.BackupTool, timer.Again = lbctl, time.Millisecond
	next := timer.Plan["backup"].Next(time.Date(2026, 11, 29, 12, 0, 0, 0, time.UTC))
	require.Equal(t, time.Date(2026, 11, 30, 3, 40, 0, 0, time.UTC), next.UTC())
	for end, want := range map[string]int{"exit 0": 1, "exit 1": 3} {
		require.NoError(t, os.WriteFile(lbctl, []byte("#!/bin/sh\necho \"$@\" >>"+calls+"\n"+end+"\n"), 0o700))
		timer.Fire(t.Context(), "backup")
		made, err := os.ReadFile(calls)
		require.NoError(t, err)
		require.Equal(t, strings.Repeat("backup --to "+dir+" --keep 14\n", want), string(made))
		require.NoError(t, os.Remove(calls))
	}
	env["BACKUPS"] = "backups"
	_, err = jobs.NewTimer(func(name string) string { return env[name] }, nil)
	require.EqualError(t, err, `BACKUPS is "backups": use the whole path of a folder, such as /backups`)
	delete(env, "BACKUPS")
	timer, err = jobs.NewTimer(func(name string) string { return env[name] }, nil)
	require.NoError(t, err)
	require.NotContains(t, timer.Plan, "backup")
}
