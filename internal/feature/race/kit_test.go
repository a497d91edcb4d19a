package race_test

import (
	"context"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/feature/race"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/upstash"
)

const testGame = "name: testing\nmodes: {daily: {max: 1000, play: required}, golf: {max: 1000, order: asc, play: required}}\n"

var (
	ctx  = context.Background()
	noon = time.Date(2026, 11, 18, 12, 0, 0, 0, time.UTC)
)

// TestMain keeps property tests short. For a long run:
// go test ./internal/feature/race -rapid.checks=500 -rapid.steps=100
func TestMain(m *testing.M) { os.Exit(testkit.Main(m, "10", "30")) }

// kit is a Redis behind the REST server with a Store in front of it.
type kit struct {
	*race.Store
	redis   *testkit.Redis
	clock   *testkit.Clock
	game    *game.Game
	options race.Options
	mu      sync.Mutex
	ids     int
}

// onEngines runs a test over the embedded Redis and over a real one. More is
// added to the game's file.
func onEngines(t *testing.T, more string, test func(t *testing.T, k *kit)) {
	testkit.OnEngines(t, func(t *testing.T, redis string) { test(t, newKit(t, redis, more)) })
}

func newKit(t testing.TB, address, more string) *kit {
	if !strings.Contains(more, "races:") {
		more = "races: {}\n" + more
	}
	k := &kit{
		game: testkit.Game(t, testGame+more), clock: testkit.Still(noon),
		redis: testkit.NewRedis(t, address, testkit.AtOnce),
	}
	k.options = race.Options{Redis: k.redis.Client, Game: k.game, Now: k.clock.Now, NewID: k.newID}
	k.Store = race.New(k.options)
	return k
}

// process is another process over the same Redis.
func (k *kit) process() *race.Store {
	o := k.options
	o.Redis = k.redis.Connect(testkit.AtOnce)
	return race.New(o)
}

func (k *kit) newID() string {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.ids++
	return fmt.Sprintf("id%d", k.ids)
}

// rate gives a player a rating.
func (k *kit) rate(t require.TestingT, player string, rating float64) {
	_, err := k.redis.Client.Do(ctx, upstash.Cmd("ZADD", game.DuelKey, game.FormatStored(rating), player).Idempotent())
	require.NoError(t, err)
}

// ratings are all that stand.
func (k *kit) ratings(t require.TestingT) map[string]float64 {
	reply, err := k.redis.Client.Do(ctx, upstash.Cmd("ZRANGE", game.DuelKey, "0", "-1", "WITHSCORES"))
	require.NoError(t, err)
	pairs, err := reply.Strings()
	require.NoError(t, err)
	all := map[string]float64{}
	for i := 0; i+1 < len(pairs); i += 2 {
		var rating float64
		_, err := fmt.Sscan(pairs[i+1], &rating)
		require.NoError(t, err)
		all[pairs[i]] = rating
	}
	return all
}

// started is a race of players that is under way.
func (k *kit) started(t require.TestingT, mode string, players ...string) race.Race {
	r, err := k.Create(ctx, race.Wanted{Player: players[0], Mode: mode, Size: len(players)})
	require.NoError(t, err)
	for _, player := range players[1:] {
		r, err = k.Join(ctx, r.ID, player)
		require.NoError(t, err)
	}
	require.Equal(t, race.Started, r.State)
	k.clock.Pass(race.Lead)
	return r
}

func (k *kit) tell(t require.TestingT, r race.Race, player string, score game.Score) race.Race {
	r, err := k.Report(ctx, r.ID, r.Mode, player, score)
	require.NoError(t, err)
	return r
}

// places are those of a race's players.
func places(r race.Race) map[string]int {
	all := map[string]int{}
	for _, seat := range r.Seats {
		all[seat.Player] = seat.Place
	}
	return all
}

func names(r race.Race) (all []string) {
	for _, seat := range r.Seats {
		all = append(all, seat.Player)
	}
	return all
}
