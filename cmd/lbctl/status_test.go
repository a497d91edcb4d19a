package main

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/runs"
	"github.com/framedle/leaderboards/internal/status"
)

func TestStatusSaysThatNothingIsWrong(t *testing.T) {
	product := localProduct(t)
	env := map[string]string{"LEADERBOARDS_URL": product.URL, "OPS_TOKEN": product.Secrets.OpsToken}
	code, out := lbctl(t, env, "status")
	require.Equal(t, statusGood, code, out.stderr.String())
	require.Contains(t, out.stdout.String(), "nothing is wrong")
	require.Contains(t, out.stdout.String(), "last never")

	code, out = lbctl(t, nil, "status", "-url", product.URL, "-json")
	require.Equal(t, statusGood, code, out.stderr.String())
	var s status.Status
	require.NoError(t, json.Unmarshal(out.stdout.Bytes(), &s))
	require.True(t, s.Good)
}

func TestStatusSaysWhatToDo(t *testing.T) {
	product := localProduct(t)
	record, err := json.Marshal(runs.Run{Due: product.Clock.Now(), Ended: product.Clock.Now().Add(time.Second), Error: "no route to host"})
	require.NoError(t, err)
	_, err = product.Upstash.Redis().Do(t.Context(), "HSET", "runs", "cron-daily", string(record))
	require.NoError(t, err)
	code, out := lbctl(t, map[string]string{"LEADERBOARDS_URL": product.URL}, "status")
	require.Equal(t, statusFaults, code, out.stderr.String())
	require.Contains(t, out.stdout.String(), "the last run of cron-daily failed: no route to host")
	require.Contains(t, out.stdout.String(), "do: look at its log, then run it: lbctl close day")
}

func TestStatusNeedsAProduct(t *testing.T) {
	code, out := lbctl(t, nil, "status", "-url", "http://127.0.0.1:1")
	require.Equal(t, statusFailed, code)
	require.Contains(t, out.stderr.String(), "OPS_TOKEN")
}
