// Package frontends_test builds the examples of pages as their READMEs say, and opens
// them in a real Chromium, against the whole product in this process.
package frontends_test

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/dev/local"
	"github.com/framedle/leaderboards/internal/dev/npmtest"
	"github.com/framedle/leaderboards/internal/gamefile"
)

// hung is far more than any test takes on a slow machine that does other things too.
const hung = 5 * time.Minute

// asPrinted is where the examples look for the API.
const asPrinted = "http://127.0.0.1:8080"

const (
	client   = "../../sdk/js"
	examples = "../../examples"
	pages    = "../web" // has the browser's driver
)

func TestExamplesOfPages(t *testing.T) {
	api := product(t, pagesGame)
	opened(t, "frontends.test.mjs", api, map[string]string{"HTML_URL": plain(t, "web-html", api), "NEXT_URL": next(t, api)})
}

var pagesGame = []byte("name: pages\nanonymous: true\nmodes: {daily_frame: {min: 0, max: 1000}}\nlimits: {boards: {ip: off}, devices: {ip: off}}\n")

// opened runs tests in a browser, of pages at addresses.
func opened(t *testing.T, file, api string, addresses map[string]string) {
	t.Helper()
	require.NoError(t, npmtest.Install(t.Context(), pages))
	browser, err := npmtest.Chromium()
	require.NoError(t, err)
	env := []string{"CHROMIUM=" + browser, "PRODUCT_URL=" + api}
	for name, address := range addresses {
		env = append(env, name+"="+address)
	}
	npmtest.Run(t, npmtest.Suite{Files: []string{file}, Timeout: hung, Env: env})
}

func product(t *testing.T, file []byte) string {
	t.Helper()
	g, err := gamefile.Parse("game.yaml", file)
	require.NoError(t, err)
	p, err := local.Start(t.Context(), local.Options{Addr: "127.0.0.1:0", Redis: local.RedisEmbedded, Game: g, Log: io.Discard})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, p.Close()) })
	return p.URL
}

// plain is an example's page beside the client's one file.
func plain(t *testing.T, example, api string) string {
	t.Helper()
	page, err := os.ReadFile(filepath.Join(examples, example, "index.html"))
	require.NoError(t, err)
	require.Contains(t, string(page), asPrinted)
	folder := t.TempDir()
	built, err := os.ReadFile(filepath.Join(client, "dist", "leaderboards.min.js"))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(folder, "leaderboards.min.js"), built, 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(folder, "index.html"), []byte(strings.ReplaceAll(string(page), asPrinted, api)), 0o600))
	return serve(t, folder)
}

// next is the built app, served by Next.js itself until the test ends.
func next(t *testing.T, api string) string {
	t.Helper()
	folder := install(t, "web-nextjs")
	quiet := "NEXT_TELEMETRY_DISABLED=1"
	build(t, folder, []string{quiet, "NEXT_PUBLIC_LEADERBOARDS_URL=" + api})
	ctx, stop := context.WithCancel(t.Context())
	server := exec.CommandContext(ctx, "node", "node_modules/next/dist/bin/next", "start", "--hostname", "127.0.0.1", "--port", "0")
	server.Dir = folder
	server.Env = append(os.Environ(), quiet, "LEADERBOARDS_URL="+api)
	server.Cancel = func() error { return server.Process.Signal(syscall.SIGTERM) }
	server.WaitDelay = hung
	says, err := server.StdoutPipe()
	require.NoError(t, err)
	server.Stderr = server.Stdout
	require.NoError(t, server.Start())
	t.Cleanup(func() {
		stop()
		err := server.Wait()
		require.True(t, err == nil || errors.Is(err, context.Canceled) || errors.As(err, new(*exec.ExitError)), "%v", err)
	})
	address := regexp.MustCompile(`http://127\.0\.0\.1:[1-9]\d*`)
	var said strings.Builder
	for lines := bufio.NewScanner(says); lines.Scan(); {
		said.WriteString(lines.Text() + "\n")
		if found := address.FindString(lines.Text()); found != "" {
			go func() { _, _ = io.Copy(io.Discard, says) }()
			return found
		}
	}
	require.Fail(t, "next start said no address", said.String())
	return ""
}

// install has the example's packages, and the client as it is built now.
func install(t *testing.T, example string) string {
	t.Helper()
	folder := filepath.Join(examples, example)
	require.NoError(t, npmtest.Install(t.Context(), folder))
	installed := filepath.Join(folder, "node_modules", "@framedle", "leaderboards")
	require.NoError(t, os.RemoveAll(installed))
	require.NoError(t, os.CopyFS(filepath.Join(installed, "dist"), os.DirFS(filepath.Join(client, "dist"))))
	is, err := os.ReadFile(filepath.Join(client, "package.json"))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(installed, "package.json"), is, 0o600))
	return folder
}

func build(t *testing.T, folder string, env []string, args ...string) {
	t.Helper()
	npm := exec.CommandContext(t.Context(), "npm", append([]string{"run", "build", "--"}, args...)...)
	npm.Dir = folder
	npm.Env = append(os.Environ(), env...)
	said, err := npm.CombinedOutput()
	require.NoError(t, err, "%s", said)
}

func serve(t *testing.T, folder string) string {
	t.Helper()
	s := httptest.NewServer(http.FileServer(http.Dir(folder)))
	t.Cleanup(s.Close)
	return s.URL
}
