// Package docs_test holds the documentation to its word: examples load, links
// lead somewhere, commands and names exist.
package docs_test

import (
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	leaderboards "github.com/framedle/leaderboards"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/gamefile"
	"github.com/framedle/leaderboards/internal/platform/template"
)

const root = ".."

var (
	// gameBlock is a fenced block whose info string is "yaml game", and maybe a
	// word that names it.
	gameBlock = regexp.MustCompile("(?ms)^```yaml game ?([a-z-]*)\n(.*?)^```$")
	code      = regexp.MustCompile("(?ms)^```.*?^```$|`[^`\n]+`")
	link      = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	makeCall  = regexp.MustCompile(`\bmake ([A-Za-z][A-Za-z0-9-]*[A-Za-z0-9])`)
	target    = regexp.MustCompile(`(?m)^([A-Za-z][A-Za-z0-9-]*):`)
)

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, path))
	require.NoError(t, err)
	return string(text)
}

// pages are the Markdown files at the root and below docs, by path.
func pages(t *testing.T) map[string]string {
	t.Helper()
	paths, err := fs.Glob(os.DirFS(root), "*.md")
	require.NoError(t, err)
	require.NoError(t, fs.WalkDir(os.DirFS(root), "docs", func(path string, _ fs.DirEntry, err error) error {
		if strings.HasSuffix(path, ".md") {
			paths = append(paths, path)
		}
		return err
	}))
	texts := map[string]string{}
	for _, path := range paths {
		texts[path] = read(t, path)
	}
	require.Contains(t, texts, "README.md")
	require.Contains(t, texts, "docs/reference/games.md")
	return texts
}

func TestEveryGameInTheDocsLoads(t *testing.T) {
	named := map[string]*game.Game{}
	blocks := gameBlock.FindAllStringSubmatch(read(t, "docs/reference/games.md"), -1)
	require.NotEmpty(t, blocks)
	for _, block := range blocks {
		g, err := gamefile.Parse("docs/reference/games.md", []byte(block[2]))
		require.NoError(t, err, block[2])
		named[block[1]] = g
	}
	require.NotNil(t, named["smallest"])
	require.Equal(t, named["smallest"], named["spelled-out"], "the defaults are not the documented ones")
}

func TestEveryRelativeLinkLeadsToAFile(t *testing.T) {
	for page, text := range pages(t) {
		for _, found := range link.FindAllStringSubmatch(code.ReplaceAllString(text, ""), -1) {
			path, _, _ := strings.Cut(found[1], "#")
			if path == "" || strings.Contains(path, ":") {
				continue
			}
			_, err := os.Stat(filepath.Join(root, filepath.Dir(page), path))
			require.NoError(t, err, "%s links to %s", page, found[1])
		}
	}
}

func TestEveryMakeTargetExists(t *testing.T) {
	targets := map[string]bool{}
	for _, found := range target.FindAllStringSubmatch(read(t, "Makefile"), -1) {
		targets[found[1]] = true
	}
	for page, text := range pages(t) {
		for _, snippet := range code.FindAllString(text, -1) {
			for _, call := range makeCall.FindAllStringSubmatch(snippet, -1) {
				require.True(t, targets[call[1]], "%s names make %s", page, call[1])
			}
		}
	}
}

func TestEveryParameterAndVariableIsDescribed(t *testing.T) {
	tmpl, err := template.Parse(leaderboards.Template)
	require.NoError(t, err)
	var names []string
	for _, p := range tmpl.Parameters {
		names = append(names, p.Name)
	}
	for _, f := range tmpl.Functions {
		names = slices.AppendSeq(names, maps.Keys(f.Env))
	}
	text := read(t, "docs/operate/deploy.md") + read(t, "docs/reference/environment.md")
	for _, name := range names {
		require.True(t, strings.Contains(text, "`"+name+"`"), "neither docs/operate/deploy.md nor docs/reference/environment.md describes %s", name)
	}
}
