package duel_test

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/framedle/leaderboards/internal/feature/duel"
	"github.com/framedle/leaderboards/internal/game"
)

// eloChange is what a's rating gains by a result of 1 (won), 0.5 (drawn) or 0
// (lost) against b, who loses as much, where at most k is at stake: after Elo,
// The Rating of Chessplayers (1978).
func eloChange(rules duel.Rules, k, a, b, result float64) float64 {
	return k * (result - 1/(1+math.Pow(10, (b-a)/rules.Scale)))
}

// earned are the points of both players, and the XP that they are worth.
func earned(rules duel.Rules, winner int, score *[2]int64) (points, xp [2]int64) {
	for i := range points {
		if score != nil {
			points[i] = rules.Points.Round * score[i]
		}
		if i == winner {
			points[i] += rules.Points.Win
			if score != nil && score[i] > 0 && score[1-i] == 0 {
				points[i] += rules.Points.Sweep
			}
		}
		xp[i] = points[i] * rules.XPWeight / 1000
	}
	return points, xp
}

func TestPointsOfRoundsWinsAndSweeps(t *testing.T) {
	onEngines(t, "duels: {xp: 1.1, points: {round: 10, win: 50, sweep: 105}}", func(t *testing.T, k *kit) {
		for name, c := range map[string]struct {
			winner     string
			score      *[2]int64
			points, xp [2]int64
		}{
			"a win":           {"a", score(3, 1), [2]int64{80, 10}, [2]int64{88, 11}},
			"a sweep":         {"b", score(0, 2), [2]int64{0, 175}, [2]int64{0, 192}},
			"a draw":          {"", score(1, 1), [2]int64{10, 10}, [2]int64{11, 11}},
			"without a score": {"a", nil, [2]int64{50, 0}, [2]int64{55, 0}},
			"won by nothing":  {"a", score(0, 0), [2]int64{50, 0}, [2]int64{55, 0}},
		} {
			id := k.ready(t, k.newID(), "a", "b").ID
			d, err := k.Report(ctx, id, duel.Result{Winner: c.winner, Score: c.score})
			require.NoError(t, err)
			require.Equal(t, c.points, d.Points, name)
			require.Equal(t, c.xp, d.XP, name)
		}
	})
}

// Nobody but the one player says how many rounds there were.
func TestADuelOfOneWordGivesNoPointsForRounds(t *testing.T) {
	onEngines(t, "duels: {xp: 1, points: {round: 10, win: 50, sweep: 105}}", func(t *testing.T, k *kit) {
		for name, c := range map[string]struct {
			winner string
			points [2]int64
		}{"a win": {"a", [2]int64{50, 0}}, "a loss": {"b", [2]int64{0, 50}}, "a draw": {"", [2]int64{}}} {
			id := k.ready(t, k.newID(), "a", "b").ID
			_, err := k.Report(ctx, id, duel.Result{Player: "a", Winner: c.winner, Score: score(50, 0)})
			require.NoError(t, err)
			k.clock.Pass(duel.RulesOf(k.options.Game).Timeout + time.Second)
			d, err := k.Duel(ctx, id)
			require.NoError(t, err)
			require.Equal(t, duel.ByTimeout, d.By, name)
			require.Equal(t, c.points, d.Points, name)
			require.Equal(t, c.points, d.XP, name)
			require.Equal(t, score(50, 0), d.Outcome.Score, "the score is shown as it was reported")
		}
	})
}

func TestPointsAndXPAreThoseOfAPlainComputation(t *testing.T) {
	onEngines(t, "", func(t *testing.T, k *kit) {
		rapid.Check(t, func(t *rapid.T) {
			o, g := k.options, *k.options.Game
			number := rapid.Int64Range(0, 1_000_000)
			rules := duel.RulesOf(&g)
			rules.Points = duel.Points{Round: rapid.Int64Range(0, 1000).Draw(t, "round"), Win: number.Draw(t, "win"), Sweep: number.Draw(t, "sweep")}
			rules.XPWeight = number.Draw(t, "weight")
			g.Features = []game.FeatureRules{rules}
			o.Game = &g
			store := duel.New(o)
			d, err := store.Arrange(ctx, k.newID(), [2]string{"a", "b"}, "")
			require.NoError(t, err)
			winner := rapid.IntRange(duel.NoWinner, 1).Draw(t, "winner")
			rounds := score(rapid.Int64Range(0, 5).Draw(t, "a"), rapid.Int64Range(0, 5).Draw(t, "b"))
			d, err = store.Report(ctx, d.ID, duel.Result{Winner: []string{"", "a", "b"}[winner+1], Score: rounds})
			require.NoError(t, err)
			points, xp := earned(rules, winner, rounds)
			require.Equal(t, points, d.Points)
			require.Equal(t, xp, d.XP)
		})
	})
}

func TestAnUnevenDuelMovesRatingsAsEloHasIt(t *testing.T) {
	onEngines(t, "", func(t *testing.T, k *kit) {
		_, err := k.redis.Server.Redis().Do(ctx, "ZADD", game.DuelKey, "1400", "a", "1000", "b")
		require.NoError(t, err)
		d := k.ready(t, "m", "a", "b")
		d, err = k.Report(ctx, d.ID, duel.Result{Winner: "b"})
		require.NoError(t, err)
		require.InDelta(t, 1400-32*10.0/11, d.Ratings[0].After, 1e-9, "400 points ahead wins ten for one")
		require.InDelta(t, 1000+32*10.0/11, d.Ratings[1].After, 1e-9)
	})
}
