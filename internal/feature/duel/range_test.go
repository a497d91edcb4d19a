package duel_test

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/feature/duel"
	"github.com/framedle/leaderboards/internal/game"
)

func TestTheQueueWindowGrowsToItsCap(t *testing.T) {
	q := duel.QueueRules{Window: 100, Growth: 10, Cap: 250}
	for wait, want := range map[time.Duration]float64{-time.Hour: 100, 0: 100, 1500 * time.Millisecond: 115, time.Minute: 250} {
		require.Equal(t, want, q.WindowAfter(wait), wait)
	}
}

func TestDuelRulesOutOfRange(t *testing.T) {
	for want, change := range map[string]func(*duel.Rules){
		"duels.k: NaN is out of range; use 1 to 1000":                         func(d *duel.Rules) { d.K = math.NaN() },
		"duels.scale: 0 is out of range; use 1 to 10000":                      func(d *duel.Rules) { d.Scale = 0 },
		"duels.xp: -0.001 is out of range; use 0 (no XP) to 1000":             func(d *duel.Rules) { d.XPWeight = -1 },
		"duels.invite: 1s is out of range; use 1m to 30d":                     func(d *duel.Rules) { d.Invite = time.Second },
		"duels.timeout: 0s is out of range; use 1m to 30d":                    func(d *duel.Rules) { d.Timeout = 0 },
		"duels.keep: 1h is out of range; use 1d to 365d":                      func(d *duel.Rules) { d.Keep = time.Hour },
		"duels.provisional.duels: -1 is out of range; use 0 to 1000":          func(d *duel.Rules) { d.Provisional.Duels = -1 },
		"duels.provisional.k: 0 is out of range; use 1 to 1000":               func(d *duel.Rules) { d.Provisional = duel.Provisional{Duels: 1} },
		"duels.points.sweep: -5 is out of range; use 0 to 1000000":            func(d *duel.Rules) { d.Points.Sweep = -5 },
		"duels.queue.window: -1 is out of range; use 0 to 10000":              func(d *duel.Rules) { d.Queue.Window = -1 },
		"duels.queue.growth: NaN is out of range; use 0 to 10000":             func(d *duel.Rules) { d.Queue.Growth = math.NaN() },
		"duels.queue.cap: 50 is out of range; use 100 (the window) to 100000": func(d *duel.Rules) { d.Queue.Cap = 50 },
		"duels.queue.away: 1s is out of range; use 5s to 10m":                 func(d *duel.Rules) { d.Queue.Away = time.Second },
	} {
		g, rules := *testkit.Game(t, "name: g\nmodes: {a: {max: 10}}\n"), duel.DefaultRules()
		change(&rules)
		g.Features = []game.FeatureRules{rules}
		_, err := game.New(g)
		require.EqualError(t, err, want)
	}
}

func TestDuelsGiveXPWherePointsAreWorthSome(t *testing.T) {
	d := duel.DefaultRules()
	require.False(t, d.GiveXP())
	d.XPWeight = 1100
	require.False(t, d.GiveXP())
	d.Points.Sweep = 1
	require.True(t, d.GiveXP())
	d.XPWeight = 0
	require.False(t, d.GiveXP())
}

func TestRatingsAreReadAsTheyAreNow(t *testing.T) {
	d := duel.DefaultRules()
	require.InDelta(t, 1700.1, d.RatingNow(time.Now(), 1700.1), 0, "nothing decays")
	d.Decay = &game.RatingDecay{After: 1, Points: 10}
	monday := time.Date(2026, 11, 23, 0, 0, 0, 0, time.UTC)
	entry := d.Decay.Leaves(1700, game.RatingWeek(monday.AddDate(0, 0, -14))).Stored()
	require.InDelta(t, 1700, d.RatingNow(monday, entry), 0, "one idle week is free")
	require.InDelta(t, 1690, d.RatingNow(monday.AddDate(0, 0, 7), entry), 0)
	require.InDelta(t, 1680, d.RatingNow(monday.AddDate(0, 0, 14), entry), 0)
}
