package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/upstash/upstashtest"
)

func TestAGameIsComparedWithWhatIsStoredAndAccepted(t *testing.T) {
	server := upstashtest.Start(t, upstashtest.Options{})
	env := map[string]string{"UPSTASH_REDIS_REST_URL": server.URL(), "UPSTASH_REDIS_REST_TOKEN": server.Token()}
	file := func(name, text string) string {
		path := filepath.Join(t.TempDir(), name)
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		return path
	}
	const rules = "name: g\nmodes:\n  word: {max: 6}\n"
	now, flipped := file("now.yaml", rules), file("flipped.yaml", strings.Replace(rules, "max: 6", "max: 6, order: asc", 1))
	lbctl := func(args ...string) (int, string) {
		var out, log strings.Builder
		status := run(t.Context(), append([]string{"game"}, args...), console{&out, &log, false, func(name string) string { return env[name] }})
		return status, out.String() + log.String()
	}
	status, out := lbctl("diff", "--redis", now)
	require.Equal(t, statusGood, status, out)
	require.Contains(t, out, "no rules stored yet")
	require.NotContains(t, out, "unchanged:")
	status, out = lbctl("accept", now)
	require.Equal(t, statusGood, status, out)
	status, out = lbctl("diff", "--redis", now)
	require.Equal(t, statusGood, status, out)
	require.Contains(t, out, "unchanged: the stored boards use these rules")
	status, out = lbctl("diff", "--redis", flipped)
	require.Equal(t, statusFaults, status, out)
	require.Contains(t, out, "refused      modes.word.order: desc -> asc")
	status, out = lbctl("accept", flipped)
	require.Equal(t, statusGood, status, out)
	require.Contains(t, out, "refused      modes.word.order")
	status, _ = lbctl("diff", "--redis", now)
	require.Equal(t, statusFaults, status)
	env["UPSTASH_REDIS_REST_URL"] = ""
	status, _ = lbctl("accept", now)
	require.Equal(t, statusFailed, status)
}
