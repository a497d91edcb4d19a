package js_test

import (
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/dev/local"
	"github.com/framedle/leaderboards/internal/dev/npmtest"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/gamefile"
	"github.com/framedle/leaderboards/internal/product/app"
)

var (
	listing = regexp.MustCompile("(?ms)^```js\n(.*?)^```$")
	printed = regexp.MustCompile("(?ms)^```text\n(.*?)^```$")
)

// The page's listings run as they are printed, in the order in which they are read.
func TestThePageAboutTheClientRuns(t *testing.T) {
	require.NoError(t, npmtest.Need("node"))
	page := content(t, "../../docs/build", "client.md")
	var program strings.Builder
	for _, block := range listing.FindAllStringSubmatch(page, -1) {
		program.WriteString(block[1])
	}
	g, err := app.LoadGame("")
	require.NoError(t, err)
	said := printedBy(t, g, program.String())
	require.True(t, strings.HasPrefix(said, printed.FindStringSubmatch(page)[1]), said)
	require.Contains(t, said, "open: true\n")
	require.Regexp(t, `\n1 1 \d{4}-\d\d-\d\dT\S+\n$`, said, "the envelope is the last")
}

// printedBy runs a program beside the whole product, with the client installed.
func printedBy(t *testing.T, g *game.Game, program string) string {
	t.Helper()
	p, err := local.Start(t.Context(), local.Options{Addr: "127.0.0.1:0", Redis: local.RedisEmbedded, Game: g, Log: io.Discard})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, p.Close()) })
	user := t.TempDir()
	here, err := filepath.Abs(".")
	require.NoError(t, err)
	require.NoError(t, os.MkdirAll(filepath.Join(user, "node_modules", "@framedle"), 0o700))
	require.NoError(t, os.Symlink(here, filepath.Join(user, "node_modules", "@framedle", "leaderboards")))
	source := strings.ReplaceAll(program, "http://127.0.0.1:8080", p.URL)
	require.NotEqual(t, program, source)
	require.NoError(t, os.WriteFile(filepath.Join(user, "page.mjs"), []byte(source), 0o600))
	return command(t, user, "node", "page.mjs")
}

func TestTheReadmesProgramRuns(t *testing.T) {
	require.NoError(t, npmtest.Need("node"))
	g, err := app.LoadGame("")
	require.NoError(t, err)
	program := listing.FindStringSubmatch(content(t, "../..", "README.md"))
	require.NotNil(t, program)
	require.Equal(t, "#1 of 1\n1 Ana 800\n", printedBy(t, g, program[1]))
}

// The page that opens in a browser is run by test/frontends.
func TestTheFirstGameRuns(t *testing.T) {
	require.NoError(t, npmtest.Need("node"))
	const folder = "../../examples/first-game"
	g, err := gamefile.Parse("game.yaml", []byte(content(t, folder, "game.yaml")))
	require.NoError(t, err)
	page := content(t, "../../docs/start", "first-game.md")
	require.Equal(t, printed.FindStringSubmatch(page)[1], printedBy(t, g, content(t, folder, "score.mjs")))
}

// A compiler takes the listings as they are printed.
func TestThePageAboutTheClientCompiles(t *testing.T) {
	require.NoError(t, npmtest.Install(t.Context(), "."))
	page := content(t, "../../docs/build", "client.md")
	var program strings.Builder
	for _, block := range listing.FindAllStringSubmatch(page, -1) {
		program.WriteString(block[1])
	}
	for _, block := range regexp.MustCompile("(?ms)^```ts\n(.*?)^```$").FindAllStringSubmatch(page, -1) {
		if strings.Contains(block[1], "formatScore") {
			program.WriteString(block[1])
		}
	}
	require.Contains(t, program.String(), "formatScore")
	user := t.TempDir()
	here, err := filepath.Abs(".")
	require.NoError(t, err)
	require.NoError(t, os.MkdirAll(filepath.Join(user, "node_modules", "@framedle"), 0o700))
	require.NoError(t, os.Symlink(here, filepath.Join(user, "node_modules", "@framedle", "leaderboards")))
	require.NoError(t, os.WriteFile(filepath.Join(user, "page.mts"), []byte(program.String()), 0o600))
	command(t, user, "node", filepath.Join(here, "node_modules/typescript/bin/tsc"), "--noEmit", "--strict", "--noImplicitAny", "false", "--target", "es2022", "--lib", "es2022,dom,dom.iterable", "--module", "esnext", "--moduleResolution", "bundler", "page.mts")
}

// Every method is on the page.
func TestThePageAboutTheClientIsComplete(t *testing.T) {
	page := content(t, "../../docs/build", "client.md")
	method := regexp.MustCompile(`(?m)^  ([a-zA-Z]+)\(`)
	for _, source := range []string{"client.ts", "ops.ts"} {
		_, inside, found := strings.Cut(content(t, "src", source), "export interface ")
		require.True(t, found)
		inside, _, _ = strings.Cut(inside[strings.Index(inside, "{"):], "\n}\n")
		methods := method.FindAllStringSubmatch(inside, -1)
		require.Greater(t, len(methods), 10, source)
		for _, name := range methods {
			require.Regexp(t, "`"+name[1]+"[(`]", page, "of %s", source)
		}
	}
}
