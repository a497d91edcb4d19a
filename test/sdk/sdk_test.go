// Package sdk_test drives the official @upstash/redis and @upstash/ratelimit
// packages for Node, as they are published, against the local Upstash server:
// what they take for Upstash, others will too.
//
// The Go side knows how to start servers, install the packages and run Node; the
// cases are in the *.test.mjs files, which know nothing but a URL and tokens.
package sdk_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/npmtest"
	"github.com/framedle/leaderboards/internal/redisd"
	"github.com/framedle/leaderboards/upstash/upstashtest"
)

const readOnlyToken = "read-only"

// onlyEmbedded is the file for the embedded engine alone; all others run over both.
const onlyEmbedded = "only_embedded.test.mjs"

func TestOfficialSDKs(t *testing.T) {
	require.NoError(t, npmtest.Install(t.Context(), "."))
	t.Run("embedded", func(t *testing.T) {
		t.Parallel()
		inBothModes(t, "", "")
	})
	t.Run("real", func(t *testing.T) {
		t.Parallel()
		engine, err := redisd.Start(t.Context(), redisd.Options{})
		require.NoError(t, err)
		t.Cleanup(func() { _ = engine.Stop() })
		inBothModes(t, engine.URL(), onlyEmbedded)
	})
}

// inBothModes runs the suite with every command in a request of its own, and
// with the pipelines that the SDK makes by itself.
func inBothModes(t *testing.T, redisURL, except string) {
	t.Run("single", func(t *testing.T) { runSuite(t, redisURL, except, "off") })
	t.Run("auto-pipelined", func(t *testing.T) { runSuite(t, redisURL, except, "on") })
}

// finished is a line of reporter.mjs.
type finished struct {
	File    string
	Name    string
	Failed  bool
	Skipped bool
	Error   string
	Output  string // of a test file, instead of all the above
}

// runSuite runs all test files, but one where it is named, over an engine; every
// test becomes a subtest as soon as it is over.
func runSuite(t *testing.T, redisURL, except, autoPipelining string) {
	files, err := filepath.Glob("*.test.mjs")
	require.NoError(t, err)
	if except != "" {
		require.Contains(t, files, except)
	}
	files = slices.DeleteFunc(files, func(file string) bool { return file == except })

	server := upstashtest.Start(t, upstashtest.Options{ReadOnlyToken: readOnlyToken, Redis: redisURL})
	node := exec.CommandContext(t.Context(), "node", append([]string{"--test", "--test-timeout=30000", "--test-reporter=./reporter.mjs"}, files...)...)
	node.Env = append(os.Environ(),
		"UPSTASH_REDIS_REST_URL="+server.URL(),
		"UPSTASH_REDIS_REST_TOKEN="+server.Token(),
		"UPSTASH_REDIS_REST_READONLY_TOKEN="+readOnlyToken,
		"SDK_AUTO_PIPELINING="+autoPipelining,
	)
	var stderr bytes.Buffer
	node.Stderr = &stderr
	stdout, err := node.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, node.Start())

	passed := map[string]int{}
	lines := json.NewDecoder(stdout)
	for lines.More() {
		var f finished
		if err := lines.Decode(&f); err != nil {
			t.Errorf("reporter.mjs: %v", err)
			break
		}
		report(t, f, passed)
	}
	err = node.Wait()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) && t.Failed() {
		err = nil // node says once more that tests failed
	}
	require.NoError(t, err, "node --test: %s", &stderr)
	for _, file := range files {
		require.NotZero(t, passed[strings.TrimSuffix(file, ".test.mjs")], "no test of %s passed", file)
	}
}

func report(t *testing.T, f finished, passed map[string]int) {
	if f.Output != "" {
		t.Log(strings.TrimRight(f.Output, "\n"))
		return
	}
	group := strings.TrimSuffix(filepath.Base(f.File), ".test.mjs")
	name := f.Name
	if filepath.IsAbs(name) { // a file that ended before its tests did
		name = "the file itself"
	}
	t.Run(group+"/"+name, func(t *testing.T) {
		require.False(t, f.Failed, f.Error)
		require.False(t, f.Skipped, "a skipped test holds nothing: move it to %s", onlyEmbedded)
		passed[group]++
	})
}
