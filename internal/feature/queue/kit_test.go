package queue_test

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/feature/queue"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lifecycle"
	"github.com/framedle/leaderboards/internal/platform/host"
)

// testGame has every policy and order.
const testGame = `
name: testing
grace: 15m
modes:
  first: {max: 1000, xp: 1, details: true}
  golf: {order: asc, min: -20, max: 20}
  best: {policy: best, max: 100000, details: true}
  fastest: {policy: best, order: asc, decimals: 2, max: 3600}
  latest: {policy: latest, min: -50, max: 50, aggregate: last, details: true}
  soonest: {policy: latest, order: asc, max: 50, aggregate: last}
  coins: {policy: sum, max: 500, day_max: 100000}
`

// TestMain keeps property tests short.
func TestMain(m *testing.M) { os.Exit(testkit.Main(m, "12", "")) }

var noon = time.Date(2026, 11, 18, 12, 0, 0, 0, time.UTC)

// kit is a Redis, and as many ingesting processes in front of it as a test asks for.
type kit struct {
	*testkit.Redis
	tb   testing.TB
	game *game.Game
	now  time.Time
	log  slog.Handler
}

func newKit(tb testing.TB, address string) *kit {
	return &kit{Redis: testkit.NewRedis(tb, address, testkit.AtOnce), tb: tb, game: testkit.Game(tb, testGame), now: noon, log: slog.DiscardHandler}
}

// onEngines runs a test over the embedded Redis and over a real one.
func onEngines(t *testing.T, test func(t *testing.T, k *kit)) {
	testkit.OnEngines(t, func(t *testing.T, address string) { test(t, newKit(t, address)) })
}

func (k *kit) empty() { k.Do("FLUSHALL") }

func (k *kit) store() *lifecycle.Parts {
	return lifecycle.New(lifecycle.Options{Redis: k.Client, Game: k.game, Now: func() time.Time { return k.now }, Elapsed: func() time.Duration { return 0 }})
}

// ingest is a process with a memory of its own.
func (k *kit) ingest() *queue.Ingest {
	return &queue.Ingest{Game: k.game, Store: k.store().Boards, Log: slog.New(k.log)}
}

func (k *kit) mode(name string) *game.Mode { return testkit.Mode(k.tb, k.game, name) }

// play is the n-th play of a test: n seconds after noon.
func (k *kit) play(n int, mode, player string, score game.Score) game.Submission {
	at := noon.Add(time.Duration(n) * time.Second)
	sub := game.Submission{Mode: k.mode(mode), Player: player, Date: k.game.Today(at), Score: score, At: at}
	if sub.Mode.Details {
		sub.Details = fmt.Appendf(nil, `{"play":%d}`, n)
	}
	if sub.Mode.Policy == game.Sum {
		sub.Idempotency = game.IdempotencyRecord{ID: fmt.Sprintf("once-%d", n), Fingerprint: "f"}
	}
	return sub
}

func message(tb require.TestingT, n int, sub game.Submission) host.QueueMessage {
	body, err := queue.Encode(sub)
	require.NoError(tb, err)
	return host.QueueMessage{ID: fmt.Sprintf("m-%d", n), Body: body, Receives: 1}
}

// standings reads a mode's day board: each player's score.
func (k *kit) standings(tb require.TestingT, mode string) map[string]game.Score {
	s := k.store()
	b := game.BoardOf(k.mode(mode), game.Day.Of(k.game.Today(noon)), game.Scope{})
	page, err := s.Boards.Page(context.Background(), b, game.PageRequest{Limit: 200})
	require.NoError(tb, err)
	current := map[string]game.Score{}
	for _, e := range page.Entries {
		current[e.Player] = e.Score
	}
	return current
}

// details are those that a player's card shows.
func (k *kit) details(tb require.TestingT, mode, player string) string {
	s := k.store()
	card, err := s.Boards.Card(context.Background(), game.BoardOf(k.mode(mode), game.Day.Of(k.game.Today(noon)), game.Scope{}), player)
	require.NoError(tb, err)
	return string(card.Details)
}

func (k *kit) clock() func() time.Time { return func() time.Time { return k.now } }

// ages is a clock that shows so many seconds.
func (k *kit) ages(seconds *int) func() time.Duration {
	return func() time.Duration { return time.Duration(*seconds) * time.Second }
}
