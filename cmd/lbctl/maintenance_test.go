package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/upstash/upstashtest"
)

func TestMaintenanceIsSwitchedOnAndOff(t *testing.T) {
	server := upstashtest.Start(t, upstashtest.Options{})
	env := map[string]string{"UPSTASH_REDIS_REST_URL": server.URL(), "UPSTASH_REDIS_REST_TOKEN": server.Token()}
	lbctl := func(args ...string) (int, string) {
		var out, log strings.Builder
		status := run(t.Context(), append([]string{"maintenance"}, args...), console{&out, &log, false, func(name string) string { return env[name] }})
		return status, out.String() + log.String()
	}
	for _, row := range []struct {
		args   string
		status int
		says   string
	}{
		{"status", statusGood, "off"}, {"on --for 2h --reason moving", statusGood, "on since"}, {"status", statusGood, "on since"},
		{"off", statusGood, "off"}, {"status", statusGood, "off"}, {"on --for 169h", statusFailed, "up to 168h"}, {"", statusFailed, "on, off or status"},
	} {
		status, out := lbctl(strings.Fields(row.args)...)
		require.Equal(t, row.status, status, out)
		require.Contains(t, out, row.says)
	}
}
