package web_test

import (
	"bytes"
	"compress/gzip"
	"io/fs"
	"os"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/dev/npmtest"
	"github.com/framedle/leaderboards/web"
)

// The built files are what the sources give.
func TestBuiltFilesAreFresh(t *testing.T) {
	require.NoError(t, npmtest.Install(t.Context(), "."))
	out := t.TempDir()
	build := exec.CommandContext(t.Context(), "node", "build.mjs", out)
	said, err := build.CombinedOutput()
	require.NoError(t, err, "%s", said)
	fresh := contents(t, os.DirFS(out))
	built := contents(t, web.Files())
	for name, content := range fresh {
		require.Contains(t, built, name, "web/dist is stale: run make web")
		require.True(t, built[name] == content, "web/dist/%s is stale: run make web", name)
	}
	for name := range built {
		require.Contains(t, fresh, name, "web/dist/%s is built from nothing: run make web", name)
	}
}

// The sources hold their types.
func TestSourcesHaveTheirTypes(t *testing.T) {
	require.NoError(t, npmtest.Install(t.Context(), "."))
	check := exec.CommandContext(t.Context(), "npx", "--no-install", "tsc", "--noEmit", "-p", ".")
	said, err := check.CombinedOutput()
	require.NoError(t, err, "%s", said)
}

func contents(t *testing.T, files fs.FS) map[string]string {
	t.Helper()
	all := map[string]string{}
	require.NoError(t, fs.WalkDir(files, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := fs.ReadFile(files, name)
		all[name] = string(content)
		return err
	}))
	return all
}

// What the widget may weigh, with its client, as it is sent: a page of somebody
// else's pays for it with each visitor. The scripts of cards and of live boards are loaded
// only when they are used.
func TestTheWidgetIsSmall(t *testing.T) {
	content, err := fs.ReadFile(web.Files(), "leaderboards.js")
	require.NoError(t, err)
	var sent bytes.Buffer
	w, err := gzip.NewWriterLevel(&sent, gzip.BestCompression)
	require.NoError(t, err)
	_, err = w.Write(content)
	require.NoError(t, err)
	require.NoError(t, w.Close())
	require.LessOrEqual(t, sent.Len(), 14_000, "bytes of leaderboards.js, gzipped")
}
