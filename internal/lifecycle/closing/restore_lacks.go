package closing

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/framedle/leaderboards/internal/derive"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lifecycle"
)

// LackError is returned if the archive has less than Redis: what it lacks would be lost.
type LackError struct{ Lacks []string }

func (e *LackError) Error() string {
	return "the archive has less than Redis, nothing was changed: " + strings.Join(e.Lacks, "; ")
}

// Lacks describes the closed and rolled-up days and the XP that Redis has and the archive
// lacks. Days that the index no longer has still count in players' XP.
//
// Cost: 2 billed commands, 1 for each mode, and 1 for every 20,000 players; if the archive
// lacks players' XP, the reading of the days that are not closed.
func (c *Closing) Lacks(ctx context.Context) ([]string, error) {
	if c.Archive == nil {
		return nil, ErrNoArchive
	}
	view, err := c.Store.Rollup.Calendar.Survey(ctx)
	if err != nil {
		return nil, err
	}
	lacks, err := lacking{c}.days(ctx, view)
	if err != nil {
		return nil, err
	}
	current, err := c.Store.DB.ReadBoard(ctx, game.XPBaseKey)
	if err != nil {
		return nil, err
	}
	should, err := xpTotals(ctx, c.Archive, c.Game.Modes, beginning, c.clock().today())
	if err != nil {
		return nil, err
	}
	var missing []string
	for player, xp := range current {
		if has, known := should[player]; !known || has < xp {
			missing = append(missing, player)
		}
	}
	if len(missing) > 0 {
		again, err := lacking{c}.closingAgain(ctx, view)
		if err != nil {
			return nil, err
		}
		// A restore that was cut off may have put back XP of scores that were removed meanwhile.
		removed, err := lifecycle.Noted(ctx, c.Store.DB)
		if err != nil {
			return nil, err
		}
		missing = slices.DeleteFunc(missing, func(player string) bool { _, will := again[player]; return will || removed[player] })
	}
	if len(missing) > 0 {
		lacks = append(lacks, fmt.Sprintf("XP of %d of %d players, all or part", len(missing), len(current)))
	}
	return lacks, nil
}

// lacking finds what the archive lacks.
type lacking struct{ c *Closing }

// days describes the days that Redis has closed and the archive does not have complete, and
// those that Redis has only rolled up and that the archive does not have at all. A day of the
// second kind may be incomplete in the archive: if a restore has noted that it is rolled up,
// nothing says whether it had closed.
func (l lacking) days(ctx context.Context, view derive.Survey) ([]string, error) {
	closed, missing := map[*game.Mode]int{}, map[*game.Mode][]game.Date{}
	kept := map[*game.Mode]map[game.Date]bool{}
	for _, day := range l.c.Store.Rollup.Calendar.DayStates(view) {
		m := day.Mode
		if !day.Closed && !day.RolledUp {
			continue
		}
		if kept[m] == nil {
			whole, err := l.c.Archive.Days.Complete(ctx, m.Name, beginning, l.c.clock().today())
			if err != nil {
				return nil, err
			}
			kept[m] = whole
		}
		closed[m]++
		if whole, known := kept[m][day.Date]; !known || day.Closed && !whole {
			missing[m] = append(missing[m], day.Date)
		}
	}
	var lacks []string
	for _, m := range l.c.Game.Modes {
		if n := len(missing[m]); n > 0 {
			lacks = append(lacks, fmt.Sprintf("%s: %d of %d closed days, from %s to %s", m.Name, n, closed[m], missing[m][0], missing[m][n-1]))
		}
	}
	return lacks, nil
}

// closingAgain returns the players of days that are over and not closed: the next closing
// gives them their XP in any case.
func (l lacking) closingAgain(ctx context.Context, view derive.Survey) (map[string]struct{}, error) {
	players := map[string]struct{}{}
	for _, day := range l.c.Store.Rollup.Calendar.DayStates(view) {
		if !day.Over || day.Closed || !day.Alive {
			continue
		}
		current, err := l.c.Store.DB.ReadBoard(ctx, game.DayBoardKey(day.Mode.Name, day.Date))
		if err != nil {
			return nil, err
		}
		for player := range current {
			players[player] = struct{}{}
		}
	}
	return players, nil
}
