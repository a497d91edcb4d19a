package game_test

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/framedle/leaderboards/internal/game"
)

func TestEloAgainstKnownFigures(t *testing.T) {
	d := game.DefaultDuels()
	require.Equal(t, 0.5, d.Expected(1000, 1000))
	require.InDelta(t, 10.0/11, d.Expected(1400, 1000), 1e-12, "400 points ahead wins ten for one")
	require.Equal(t, 16.0, d.Change(32, 1000, 1000, 1))
	require.Equal(t, -16.0, d.Change(32, 1000, 1000, 0))
	require.Zero(t, d.Change(32, 1000, 1000, 0.5))
}

func TestEloLaws(t *testing.T) {
	d := game.DefaultDuels()
	rating := rapid.Float64Range(-1000, 4000)
	rapid.Check(t, func(t *rapid.T) {
		a, b := rating.Draw(t, "a"), rating.Draw(t, "b")
		k := rapid.Float64Range(1, 1000).Draw(t, "k")
		result := rapid.SampledFrom([]float64{0, 0.5, 1}).Draw(t, "result")
		change := d.Change(k, a, b, result)
		require.InDelta(t, -change, d.Change(k, b, a, 1-result), 1e-9, "one gains what the other loses")
		require.LessOrEqual(t, math.Abs(change), k)
		require.GreaterOrEqual(t, d.Change(k, a, b, 1), 0.0)
		require.LessOrEqual(t, d.Change(k, a, b, 0), 0.0)
	})
}

func TestAProvisionalKIsAveraged(t *testing.T) {
	d := game.DefaultDuels()
	d.Provisional = game.Provisional{Duels: 20, K: 64}
	require.Equal(t, 64.0, d.KOf(0, 19))
	require.Equal(t, 48.0, d.KOf(20, 19))
	require.Equal(t, 32.0, d.KOf(20, 1000))
}

func TestPointsOfRoundsWinsAndSweeps(t *testing.T) {
	p := game.DuelPoints{Round: 10, Win: 50, Sweep: 100}
	for name, c := range map[string]struct {
		winner int
		score  *[2]int64
		want   [2]int64
	}{
		"a win":           {0, &[2]int64{3, 1}, [2]int64{80, 10}},
		"a sweep":         {1, &[2]int64{0, 2}, [2]int64{0, 170}},
		"a draw":          {game.NoWinner, &[2]int64{1, 1}, [2]int64{10, 10}},
		"without a score": {0, nil, [2]int64{50, 0}},
		"won by nothing":  {0, &[2]int64{0, 0}, [2]int64{50, 0}},
	} {
		require.Equal(t, c.want, p.Earned(c.winner, c.score), name)
	}
}

func TestTheQueueWindowGrowsToItsCap(t *testing.T) {
	q := game.DuelQueue{Window: 100, Growth: 10, Cap: 250}
	for wait, want := range map[time.Duration]float64{-time.Hour: 100, 0: 100, 1500 * time.Millisecond: 115, time.Minute: 250} {
		require.Equal(t, want, q.WindowAfter(wait), wait)
	}
}

func TestDuelRulesOutOfRange(t *testing.T) {
	for want, change := range map[string]func(*game.Duels){
		"duels.invite: 1s is out of range; use 1m to 30d":                     func(d *game.Duels) { d.Invite = time.Second },
		"duels.timeout: 0s is out of range; use 1m to 30d":                    func(d *game.Duels) { d.Timeout = 0 },
		"duels.keep: 1h is out of range; use 1d to 365d":                      func(d *game.Duels) { d.Keep = time.Hour },
		"duels.provisional.duels: -1 is out of range; use 0 to 1000":          func(d *game.Duels) { d.Provisional.Duels = -1 },
		"duels.provisional.k: 0 is out of range; use 1 to 1000":               func(d *game.Duels) { d.Provisional = game.Provisional{Duels: 1} },
		"duels.points.sweep: -5 is out of range; use 0 to 1000000":            func(d *game.Duels) { d.Points.Sweep = -5 },
		"duels.queue.window: -1 is out of range; use 0 to 10000":              func(d *game.Duels) { d.Queue.Window = -1 },
		"duels.queue.growth: NaN is out of range; use 0 to 10000":             func(d *game.Duels) { d.Queue.Growth = math.NaN() },
		"duels.queue.cap: 50 is out of range; use 100 (the window) to 100000": func(d *game.Duels) { d.Queue.Cap = 50 },
		"duels.queue.away: 1s is out of range; use 5s to 10m":                 func(d *game.Duels) { d.Queue.Away = time.Second },
	} {
		g := description(game.Mode{Name: "a", Title: "a", Policy: game.First, Order: game.Desc, Ties: game.Earliest, Max: 10, Aggregate: game.Sum})
		change(&g.Duels)
		_, err := game.New(g)
		require.EqualError(t, err, want)
	}
}
