package docs_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var testDeclared = regexp.MustCompile(`(?m)^func (Test\w+)\(t \*testing\.T\)`)

// Each feature has a page, which TestEveryRelativeLinkLeadsToAFile finds, and a test, which is
// found here.
func TestEveryFeatureHasAPageAndATest(t *testing.T) {
	tests, rows := declaredTests(t), 0
	for line := range strings.Lines(read(t, "docs/start/features.md")) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		if !strings.HasPrefix(line, "|") || strings.HasPrefix(line, "|---") || strings.TrimSpace(cells[0]) == "need" {
			continue
		}
		require.Len(t, cells, 4, line)
		require.Regexp(t, link, cells[2], "a feature without a page")
		test := strings.Trim(strings.TrimSpace(cells[3]), "`")
		require.True(t, tests[test], "%s names the test %s, which is not there", strings.TrimSpace(cells[0]), test)
		rows++
	}
	require.Greater(t, rows, 40)
}

func declaredTests(t *testing.T) map[string]bool {
	t.Helper()
	tests := map[string]bool{}
	for _, folder := range []string{"client", "cmd", "docs", "examples", "functions", "internal", "lab", "test", "upstash"} {
		require.NoError(t, fs.WalkDir(os.DirFS(root), folder, func(path string, d fs.DirEntry, err error) error {
			if err == nil && d.Name() == "node_modules" {
				return fs.SkipDir
			}
			if err != nil || !strings.HasSuffix(path, "_test.go") {
				return err
			}
			for _, found := range testDeclared.FindAllStringSubmatch(read(t, filepath.ToSlash(path)), -1) {
				tests[found[1]] = true
			}
			return nil
		}))
	}
	return tests
}

// What the page of combinations calls tested names a test that is there.
func TestEveryTestedCombinationHasItsTest(t *testing.T) {
	tests := declaredTests(t)
	before, never, found := strings.Cut(read(t, "docs/operate/matrix.md"), "\n## Never run\n")
	require.True(t, found)
	require.NotContains(t, never, "`Test")
	rows := 0
	for line := range strings.Lines(before) {
		if !strings.HasPrefix(line, "|") || strings.HasPrefix(line, "|---") || strings.Contains(line, "| test |") {
			continue
		}
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		test := strings.Trim(strings.TrimSpace(cells[len(cells)-1]), "`")
		require.True(t, tests[test], "%s names the test %s, which is not there", cells[0], test)
		rows++
	}
	require.Greater(t, rows, 10)
}
