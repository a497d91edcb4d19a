package lifecycle_test

import (
	"context"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/derive"
	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lifecycle"
	"github.com/framedle/leaderboards/upstash"
	"github.com/framedle/leaderboards/upstash/upstashtest"
)

// testGame has every policy, order, tie style and aggregate once.
const testGame = `
name: testing
grace: 15m
refresh: 5s
modes:
  first: {max: 1000, xp: 1.5, scopes: [country, region, group], details: true}
  best: {policy: best, max: 100000, scopes: [country, region, group], details: true}
  fastest: {policy: best, order: asc, decimals: 2, max: 3600, scopes: [country, region, group]}
  latest: {policy: latest, min: -50, max: 50, aggregate: last, details: true}
  coins: {policy: sum, max: 500, day_max: 5000, xp: 0.7, scopes: [country, region, group]}
  shared: {max: 20, ties: shared}
  shared_best: {policy: best, max: 20, ties: shared}
  shared_fastest: {policy: best, order: asc, max: 20, ties: shared}
  golf: {order: asc, min: -20, max: 20, aggregate: sum}
`

// TestMain keeps property tests short. For a long run:
// go test ./internal/lifecycle -rapid.checks=500 -rapid.steps=40
func TestMain(m *testing.M) { os.Exit(testkit.Main(m, "8", "12")) }

func loadGame(tb testing.TB, text string) *game.Game { return testkit.Game(tb, text) }

// kit is a Redis behind the REST server, with as many processes in front of it as a test
// makes.
type kit struct {
	tb     testing.TB
	real   bool // a real Redis is behind it, not the embedded one
	redis  *testkit.Redis
	server *upstashtest.Server
	game   *game.Game
	clock  *testkit.Clock
	client *upstash.Client
	// elapsed is the age that processes take their memories to have; nil: real time.
	elapsed func() time.Duration
}

// ageless keeps the memories of processes fresh, however slow the machine is.
func (k *kit) ageless() { k.elapsed = func() time.Duration { return 0 } }

var noon = time.Date(2026, 11, 18, 12, 0, 0, 0, time.UTC)

// onEngines runs a test over the embedded Redis, and over a real one by REST and by the Redis
// protocol.
func onEngines(t *testing.T, test func(t *testing.T, k *kit)) {
	testkit.OnAllEngines(t, func(t *testing.T, redis string) { test(t, newKit(t, redis)) })
}

// overREST is onEngines without the Redis protocol, for tests that break or count requests at
// the REST server.
func overREST(t *testing.T, test func(t *testing.T, k *kit)) {
	testkit.OnEngines(t, func(t *testing.T, redis string) { test(t, newKit(t, redis)) })
}

func newKit(tb testing.TB, address string) *kit {
	redis := testkit.NewRedis(tb, address)
	return &kit{tb: tb, real: address != "", redis: redis, server: redis.Server, client: redis.Client, game: loadGame(tb, testGame), clock: testkit.Ticking(noon)}
}

// impatient makes processes retry at once, for tests that break many connections.
func (k *kit) impatient() { k.client = k.redis.Connect(testkit.AtOnce) }

// empty forgets everything that Redis holds.
func (k *kit) empty() { k.redis.Do("FLUSHALL") }

// cursorKey is the same in all processes.
var cursorKey = []byte("a cursor key of thirty-two bytes")

// process is a Store with a memory of its own. Processes share connections.
type process struct {
	*lifecycle.Parts
	meter *upstash.Meter
}

func (k *kit) process() *process {
	return &process{lifecycle.New(lifecycle.Options{Redis: k.client, Game: k.game, Now: k.clock.Now, Elapsed: k.elapsed, CursorKeys: [][]byte{cursorKey}}), k.client.Meter()}
}

// spent returns what f costs by the process's meter.
func (p *process) spent(f func()) (commands, roundTrips int64) { return testkit.Spent(p.meter, f) }

func (k *kit) mode(name string) *game.Mode { return testkit.Mode(k.tb, k.game, name) }

func (k *kit) today() game.Date { return k.game.Today(k.clock.Now()) }

// play makes a submission at the clock's time for its own day.
func (k *kit) play(mode, player string, score game.Score) game.Submission {
	now := k.clock.Now()
	return game.Submission{Mode: k.mode(mode), Player: player, Date: k.game.Today(now), Score: score, At: now}
}

func (k *kit) dayBoard(p *process, mode string) game.Board {
	return game.BoardOf(k.mode(mode), game.Day.Of(k.game.Today(k.clock.Now())), game.Scope{})
}

func country(tb testing.TB, code string) game.Scope {
	tb.Helper()
	s, err := game.CountryScope(code)
	require.NoError(tb, err)
	return s
}

func region(tb testing.TB, continent string) game.Scope {
	tb.Helper()
	s, err := game.RegionScope(continent)
	require.NoError(tb, err)
	return s
}

func group(tb testing.TB, id string) game.Scope {
	tb.Helper()
	s, err := game.GroupScope(id)
	require.NoError(tb, err)
	return s
}

// wholeBoard reads every page by cursor.
func wholeBoard(tb require.TestingT, p *process, b game.Board, limit int64) []game.Entry {
	var all []game.Entry
	request := game.PageRequest{Limit: limit}
	for {
		page, err := p.Boards.Page(context.Background(), b, request)
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
func runDaily(ctx context.Context, p *process, archive lifecycle.DayArchive) (derive.RolledUp, error) {
	view, err := p.Rollup.Calendar.Survey(ctx)
	if err != nil {
		return derive.RolledUp{}, err
	}
	days, err := p.Rollup.Calendar.Unclosed(ctx, view)
	if err != nil {
		return derive.RolledUp{}, err
	}
	var closed []lifecycle.ClosedDay
	for _, day := range days {
		did, err := p.Days.CloseDay(ctx, day, archive)
		if err != nil {
			return derive.RolledUp{}, err
		}
		closed = append(closed, did)
	}
	if err := p.Days.RefreshClosed(ctx, closed); err != nil {
		return derive.RolledUp{}, err
	}
	if err := p.Days.FinishDays(ctx, closed); err != nil {
		return derive.RolledUp{}, err
	}
	return p.Days.RollUpDays(ctx, view)
}
