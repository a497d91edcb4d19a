package examples_test

import (
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/dev/local"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/product/app"
)

var (
	shellBlock = regexp.MustCompile("(?ms)^```sh\n(.*?)^```$")
	problem    = regexp.MustCompile(`"type":"[^"]*#([a-z-]+)"`)
)

// guide runs the shell blocks of a page, in one shell, against the whole product
// on its own port. It returns what they printed.
func guide(t *testing.T, page string, g *game.Game) string {
	t.Helper()
	p, err := local.Start(t.Context(), local.Options{Addr: "127.0.0.1:0", Redis: local.RedisEmbedded, DatabaseURL: local.DatabaseAuto, Game: g, Log: io.Discard})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, p.Close()) })
	noon := time.Now().UTC().Truncate(24 * time.Hour).Add(12 * time.Hour) // noon, so that no test runs into the next day
	p.Clock.Set(noon)
	text, err := os.ReadFile(filepath.Join("..", "docs", page))
	require.NoError(t, err)
	var script strings.Builder
	for _, block := range shellBlock.FindAllStringSubmatch(string(text), -1) {
		if !strings.Contains(block[1], "make dev") { // the product runs already
			script.WriteString(block[1] + "echo\n")
		}
	}
	here := strings.NewReplacer("http://127.0.0.1:8080", p.URL, "$(date +%s)", strconv.FormatInt(noon.Unix(), 10))
	out, err := run(t, "..", "", nil, "bash", "-ec", here.Replace(script.String()))
	require.NoError(t, err, out)
	return out
}

// problems returns the kinds of the problems that were answered, in order.
func problems(out string) []string {
	var kinds []string
	for _, found := range problem.FindAllStringSubmatch(out, -1) {
		kinds = append(kinds, found[1])
	}
	return kinds
}

func TestTheQuickStartRunsAsItStands(t *testing.T) {
	g, err := app.LoadGame("")
	require.NoError(t, err)
	out := guide(t, "start/quick-start.md", g)
	require.Empty(t, problems(out), out)
	for _, answer := range []string{`"status":"accepted"`, `"entries":[{"rank":1,"player":"user_ana"`, `"percentile":100,"top_percent":100`} {
		require.Contains(t, out, answer)
	}
}
