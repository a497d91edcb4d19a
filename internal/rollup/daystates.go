package rollup

import "github.com/framedle/leaderboards/internal/game"

// DayState is how far one mode's day has come, according to the indexes of days.
type DayState struct {
	Mode     *game.Mode
	Date     game.Date
	Over     bool // its end and grace have passed
	Closed   bool // a closing has seen it
	Reopened bool // it was written to after its end: the next closing takes it in again
	Sealed   bool // it takes no more writes
	RolledUp bool // it is in what outlives it
	Alive    bool // its board has not reached its expiry
}

// Lost reports whether the day's board expired before it was rolled up.
func (d DayState) Lost() bool { return !d.Alive && !d.RolledUp }

// DayStates lists every day that a survey knows, by mode and date.
func (c *Calendar) DayStates(view Survey) []DayState {
	now := c.db.Now()
	var all []DayState
	for i, m := range c.db.Game.Modes {
		for _, d := range view.Globals[i].Dates {
			all = append(all, DayState{
				Mode: m, Date: d,
				Over:     c.db.Game.Closed(game.Day.Of(d), now),
				Closed:   view.Closed[game.ClosedDay(m.Name, d)] == ClosedMark,
				Reopened: IsReopened(view.Closed[game.ClosedDay(m.Name, d)]),
				Sealed:   !c.Writable(d),
				RolledUp: view.Globals[i].RolledUp[d],
				Alive:    c.db.Alive(d),
			})
		}
	}
	return all
}
