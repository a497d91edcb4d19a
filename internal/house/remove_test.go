package house_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// removable are the features that can be removed with their folder, and how the lines of the
// product's wiring name them. Of the others, tests in internal/product/jobs and in
// internal/lifecycle still name the stores.
var removable = map[string]string{
	"presence": `(?i)presence`,
	"feed":     `\bfeed\b`,
	"move":     `feature/move|\bmove(Command)?\b`,
}

// A feature is its folder, its lines in the wiring and its command: without them the product and
// all other tests compile. The features are removed together.
func TestFeaturesCanBeRemoved(t *testing.T) {
	dir := copied(t)
	for name, lines := range removable {
		require.NoError(t, os.RemoveAll(filepath.Join(dir, "internal/feature", name)))
		commands, err := filepath.Glob(filepath.Join(dir, "cmd/lbctl", name+"*.go"))
		require.NoError(t, err)
		for _, file := range commands {
			require.NoError(t, os.Remove(file))
		}
		removed := 0
		for _, folder := range []string{"internal/product", "internal/dev/local", "cmd", "functions"} {
			require.NoError(t, filepath.WalkDir(filepath.Join(dir, folder), func(path string, entry os.DirEntry, err error) error {
				if err == nil && !entry.IsDir() && strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, "_test.go") {
					removed += removeLines(t, path, regexp.MustCompile(lines))
				}
				return err
			}))
		}
		require.Positive(t, removed)
		t.Log(name, "has", removed, "lines of wiring")
	}
	for _, command := range [][]string{{"vet", "./..."}, {"build", "-o", os.DevNull, "./functions/all"}} {
		run := exec.CommandContext(t.Context(), "go", command...)
		run.Dir = dir
		out, err := run.CombinedOutput()
		require.NoError(t, err, "%s", out)
	}
}

// copied is a copy of the Go code, and of what it embeds.
func copied(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	list := exec.CommandContext(t.Context(), "git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	list.Dir = "../.."
	out, err := list.Output()
	require.NoError(t, err)
	for name := range strings.SplitSeq(strings.TrimRight(string(out), "\x00"), "\x00") {
		if strings.HasPrefix(name, "docs/img/") || strings.HasPrefix(name, "site/") {
			continue
		}
		text, err := os.ReadFile(filepath.Join("../..", name))
		if os.IsNotExist(err) {
			continue // removed, and not yet committed
		}
		require.NoError(t, err)
		require.NoError(t, os.MkdirAll(filepath.Join(dir, filepath.Dir(name)), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), text, 0o600))
	}
	return dir
}

// removeLines removes the lines that match; of a statement, its block too. It returns how many.
func removeLines(t *testing.T, path string, which *regexp.Regexp) (removed int) {
	t.Helper()
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	var kept [][]byte
	depth := 0 // of the block that is being removed
	for line := range bytes.Lines(text) {
		code, _, _ := bytes.Cut(line, []byte("//"))
		if depth == 0 && !which.Match(code) {
			kept = append(kept, line)
			continue
		}
		removed++
		for _, open := range []string{"{", "(", "["} {
			depth += bytes.Count(code, []byte(open))
		}
		for _, closed := range []string{"}", ")", "]"} {
			depth -= bytes.Count(code, []byte(closed))
		}
		depth = max(depth, 0)
	}
	if removed > 0 {
		require.NoError(t, os.WriteFile(path, bytes.Join(kept, nil), 0o600))
	}
	return removed
}
