package model

import (
	"maps"
	"slices"

	"github.com/framedle/leaderboards/internal/game"
)

// Streak is the state of a player's streak.
type Streak struct {
	Current, Best, Freezes int
	Last                   game.Date
}

// StreakOf computes the streak from all days that a player played. Missed days before
// today have already used up freezes or ended the streak, even if today has no play
// yet.
func StreakOf(rule game.StreakRule, days []game.Date, today game.Date) Streak {
	var s Streak
	for _, d := range days {
		s.miss(between(s.Last, d))
		s.Last = d
		s.Current++
		s.Best = max(s.Best, s.Current)
		if s.Freezes < rule.Freezes && s.Current%rule.Every == 0 {
			s.Freezes++
		}
	}
	s.miss(between(s.Last, today))
	return s
}

func (s *Streak) miss(days int) {
	switch {
	case days <= 0:
	case days <= s.Freezes:
		s.Freezes -= days
	default:
		s.Current, s.Freezes = 0, 0
	}
}

// between counts the dates after a and before b.
func between(a, b game.Date) int {
	if a.IsZero() {
		return 0
	}
	return int(b.Midnight().Sub(a.Midnight())/day) - 1
}

// Played lists the dates on which a player has an entry in any mode.
func (m *Model) Played(player int32) []game.Date {
	dates := map[game.Date]bool{}
	for _, days := range m.days {
		for d, entries := range days {
			if _, ok := entries[player]; ok {
				dates[d] = true
			}
		}
	}
	return slices.SortedFunc(maps.Keys(dates), game.Date.Compare)
}
