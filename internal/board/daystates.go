package board

import "github.com/framedle/leaderboards/internal/game"

// DayState is how far one mode's day has come, by the indexes of days.
type DayState struct {
	Mode   *game.Mode
	Date   game.Date
	Over   bool // its end and grace have passed
	Closed bool // a closing has seen it
	Sealed bool // it takes no more writes
	Folded bool // it is in what outlives it
	Alive  bool // its board has not reached its expiry
}

// Lost reports whether the day's board expired before it was folded.
func (d DayState) Lost() bool { return !d.Alive && !d.Folded }

// DayStates lists every day that a survey knows, by mode and date.
func (s *Store) DayStates(view Survey) []DayState {
	now := s.now()
	var all []DayState
	for i, m := range s.game.Modes {
		for _, d := range view.globals[i].dates {
			all = append(all, DayState{
				Mode: m, Date: d,
				Over:   s.game.Closed(game.Day.Of(d), now),
				Closed: view.closed[game.ClosedDay(m.Name, d)] == closedMark,
				Sealed: !s.writable(d),
				Folded: view.globals[i].folded[d],
				Alive:  s.alive(d),
			})
		}
	}
	return all
}
