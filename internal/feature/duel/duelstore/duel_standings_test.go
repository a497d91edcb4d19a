package duelstore_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/feature/duel"
	"github.com/framedle/leaderboards/internal/feature/duel/duelstore"
	"github.com/framedle/leaderboards/internal/game"
)

func standings(t *testing.T, a *archive.Archive, without ...string) map[string]game.DuelStanding {
	t.Helper()
	all := map[string]game.DuelStanding{}
	require.NoError(t, duelstore.In(a).Standings(ctx, 1000, without, func(page []game.DuelStanding) error {
		for _, s := range page {
			all[s.Player] = s
		}
		return nil
	}))
	return all
}

// Clocks may have said anything, and duels may have come in any order: ratings
// are those that the last duels have left, to the last bit.
func TestRatingsAreMadeFromDuelsInWhateverOrder(t *testing.T) {
	a := open(t)
	require.Empty(t, standings(t, a))
	chance := rand.New(rand.NewPCG(1, 2))
	ratings := map[string]float64{}
	duels := map[string]int64{}
	var all []duel.Duel
	for i := range 300 {
		p, q := fmt.Sprint("p", chance.IntN(5)), fmt.Sprint("p", 5+chance.IntN(5))
		d := decided(fmt.Sprint("d", i), chance.IntN(3), p, q, 0)
		for side, player := range d.Players {
			before, played := ratings[player]
			if !played {
				before = 1000
			}
			d.Ratings[side].Before = before
			d.Ratings[side].After = before + (chance.Float64()-0.5)*32
			ratings[player] = d.Ratings[side].After
			duels[player]++
		}
		all = append(all, d)
	}
	chance.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	for page := range slices.Chunk(all, 100) {
		require.NoError(t, duelstore.In(a).Put(ctx, page))
	}
	got := standings(t, a, "d7")
	require.Len(t, got, len(ratings))
	for player, rating := range ratings {
		xp := 88 * duels[player]
		if player >= "p5" {
			xp = 11 * duels[player]
		}
		for _, d := range all {
			if side := d.Place(player); d.ID == "d7" && side >= 0 {
				xp -= d.XP[side]
			}
		}
		require.Equal(t, game.DuelStanding{Player: player, Rating: rating, XP: xp}, got[player])
	}
	expired := duel.Duel{ID: "e", State: duel.Expired, Players: [2]string{"p0", "new"}, CreatedAt: noon, K: 64}
	require.NoError(t, duelstore.In(a).Put(ctx, []duel.Duel{expired}))
	duels["p0"]++
	duels["new"]++
	begun := map[string]int64{}
	require.NoError(t, duelstore.In(a).EachBegun(ctx, func(page []game.DuelsBegun) error {
		for _, b := range page {
			begun[b.Player] = b.Duels
		}
		return nil
	}))
	require.Equal(t, duels, begun)
	listed, err := duelstore.In(a).Of(ctx, "new", noon.Add(time.Hour), "", 10)
	require.NoError(t, err)
	require.Empty(t, listed, "it came to nothing")
	for ids, want := range map[string]bool{"d3": true, "nothing": false} {
		found, err := duelstore.In(a).HasAny(ctx, []string{ids})
		require.NoError(t, err)
		require.Equal(t, want, found)
	}
	n := 0
	require.NoError(t, duelstore.In(a).Since(ctx, noon, func(page []duel.Duel) error { n += len(page); return nil }))
	require.Equal(t, 300, n)
}

func TestAMissingDuelTakesAlongWhatItDidAlone(t *testing.T) {
	a := open(t)
	var all []duel.Duel
	for i, after := range []float64{1016, 1030, 1041, 1000} {
		d := decided(fmt.Sprint("d", i), i, "p", fmt.Sprint("q", i), 0)
		d.Ratings[0] = duel.RatingChange{Before: []float64{1000, 1016, 1030, 1041}[i], After: after, Rank: 1}
		all = append(all, d)
	}
	require.NoError(t, duelstore.In(a).Put(ctx, append(all[:1:1], all[2:]...)))
	require.Equal(t, 1000.0-14, standings(t, a)["p"].Rating)
	require.NoError(t, duelstore.In(a).Put(ctx, all))
	require.Equal(t, 1000.0, standings(t, a)["p"].Rating)
}
