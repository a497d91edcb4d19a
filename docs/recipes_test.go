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

// fileBlock is a fenced block whose info string names the file that it shows.
var fileBlock = regexp.MustCompile("(?ms)^```[a-z]+ file=(\\S+)\n(.*?)^```$")

func TestEveryListingIsItsFile(t *testing.T) {
	shown := map[string]bool{}
	for page, text := range pages(t) {
		for _, block := range fileBlock.FindAllStringSubmatch(text, -1) {
			shown[block[1]] = true
			require.Equal(t, read(t, block[1]), block[2], "%s shows %s as it was: copy the file into the page", page, block[1])
		}
	}
	require.Contains(t, shown, "examples/gameserver/python/send.py")
	require.Equal(t, len(shown), strings.Count(everything(t), " file=examples/"), "a listing is not closed, or shown twice")
}

// Nobody finds a recipe that no page names.
func TestEveryExampleIsShownOrLinked(t *testing.T) {
	text := everything(t)
	built := map[string]bool{"node_modules": true, "dist": true, ".next": true}
	ofNpm := map[string]bool{".gitignore": true, ".npmrc": true, "package.json": true, "package-lock.json": true}
	require.NoError(t, filepath.WalkDir(filepath.Join(root, "examples"), func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && built[d.Name()] {
			return fs.SkipDir
		}
		name, err := filepath.Rel(root, path)
		if err == nil && !d.IsDir() && !ofNpm[d.Name()] && !strings.HasSuffix(name, "_test.go") && name != filepath.Join("examples", "page", "board.test.mjs") {
			require.Contains(t, text, filepath.ToSlash(name), "no page shows %s", name)
		}
		return err
	}))
	_, err := os.Stat(filepath.Join(root, "examples", "examples_test.go"))
	require.NoError(t, err, "what runs them")
}

func everything(t *testing.T) string {
	var all strings.Builder
	for _, text := range pages(t) {
		all.WriteString(text)
	}
	return all.String()
}
