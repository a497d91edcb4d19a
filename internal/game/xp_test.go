package game_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/framedle/leaderboards/internal/game"
)

func TestWhatADayGives(t *testing.T) {
	table := []game.XPScore{{Score: 100, XP: 50}, {Score: 60, XP: 100}, {Score: 80, XP: 70}}
	harder := []game.XPScore{{Score: 100, XP: 100}, {Score: 60, XP: 50}}
	for _, c := range []struct {
		name  string
		order game.Order
		rule  game.XPRule
		gives map[game.Score]int64
	}{
		{"nothing", game.Desc, game.XPRule{}, map[game.Score]int64{0: 0, 1000: 0}},
		{"a weight, rounded down", game.Desc, game.XPRule{Weight: 700}, map[game.Score]int64{0: 0, 1: 0, 3: 2, 1000: 700, -1: 0, -50: 0}},
		{"a play", game.Desc, game.XPRule{Play: 10}, map[game.Score]int64{0: 10, 1000: 10, -50: 10}},
		{"a play where the lowest leads", game.Asc, game.XPRule{Play: 10}, map[game.Score]int64{0: 10, 1000: 10}},
		{"lower scores", game.Asc, game.XPRule{Scores: table}, map[game.Score]int64{1000: 0, 101: 0, 100: 50, 81: 50, 80: 70, 61: 70, 60: 100, -50: 100}},
		{"higher scores", game.Desc, game.XPRule{Scores: harder}, map[game.Score]int64{-50: 0, 59: 0, 60: 50, 99: 50, 100: 100, 1000: 100}},
		{"a play and a weight", game.Desc, game.XPRule{Play: 10, Weight: 1000}, map[game.Score]int64{5: 15, 0: 10, -50: 10}},
		{"both", game.Asc, game.XPRule{Play: 10, Scores: table}, map[game.Score]int64{101: 10, 100: 60, 60: 110}},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := plainMode()
			m.Min, m.Order, m.XP = -50, c.order, c.rule
			_, made := withMode(t, m)
			for score, want := range c.gives {
				require.Equal(t, want, made.XPOf(score), "%d", score)
			}
			require.Equal(t, c.name != "nothing", made.GivesXP())
			require.Equal(t, table[1].Score, game.Score(60), "the caller's table stays as it was")
		})
	}
}

// Whatever the table, a better score never gives less, and reaching a threshold
// is what gives its XP.
func TestABetterScoreNeverGivesLess(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := plainMode()
		m.XP = game.XPRule{Play: rapid.Int64Range(0, 5).Draw(t, "play")}
		m.Order = rapid.SampledFrom([]game.Order{game.Desc, game.Asc}).Draw(t, "order")
		thresholds := rapid.SliceOfNDistinct(rapid.IntRange(0, 1000), 0, 12, rapid.ID[int]).Draw(t, "thresholds")
		reaches := func(score, threshold game.Score) bool {
			if m.Order == game.Asc {
				return score <= threshold
			}
			return score >= threshold
		}
		for _, at := range thresholds {
			xp := int64(at) + 1
			if m.Order == game.Asc {
				xp = 1001 - int64(at)
			}
			m.XP.Scores = append(m.XP.Scores, game.XPScore{Score: game.Score(at), XP: xp})
		}
		_, made := withMode(t, m)
		score := game.Score(rapid.IntRange(0, 1000).Draw(t, "score"))
		want := int64(0)
		for _, step := range m.XP.Scores {
			if reaches(score, step.Score) {
				want = max(want, step.XP)
			}
		}
		require.Equal(t, m.XP.Play+want, made.XPOf(score))
	})
}
