package daily

import (
	"slices"

	"github.com/framedle/leaderboards/internal/game"
)

// Day is the date that was closed.
func (c ClosedDay) Day() game.Date { return c.day.Date }

// Best returns the best streak, including the day, of each player who played on it and whose
// streak is long enough for one of the game's badges.
func (c ClosedDay) Best() map[string]int { return c.best }

// Groups returns the groups that have boards of the day, in any mode.
func (c ClosedDay) Groups() []string {
	var groups []string
	for _, scopes := range c.day.Scopes {
		for _, s := range scopes {
			if s.Kind() == game.Group && !slices.Contains(groups, s.ID()) {
				groups = append(groups, s.ID())
			}
		}
	}
	slices.Sort(groups)
	return groups
}
