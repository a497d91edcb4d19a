package activity

import (
	"context"
	"slices"

	"github.com/framedle/leaderboards/internal/game"
)

// leaveOthers leaves word of other groups' days after this one, where somebody is
// active whose streak there does not follow from this day's, and reports whether there
// are any. The group's own day has word.
//
// Cost: 1 billed command where the day after has begun anywhere; 2 for the days of
// groups, and 1, where somebody's streak is behind.
func (a writing) leaveOthers(ctx context.Context, day groupDay, worth dayWorth) (bool, error) {
	next := day.date.AddDays(1)
	if !a.begunAnywhere(next) {
		return false, nil
	}
	after, err := reading(a).streaks(ctx, next, worth.players)
	if err != nil {
		return false, err
	}
	at := slices.IndexFunc(a.modes, func(m *game.Mode) bool { return m.HasScope(game.Group) })
	behind := slices.ContainsFunc(worth.players, func(player string) bool {
		return after[player] > 0 && after[player] != worth.streaks[player]+1
	})
	if !behind || at < 0 {
		return false, nil
	}
	_, groups, err := a.Rollup.Calendar.Indexes(ctx, a.modes[at])
	if err != nil {
		return false, err
	}
	var days []groupDay
	for scope, index := range groups {
		if scope.Kind() == game.Group && scope.ID() != day.group && index.Has(next) {
			days = append(days, groupDay{scope.ID(), next})
		}
	}
	if len(days) == 0 {
		return false, nil
	}
	_, err = a.DB.Redis.Do(ctx, a.leaveWord(days))
	return true, err
}

// begunAnywhere reports whether a date has begun, in any zone of the rules or in that
// of everybody else.
func (a writing) begunAnywhere(d game.Date) bool {
	now := a.DB.Now()
	for _, zone := range a.zones {
		if !dateAt(now, zone).Before(d) {
			return true
		}
	}
	return !game.DateOf(now).Before(d)
}
