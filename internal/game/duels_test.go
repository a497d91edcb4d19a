package game_test

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/game"
)

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

func TestDuelsGiveXPWherePointsAreWorthSome(t *testing.T) {
	d := game.DefaultDuels()
	require.False(t, d.GiveXP())
	d.XPWeight = 1100
	require.False(t, d.GiveXP())
	d.Points.Sweep = 1
	require.True(t, d.GiveXP())
	d.XPWeight = 0
	require.False(t, d.GiveXP())
}
