package soak

import (
	"maps"
	"slices"

	"github.com/framedle/leaderboards/internal/game"
)

// streak is how a player's run of days stands.
type streak struct {
	current, best, freezes int
	last                   game.Date
}

// streakOf replays a player's days. On a date that is not played yet, the days
// missed before it have taken their freezes or ended the run.
func streakOf(rule game.StreakRule, days []game.Date, today game.Date) streak {
	var s streak
	for _, d := range days {
		s.miss(between(s.last, d))
		s.last = d
		s.current++
		s.best = max(s.best, s.current)
		if s.freezes < rule.Freezes && s.current%rule.Every == 0 {
			s.freezes++
		}
	}
	s.miss(between(s.last, today))
	return s
}

func (s *streak) miss(days int) {
	switch {
	case days <= 0:
	case days <= s.freezes:
		s.freezes -= days
	default:
		s.current, s.freezes = 0, 0
	}
}

// between counts the dates after a and before b.
func between(a, b game.Date) int {
	if a.IsZero() {
		return 0
	}
	return int(b.Midnight().Sub(a.Midnight())/day) - 1
}

// played lists the dates on which a player has an entry in any mode.
func (m *model) played(player int32) []game.Date {
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
