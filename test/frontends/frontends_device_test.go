package frontends_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestExamplesOfPagesThatDevicesPlay(t *testing.T) {
	api := product(t, pagesGame)
	game, err := os.ReadFile(filepath.Join(examples, "first-game", "game.yaml"))
	require.NoError(t, err)
	first := product(t, game)
	opened(t, "frontends_device.test.mjs", api, map[string]string{
		"VITE_URL": vite(t, api), "FIRST_API": first, "FIRST_URL": plain(t, "first-game", first),
	})
}

func vite(t *testing.T, api string) string {
	t.Helper()
	folder, out := install(t, "web-vite"), t.TempDir()
	build(t, folder, []string{"VITE_LEADERBOARDS_URL=" + api}, "--outDir", out, "--emptyOutDir")
	return serve(t, out)
}
