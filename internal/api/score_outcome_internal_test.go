package api

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/leaderboard"
)

func TestWhatIsSaidOfAPlayIsReadAsItWasWritten(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		whole := rapid.Int64Range(-1<<53, 1<<53)
		want := scoreOutcome{
			Outcome: leaderboard.Outcome{
				Status: rapid.SampledFrom([]game.Status{game.Accepted, game.Improved, game.Kept, game.Replayed, heldStatus}).Draw(t, "status"),
				Score:  game.Score(whole.Draw(t, "score")), Rank: whole.Draw(t, "rank"), Total: whole.Draw(t, "total"),
			},
			submitted: game.Score(whole.Draw(t, "submitted")), played: &playedAnswer{},
		}
		if rapid.Bool().Draw(t, "xp") {
			xp := whole.Draw(t, "XP")
			want.played.XP = &xp
		}
		if rapid.Bool().Draw(t, "streak") {
			day := rapid.IntRange(0, 1<<20)
			want.played.Streak = &streakAnswer{Current: day.Draw(t, "current"), Best: day.Draw(t, "best"), Freezes: day.Draw(t, "freezes")}
			if rapid.Bool().Draw(t, "played") {
				last := "2026-11-18"
				want.played.Streak.LastPlayed = &last
			}
		}
		want.gains = rapid.SliceOfN(rapid.SampledFrom([]string{"", "coins=3", "coins=3,gems=-1", "0a,true"}), 1, 3).Draw(t, "gains")
		got, err := parseOutcome(want.text())
		require.NoError(t, err)
		require.Equal(t, want, got)
	})
}

func FuzzParseOutcome(f *testing.F) {
	f.Add("improved 5 5 1 10 40 3,5,1,2026-11-18 coins=3 0a,true")
	f.Add("held 5 0 0 0 - - - -")
	f.Fuzz(func(t *testing.T, text string) {
		got, err := parseOutcome(text)
		if err != nil {
			return
		}
		again, err := parseOutcome(got.text())
		require.NoError(t, err)
		require.Equal(t, got, again)
	})
}
