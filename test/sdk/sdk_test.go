// Package sdk_test drives the official @upstash/redis and @upstash/ratelimit
// packages for Node, as they are published, against the local Upstash server:
// what they take for Upstash, others will too.
//
// The Go side knows how to start servers, install the packages and run Node; the
// cases are in the *.test.mjs files, which know nothing but a URL and tokens.
package sdk_test

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/dev/npmtest"
	"github.com/framedle/leaderboards/internal/dev/redisd"
	"github.com/framedle/leaderboards/upstash/upstashtest"
)

const readOnlyToken = "read-only"

// onlyRedis is the file for what the embedded engine has not; all others run over both.
const onlyRedis = "only_redis.test.mjs"

func TestOfficialSDKs(t *testing.T) {
	require.NoError(t, npmtest.Install(t.Context(), "."))
	t.Run("embedded", func(t *testing.T) {
		t.Parallel()
		inBothModes(t, "", onlyRedis)
	})
	t.Run("real", func(t *testing.T) {
		t.Parallel()
		engine, err := redisd.Start(t.Context(), redisd.Options{})
		require.NoError(t, err)
		t.Cleanup(func() { _ = engine.Stop() })
		inBothModes(t, engine.URL(), "")
	})
}

// inBothModes runs the suite with every command in a request of its own, and
// with the pipelines that the SDK makes by itself.
func inBothModes(t *testing.T, redisURL, except string) {
	t.Run("single", func(t *testing.T) { runSuite(t, redisURL, except, "off") })
	t.Run("auto-pipelined", func(t *testing.T) { runSuite(t, redisURL, except, "on") })
}

// runSuite runs all test files, but one where it is named, over an engine.
func runSuite(t *testing.T, redisURL, except, autoPipelining string) {
	files, err := filepath.Glob("*.test.mjs")
	require.NoError(t, err)
	if except != "" {
		require.Contains(t, files, except)
	}
	files = slices.DeleteFunc(files, func(file string) bool { return file == except })

	server := upstashtest.Start(t, upstashtest.Options{ReadOnlyToken: readOnlyToken, Redis: redisURL})
	npmtest.Run(t, npmtest.Suite{Files: files, Env: []string{
		"UPSTASH_REDIS_REST_URL=" + server.URL(),
		"UPSTASH_REDIS_REST_TOKEN=" + server.Token(),
		"UPSTASH_REDIS_REST_READONLY_TOKEN=" + readOnlyToken,
		"SDK_AUTO_PIPELINING=" + autoPipelining,
	}})
}
