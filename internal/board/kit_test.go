package board_test

import (
	"context"
	"flag"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/board"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/game/gamefile"
	"github.com/framedle/leaderboards/internal/redisd"
	"github.com/framedle/leaderboards/upstash"
	"github.com/framedle/leaderboards/upstash/upstashtest"
)

// testGame has every policy, order, tie style and aggregate once.
const testGame = `
name: testing
grace: 15m
refresh: 5s
modes:
  first: {max: 1000, xp: 1.5, scopes: [country, group], details: true}
  best: {policy: best, max: 100000, scopes: [country, group], details: true}
  fastest: {policy: best, order: asc, decimals: 2, max: 3600, scopes: [country, group]}
  latest: {policy: latest, min: -50, max: 50, aggregate: last, details: true}
  coins: {policy: sum, max: 500, day_max: 5000, xp: 0.7, scopes: [country, group]}
  shared: {max: 20, ties: shared}
  shared_best: {policy: best, max: 20, ties: shared}
  shared_fastest: {policy: best, order: asc, max: 20, ties: shared}
  golf: {order: asc, min: -20, max: 20, aggregate: sum}
`

// TestMain keeps property tests short: each action is some round trips. For a
// long run: go test ./internal/board -rapid.checks=500 -rapid.steps=40
func TestMain(m *testing.M) {
	flag.Parse()
	given := map[string]bool{}
	flag.Visit(func(f *flag.Flag) { given[f.Name] = true })
	for name, value := range map[string]string{"rapid.checks": "8", "rapid.steps": "12", "rapid.nofailfile": "true"} {
		if !given[name] {
			_ = flag.Set(name, value)
		}
	}
	os.Exit(m.Run())
}

func loadGame(tb testing.TB, text string) *game.Game {
	tb.Helper()
	g, err := gamefile.Parse("test.yaml", []byte(text))
	require.NoError(tb, err)
	return g
}

// clock is the product's clock of a test: it moves when told, and by a
// millisecond at each reading.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(time.Millisecond)
	return c.now
}

func (c *clock) set(t time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = t
}

// kit is a Redis behind the REST server, and as many processes in front of it
// as a test asks for.
type kit struct {
	tb     testing.TB
	server *upstashtest.Server
	game   *game.Game
	clock  *clock
	client *upstash.Client
	// elapsed is how old processes take their memories to be; nil: real time.
	elapsed func() time.Duration
}

// ageless keeps what processes remember fresh, however slow the machine is.
func (k *kit) ageless() { k.elapsed = func() time.Duration { return 0 } }

var noon = time.Date(2026, 11, 18, 12, 0, 0, 0, time.UTC)

// onEngines runs a test over the embedded Redis and over a real one.
func onEngines(t *testing.T, test func(t *testing.T, k *kit)) {
	t.Run("embedded", func(t *testing.T) {
		test(t, newKit(t, ""))
	})
	t.Run("real", func(t *testing.T) {
		redis, err := redisd.Start(context.Background(), redisd.Options{})
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, redis.Stop()) })
		test(t, newKit(t, redis.URL()))
	})
}

func newKit(tb testing.TB, redis string) *kit {
	server := upstashtest.Start(tb, upstashtest.Options{Redis: redis})
	client, err := upstash.New(upstash.Config{URL: server.URL(), Token: server.Token(), Timeout: time.Minute})
	require.NoError(tb, err)
	return &kit{tb: tb, server: server, client: client, game: loadGame(tb, testGame), clock: &clock{now: noon}}
}

// impatient has processes try again at once, where a test breaks many connections.
func (k *kit) impatient() {
	var err error
	k.client, err = upstash.New(upstash.Config{
		URL: k.server.URL(), Token: k.server.Token(), Timeout: time.Minute, Breaker: upstash.Breaker{Off: true},
		Sleep: func(context.Context, time.Duration) error { return nil },
	})
	require.NoError(k.tb, err)
}

// empty forgets everything that Redis holds.
func (k *kit) empty() {
	_, err := k.server.Redis().Do(context.Background(), "FLUSHALL")
	require.NoError(k.tb, err)
}

// cursorKey is the same in all processes.
var cursorKey = []byte("a cursor key of thirty-two bytes")

// process is a Store with a memory of its own. Connections are shared.
type process struct {
	*board.Store
	meter *upstash.Meter
}

func (k *kit) process() *process {
	return &process{board.New(board.Options{Redis: k.client, Game: k.game, Now: k.clock.Now, Elapsed: k.elapsed, CursorKeys: [][]byte{cursorKey}}), k.client.Meter()}
}

// spent runs f and tells its billed commands and round trips.
func (p *process) spent(f func()) (commands, roundTrips int64) {
	before := p.meter.Usage()
	f()
	after := p.meter.Usage()
	return after.Commands - before.Commands, after.RoundTrips - before.RoundTrips
}

func (k *kit) mode(name string) *game.Mode {
	m, ok := k.game.Mode(name)
	require.True(k.tb, ok, name)
	return m
}

// play is a submission at the clock's time for its own day.
func (k *kit) play(mode, player string, score game.Score) board.Submission {
	now := k.clock.Now()
	return board.Submission{Mode: k.mode(mode), Player: player, Date: k.game.Today(now), Score: score, At: now}
}

func (k *kit) dayBoard(p *process, mode string) board.Board {
	return board.BoardOf(k.mode(mode), game.Day.Of(k.game.Today(k.clock.Now())), game.Scope{})
}

func country(tb testing.TB, code string) game.Scope {
	tb.Helper()
	s, err := game.CountryScope(code)
	require.NoError(tb, err)
	return s
}

func group(tb testing.TB, id string) game.Scope {
	tb.Helper()
	s, err := game.GroupScope(id)
	require.NoError(tb, err)
	return s
}

// wholeBoard walks every page by cursor.
func wholeBoard(tb require.TestingT, p *process, b board.Board, limit int64) []board.Entry {
	var all []board.Entry
	request := board.PageRequest{Limit: limit}
	for {
		page, err := p.Page(context.Background(), b, request)
		require.NoError(tb, err)
		all = append(all, page.Entries...)
		if page.Next == "" {
			return all
		}
		require.NotEmpty(tb, page.Entries)
		request.Cursor = page.Next
	}
}

// runDaily does what cron-daily does.
func runDaily(ctx context.Context, p *process, archive board.Archive) (board.FoldReport, error) {
	view, err := p.Survey(ctx)
	if err != nil {
		return board.FoldReport{}, err
	}
	days, err := p.Unclosed(ctx, view)
	if err != nil {
		return board.FoldReport{}, err
	}
	var closed []board.ClosedDay
	for _, day := range days {
		did, err := p.CloseDay(ctx, day, archive)
		if err != nil {
			return board.FoldReport{}, err
		}
		closed = append(closed, did)
	}
	if err := p.RefreshClosed(ctx, closed); err != nil {
		return board.FoldReport{}, err
	}
	if err := p.FinishDays(ctx, closed); err != nil {
		return board.FoldReport{}, err
	}
	return p.FoldDays(ctx, view)
}
