package activity_test

import (
	"context"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/feature/activity"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lifecycle"
	"github.com/framedle/leaderboards/upstash"
)

// TestMain keeps property tests short.
func TestMain(m *testing.M) { os.Exit(testkit.Main(m, "8", "12")) }

// kit is a Redis behind the REST server, with as many processes in front of it as a test makes.
type kit struct {
	tb      testing.TB
	redis   *testkit.Redis
	game    *game.Game
	clock   *testkit.Clock
	elapsed func() time.Duration // the age that processes take their memories to have; nil: real time
}

var noon = time.Date(2026, 11, 18, 12, 0, 0, 0, time.UTC)

// ageless keeps the memories of processes fresh, however slow the machine is.
func (k *kit) ageless() { k.elapsed = func() time.Duration { return 0 } }

// onEngines runs a test over the embedded Redis and over a real one.
func onEngines(t *testing.T, test func(t *testing.T, k *kit)) {
	testkit.OnEngines(t, func(t *testing.T, redis string) { test(t, newKit(t, redis)) })
}

func newKit(tb testing.TB, address string) *kit {
	return &kit{tb: tb, redis: testkit.NewRedis(tb, address), clock: testkit.Ticking(noon)}
}

// process is a process with a memory of its own. Processes share connections.
type process struct {
	*lifecycle.Parts
	activity *activity.Activity
	meter    *upstash.Meter
}

func (k *kit) process() *process {
	parts := lifecycle.New(lifecycle.Options{Redis: k.redis.Client, Game: k.game, Now: k.clock.Now, Elapsed: k.elapsed})
	return &process{parts, activity.NewIn(parts), k.redis.Client.Meter()}
}

// spent returns what f costs by the process's meter.
func (p *process) spent(f func()) (commands, roundTrips int64) { return testkit.Spent(p.meter, f) }

func (k *kit) mode(name string) *game.Mode { return testkit.Mode(k.tb, k.game, name) }

func loadGame(tb testing.TB, text string) *game.Game { return testkit.Game(tb, text) }

func group(tb testing.TB, id string) game.Scope {
	tb.Helper()
	s, err := game.GroupScope(id)
	require.NoError(tb, err)
	return s
}

// wholeBoard reads every page by cursor.
func wholeBoard(tb require.TestingT, p *process, b game.Board, limit int64) []game.Entry {
	var all []game.Entry
	for request := (game.PageRequest{Limit: limit}); ; {
		page, err := p.Boards.Page(context.Background(), b, request)
		require.NoError(tb, err)
		all = append(all, page.Entries...)
		if request.Cursor = page.Next; request.Cursor == "" {
			return all
		}
	}
}
