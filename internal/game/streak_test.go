package game_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/framedle/leaderboards/internal/game"
)

func TestStreak(t *testing.T) {
	first := game.NewDate(2026, 12, 25)
	rule := game.StreakRule{Freezes: 2, Every: 3}
	for name, c := range map[string]struct {
		played  string // one letter a day from first: x played, . missed
		rule    game.StreakRule
		on      int // days after first
		current int
		best    int
		freezes int
	}{
		"never played":                       {"", rule, 4, 0, 0, 0},
		"played on the first day":            {"x", rule, 0, 1, 1, 0},
		"stands through the day after":       {"xx", rule, 2, 2, 2, 0},
		"ends with a missed day":             {"xx", rule, 3, 0, 2, 0},
		"earns a freeze on every third day":  {"xxx", rule, 3, 3, 3, 1},
		"a freeze covers a missed day":       {"xxx.", rule, 4, 3, 3, 0},
		"two missed days are one too many":   {"xxx..", rule, 5, 0, 3, 0},
		"the covered day does not count":     {"xxx.x", rule, 5, 4, 4, 0},
		"no more freezes than may be held":   {"xxxxxxxxx", rule, 9, 9, 9, 2},
		"a new streak begins without freeze": {"xxx..x", rule, 6, 1, 3, 0},
		"without freezes the first gap ends": {"xxxxxx.x", game.StreakRule{}, 8, 1, 6, 0},
	} {
		t.Run(name, func(t *testing.T) {
			var s game.Streak
			for i, letter := range c.played {
				if letter == 'x' {
					s = c.rule.Play(s, first.AddDays(i))
				}
			}
			s = c.rule.At(s, first.AddDays(c.on))
			require.Equal(t, []int{c.current, c.best, c.freezes}, []int{s.Current, s.Best, s.Freezes})
		})
	}
}

// The plain model walks through the calendar one day at a time.
func TestStreakEqualsAWalkThroughTheCalendar(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rule := game.StreakRule{Freezes: rapid.IntRange(0, 4).Draw(t, "freezes"), Every: rapid.IntRange(1, 9).Draw(t, "every")}
		played := rapid.SliceOfN(rapid.Bool(), 1, 80).Draw(t, "played")
		first := game.NewDate(2026, 12, 1)
		var s game.Streak
		current, best, held := 0, 0, 0
		for i, p := range played {
			today := first.AddDays(i)
			require.Equal(t, current, rule.At(s, today).Current)
			switch {
			case p:
				s = rule.Play(s, today)
				require.Equal(t, s, rule.Play(s, today), "a day counts once")
				current++
				best = max(best, current)
				if held < rule.Freezes && current%rule.Every == 0 {
					held++
				}
			case held > 0 && current > 0:
				held--
			default:
				current, held = 0, 0
			}
			now := rule.At(s, today.AddDays(1))
			require.Equal(t, []int{current, best, held}, []int{now.Current, now.Best, now.Freezes})
		}
	})
}
