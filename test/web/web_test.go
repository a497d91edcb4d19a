// Package web_test opens the pages and the widget in a real Chromium, against the
// whole product in this process, and uses them as people do.
//
// The Go side knows how to start the product, install the packages and run Node; the
// cases are in the *.test.mjs files, which know nothing but a URL. Each file has a
// product of its own.
package web_test

import (
	"io"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/dev/local"
	"github.com/framedle/leaderboards/internal/dev/npmtest"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/gamefile"
	"github.com/framedle/leaderboards/internal/product/app"
)

// hung is far more than any test takes on a slow machine that does other things too.
const hung = 5 * time.Minute

// withoutHistory are the files whose product has no Postgres.
var withoutHistory = []string{"states.test.mjs"}

// games are those of files whose product is of another game than Framedle.
var games = map[string]func() (*game.Game, error){
	"values.test.mjs": func() (*game.Game, error) { return gamefile.Parse("values", []byte(values)) },
	"groups.test.mjs": func() (*game.Game, error) { return gamefile.Parse("club", []byte(club)) },
	"spread.test.mjs": func() (*game.Game, error) { return gamefile.Parse("spread", []byte(spread)) },
	"typing.test.mjs": func() (*game.Game, error) { return gamefile.Parse("sprint", []byte(sprint)) },
}

// values is a game whose mode ranks by several values, which players tell.
const values = `
name: typing
modes:
  time_30:
    title: 30 seconds
    policy: best
    score:
      - {name: wpm, decimals: 2, max: 350}
      - {name: accuracy, decimals: 2, max: 100}
    scopes: [country, group]
    details: true
    xp: {play: 20, scores: {"40": 20, "60": 40, "80": 60, "100": 100}}
`

// club is a game of groups, with a mode that is computed from what players do.
const club = `
name: club
activity:
  groups: [south, north]
  events:
    chat.message: {who: [from, to], message: true, count: {sent_messages: from}, distinct: {senders: {of: to, by: from}}}
  pillars:
    talk: {sent_messages: {weight: 0.5, cap: 60, titles: {de: Gesendete Nachrichten}}}
    help: {senders: 2}
  overall: {mode: all, streak: {days: 30, times: 1.5}}
modes:
  raid: {title: Raid, policy: best, max: 1000, scopes: [group], teams: sum, xp: {play: 20}}
  talk: {title: Talk, policy: latest, rolling: true, ties: shared, decimals: 1, max: 1000, scopes: [group], decay: {factor: 0.9, every: 7d}}
  help: {title: Help, policy: latest, ties: shared, decimals: 1, max: 1000, scopes: [group]}
  all: {title: All, policy: latest, ties: shared, decimals: 1, max: 3000, scopes: [group]}
  solo: {policy: best, max: 1000}
`

// spread is a game of modes in both orders, with places and without, whose boards are by
// continent.
const spread = `
name: spread
modes:
  points: {policy: best, ties: shared, max: 2000, scopes: [country, region]}
  run: {policy: best, order: asc, decimals: 2, max: 100, scopes: [region]}
`

// sprint is a typing game whose tests and races are short. Five pages on a busy machine may
// pause for seconds: that must neither cost a seat nor have a race end before anybody is done.
const sprint = `
name: sprint
races: {silent: 15s, timeout: 30s, wait: 1m}
play: {slack: 30s}
currencies:
  coins: {short: 2}
challenges:
  english:
    - When the orchestra tunes, every player listens for one long note of the oboe and bends toward it. For a moment there is no melody, only agreement. Then the conductor raises a hand, the hall becomes quiet, and ninety people breathe in together.
modes:
  short:
    title: 5 seconds
    titles: {de: Fünf Sekunden, pt-BR: Cinco segundos}
    policy: best
    play: required
    proof: keystrokes
    challenge: {seconds: 5, texts: english}
    score:
      - {name: wpm, decimals: 2, max: 350}
      - {name: accuracy, decimals: 2, max: 100}
`

func TestPages(t *testing.T) {
	require.NoError(t, npmtest.Install(t.Context(), "."))
	require.NoError(t, npmtest.Install(t.Context(), "../../sdk/js")) // frameworks.test.mjs builds with its packages
	browser, err := npmtest.Chromium()
	require.NoError(t, err)
	files, err := filepath.Glob("*.test.mjs")
	require.NoError(t, err)
	for _, file := range files {
		t.Run(strings.TrimSuffix(file, ".test.mjs"), func(t *testing.T) {
			t.Parallel() // they wait for clocks more than they compute
			npmtest.Run(t, npmtest.Suite{Files: []string{file}, Timeout: hung, Env: []string{
				"CHROMIUM=" + browser,
				"PRODUCT_URL=" + product(t, games[file], !slices.Contains(withoutHistory, file)).URL,
			}})
		})
	}
}

// product is one that does nothing by itself.
func product(t *testing.T, load func() (*game.Game, error), history bool) *local.Product {
	t.Helper()
	database := local.DatabaseNone
	if history {
		database = local.DatabaseAuto
	}
	if load == nil {
		load = func() (*game.Game, error) { return app.LoadGame("") }
	}
	g, err := load()
	require.NoError(t, err)
	p, err := local.Start(t.Context(), local.Options{
		Addr: "127.0.0.1:0", Redis: local.RedisEmbedded, DatabaseURL: database, Game: g, Log: io.Discard,
	})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, p.Close()) })
	return p
}
