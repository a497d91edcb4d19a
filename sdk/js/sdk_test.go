// Package js_test holds the JavaScript client to what it promises: against the whole
// product in this process, against a server that cuts, throttles and lies, and as the
// package that npm would publish.
package js_test

import (
	"io"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/dev/local"
	"github.com/framedle/leaderboards/internal/dev/npmtest"
	"github.com/framedle/leaderboards/internal/gamefile"
)

// theGame has a mode for each policy that retries meet, and everything that a game can
// have.
const theGame = `
name: sdk
anonymous: true
world: {}
modes:
  best_mode: {policy: best, min: 0, max: 1000, details: true}
  sum_mode: {policy: sum, min: 0, max: 1000000, day_max: 1000000}
  first_mode: {min: 0, max: 1000, xp: {play: 1}}
  pair_mode: {policy: best, score: [{name: wpm, decimals: 2, max: 350}, {name: errors, max: 99, order: asc}]}
  typed_mode: {policy: best, decimals: 2, max: 350, play: required, proof: keystrokes, challenge: {seconds: 5, texts: english}}
challenges: {english: [The quick brown fox jumps over the lazy dog.]}
play: {slack: 1m} # the clock is moved, and pages time by their own
currencies: {coins: {best_mode: 3}}
presence: true
races: {}
leagues: {}
limits: {boards: {ip: off}, auth: {ip: off}, devices: {ip: off}, submit: {player: off}}
`

// hung is far more than any test takes on a slow machine that does other things too.
const hung = 5 * time.Minute

func TestClient(t *testing.T) {
	require.NoError(t, npmtest.Install(t.Context(), "."))
	p := product(t, theGame+"outbox: true\n") // a feed is read from it
	files, err := filepath.Glob("test/*.test.mjs")
	require.NoError(t, err)
	npmtest.Run(t, npmtest.Suite{Files: files, Timeout: hung, Env: []string{
		"PRODUCT_URL=" + p.URL, "OPS_TOKEN=" + p.Secrets.OpsToken,
	}})
}

// A visit is counted over a product of its own.
func TestAVisitIsCheap(t *testing.T) {
	require.NoError(t, npmtest.Install(t.Context(), "."))
	npmtest.Run(t, npmtest.Suite{Files: []string{"test/visit/visit.test.mjs"}, Timeout: hung, Env: []string{"PRODUCT_URL=" + product(t, theGame).URL}})
}

// product is one that does nothing by itself, with a history.
func product(t *testing.T, file string) *local.Product {
	t.Helper()
	g, err := gamefile.Parse("game.yaml", []byte(file))
	require.NoError(t, err)
	p, err := local.Start(t.Context(), local.Options{
		Addr: "127.0.0.1:0", Redis: local.RedisEmbedded, DatabaseURL: local.DatabaseAuto, Game: g, Log: io.Discard,
	})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, p.Close()) })
	noon := time.Now().UTC().Truncate(24 * time.Hour).Add(12 * time.Hour) // no test ends on another day than it began
	p.Clock.Set(noon)
	return p
}
