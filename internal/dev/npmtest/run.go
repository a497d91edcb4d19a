package npmtest

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

//go:embed reporter.mjs
var reporter []byte

// Suite is a run of `node --test`.
type Suite struct {
	Folder string   // folder of the files, with their node_modules; "" means "."
	Files  []string // by their names in Folder, each called *.test.mjs
	Env    []string // NAME=value, in addition to this process's environment
	// Timeout is the time after which one test counts as hung; 0 means 30 seconds. It
	// serves to name the test that hangs: no test may depend on it.
	Timeout time.Duration
}

// finished is a line of the output of reporter.mjs.
type finished struct {
	File    string
	Name    string
	Failed  bool
	Took    int // milliseconds
	Skipped bool
	Error   string
	Output  string // of a test file; the other fields are then empty
}

// Run runs the files; each of their tests is a subtest that ends when the test does. A
// skipped test fails, and so does a file in which no test passed.
func Run(t *testing.T, s Suite) {
	t.Helper()
	require.NoError(t, Need("node"))
	require.NotEmpty(t, s.Files)
	reporting := filepath.Join(t.TempDir(), "reporter.mjs")
	require.NoError(t, os.WriteFile(reporting, reporter, 0o600))
	timeout := s.Timeout
	if timeout == 0 {
		timeout = 30 * time.Second
	}
	args := []string{"--test", "--test-timeout=" + strconv.FormatInt(timeout.Milliseconds(), 10), "--test-reporter=" + reporting}
	node := exec.CommandContext(t.Context(), "node", append(args, s.Files...)...)
	node.Dir = s.Folder
	node.Env = append(os.Environ(), s.Env...)
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
		err = nil // node exits with an error only because tests failed
	}
	require.NoError(t, err, "node --test: %s", &stderr)
	for _, file := range s.Files {
		require.NotZero(t, passed[group(file)], "no test of %s passed", file)
	}
}

func report(t *testing.T, f finished, passed map[string]int) {
	if f.Output != "" {
		t.Log(strings.TrimRight(f.Output, "\n"))
		return
	}
	name := f.Name
	if filepath.IsAbs(name) { // a file that ended before its tests
		name = "the file itself"
	}
	t.Run(group(f.File)+"/"+name, func(t *testing.T) {
		t.Logf("%d ms", f.Took) // the subtest itself takes none
		require.False(t, f.Failed, f.Error)
		require.False(t, f.Skipped, "a skipped test holds nothing")
		passed[group(f.File)]++
	})
}

// group is the name of the subtest for the tests of a file.
func group(file string) string {
	return strings.TrimSuffix(filepath.Base(file), ".test.mjs")
}
