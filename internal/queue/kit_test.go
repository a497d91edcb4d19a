package queue_test

import (
	"context"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/board"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/game/gamefile"
	"github.com/framedle/leaderboards/internal/host"
	"github.com/framedle/leaderboards/internal/queue"
	"github.com/framedle/leaderboards/internal/redisd"
	"github.com/framedle/leaderboards/upstash"
	"github.com/framedle/leaderboards/upstash/upstashtest"
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

// TestMain keeps property tests short: each check is some hundred round trips.
func TestMain(m *testing.M) {
	flag.Parse()
	given := map[string]bool{}
	flag.Visit(func(f *flag.Flag) { given[f.Name] = true })
	for name, value := range map[string]string{"rapid.checks": "12", "rapid.nofailfile": "true"} {
		if !given[name] {
			_ = flag.Set(name, value)
		}
	}
	os.Exit(m.Run())
}

var noon = time.Date(2026, 11, 18, 12, 0, 0, 0, time.UTC)

func loadGame(tb testing.TB, text string) *game.Game {
	tb.Helper()
	g, err := gamefile.Parse("test.yaml", []byte(text))
	require.NoError(tb, err)
	return g
}

// kit is a Redis behind the REST server, and as many ingesting processes in
// front of it as a test asks for.
type kit struct {
	tb     testing.TB
	server *upstashtest.Server
	client *upstash.Client
	game   *game.Game
	now    time.Time
	log    slog.Handler
}

func newKit(tb testing.TB, redis string) *kit {
	server := upstashtest.Start(tb, upstashtest.Options{Redis: redis})
	client, err := upstash.New(upstash.Config{
		URL: server.URL(), Token: server.Token(), Timeout: time.Minute, Breaker: upstash.Breaker{Off: true},
		Sleep: func(context.Context, time.Duration) error { return nil },
	})
	require.NoError(tb, err)
	return &kit{tb: tb, server: server, client: client, game: loadGame(tb, testGame), now: noon, log: slog.DiscardHandler}
}

// onEngines runs a test over the embedded Redis and over a real one.
func onEngines(t *testing.T, test func(t *testing.T, k *kit)) {
	t.Run("embedded", func(t *testing.T) { test(t, newKit(t, "")) })
	t.Run("real", func(t *testing.T) {
		redis, err := redisd.Start(context.Background(), redisd.Options{})
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, redis.Stop()) })
		test(t, newKit(t, redis.URL()))
	})
}

func (k *kit) empty() {
	_, err := k.server.Redis().Do(context.Background(), "FLUSHALL")
	require.NoError(k.tb, err)
}

func (k *kit) store() *board.Store {
	return board.New(board.Options{Redis: k.client, Game: k.game, Now: func() time.Time { return k.now }, Elapsed: func() time.Duration { return 0 }})
}

// ingest is a process with a memory of its own.
func (k *kit) ingest() *queue.Ingest {
	return &queue.Ingest{Game: k.game, Store: k.store(), Log: slog.New(k.log)}
}

func (k *kit) mode(name string) *game.Mode {
	m, ok := k.game.Mode(name)
	require.True(k.tb, ok, name)
	return m
}

// play is the n-th play of a test: n seconds after noon.
func (k *kit) play(n int, mode, player string, score game.Score) board.Submission {
	at := noon.Add(time.Duration(n) * time.Second)
	sub := board.Submission{Mode: k.mode(mode), Player: player, Date: k.game.Today(at), Score: score, At: at}
	if sub.Mode.Details {
		sub.Details = fmt.Appendf(nil, `{"play":%d}`, n)
	}
	if sub.Mode.Policy == game.Sum {
		sub.Once = board.Once{ID: fmt.Sprintf("once-%d", n), Fingerprint: "f"}
	}
	return sub
}

func message(tb require.TestingT, n int, sub board.Submission) host.QueueMessage {
	body, err := queue.Encode(sub)
	require.NoError(tb, err)
	return host.QueueMessage{ID: fmt.Sprintf("m-%d", n), Body: body, Receives: 1}
}

// standings reads a mode's day board: each player's score.
func (k *kit) standings(tb require.TestingT, mode string) map[string]game.Score {
	s := k.store()
	b := s.Board(k.mode(mode), game.Day.Of(k.game.Today(noon)), game.Scope{})
	page, err := s.Page(context.Background(), b, board.PageRequest{Limit: 200})
	require.NoError(tb, err)
	stands := map[string]game.Score{}
	for _, e := range page.Entries {
		stands[e.Player] = e.Score
	}
	return stands
}

// details are those that a player's card shows.
func (k *kit) details(tb require.TestingT, mode, player string) string {
	s := k.store()
	card, err := s.Card(context.Background(), s.Board(k.mode(mode), game.Day.Of(k.game.Today(noon)), game.Scope{}), player)
	require.NoError(tb, err)
	return string(card.Details)
}

func (k *kit) clock() func() time.Time { return func() time.Time { return k.now } }

// ages is a clock that shows so many seconds.
func (k *kit) ages(seconds *int) func() time.Duration {
	return func() time.Duration { return time.Duration(*seconds) * time.Second }
}
