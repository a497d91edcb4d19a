// Package outside_test uses the public packages as another module does: the test
// that the README shows is put into a module of its own, and run.
package outside_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTheReadmesTestRunsInAnotherModule(t *testing.T) {
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	page, err := os.ReadFile(filepath.Join(root, "README.md"))
	require.NoError(t, err)
	shown := regexp.MustCompile("(?s)```go\n(package yours_test\n.*?)```").FindSubmatch(page)
	require.NotNil(t, shown, "README.md shows no test of package yours_test")

	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "yours_test.go"), shown[1], 0o600))
	sums, err := os.ReadFile(filepath.Join(root, "go.sum"))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go.sum"), sums, 0o600))
	run := func(args ...string) string {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), "go", args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOPROXY=off", "GOWORK=off")
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s", out)
		return string(out)
	}
	run("mod", "init", "example.com/yours")
	run("mod", "edit", "-require=github.com/framedle/leaderboards@v0.0.0", "-replace=github.com/framedle/leaderboards="+root)
	require.Contains(t, run("test", "-count=1", "-v", "./..."), "--- PASS: TestVisits")
}
