package duel_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/feature/duel"
)

// crowd is the history of many players of one duel each.
type crowd struct {
	history
	players int
}

func (c *crowd) each(page func(player string) error) error {
	for i := range c.players {
		if err := page(fmt.Sprint("p", i)); err != nil {
			return err
		}
	}
	return nil
}

func (c *crowd) Standings(_ context.Context, _ float64, _ []string, page func([]duel.Standing) error) error {
	return c.each(func(player string) error { return page([]duel.Standing{{Player: player, Rating: 1016, XP: 5}}) })
}

func (c *crowd) EachBegun(_ context.Context, page func([]duel.Begun) error) error {
	return c.each(func(player string) error { return page([]duel.Begun{{Player: player, Duels: 3}}) })
}

func (c *crowd) EachOpen(context.Context, func([]duel.Duel) error) error { return nil }

func (c *crowd) HasAny(context.Context, []string) (bool, error) { return false, nil }

func (c *crowd) Since(_ context.Context, _ time.Time, page func([]duel.Duel) error) error {
	return page(c.duels)
}

// What a restore hands to a script at once fits the stack of Lua.
func TestPagesOfARestoreFitAScript(t *testing.T) {
	onEngines(t, "duels: {provisional: {duels: 5, k: 64}, xp: 1, points: {win: 5}}", func(t *testing.T, k *kit) {
		past := &crowd{players: 2500}
		for i := range 120 {
			past.duels = append(past.duels, duel.Duel{
				ID: fmt.Sprint("past", i), State: duel.Decided, Players: [2]string{"p0", "p1"}, Mode: "daily", CreatedAt: noon, Until: noon, K: 32,
				Reports: [2]*duel.Outcome{{Winner: 0, Score: score(3, 1)}, {Winner: 0, Score: score(3, 1)}}, Outcome: &duel.Outcome{Winner: 0, Score: score(3, 1)},
				By: duel.ByPlayers, Ratings: [2]duel.RatingChange{{Before: 1000, After: 1016, Rank: 1}, {Before: 1000, After: 984, Rank: 2}},
				DecidedAt: noon, Points: [2]int64{5, 1}, XP: [2]int64{5, 1},
			})
		}
		k.options.History = past
		k.Store = duel.New(k.options)
		before := k.redis.Ran()
		var did duel.RestoreReport
		commands, _ := k.redis.Spent(func() {
			var err error
			did, err = k.Keeper().Restore(ctx, false)
			require.NoError(t, err)
		})
		require.Equal(t, duel.RestoreReport{Ratings: 2500, XP: 2500, Duels: 120}, did)
		require.Equal(t, k.redis.Ran()-before, commands, "the meter and Redis itself disagree")
		d, err := k.Duel(ctx, "past119")
		require.NoError(t, err)
		require.Equal(t, past.duels[119], d)
		_, rated, begun, err := k.StandingOf(ctx, "p2499")
		require.NoError(t, err)
		require.True(t, rated)
		require.EqualValues(t, 3, begun)
	})
}
