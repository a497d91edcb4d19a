package board

import (
	"context"
	"slices"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/upstash"
)

// Unclosed is a day whose end and grace have passed and which some modes have
// scores of that no closing has seen.
type Unclosed struct {
	Date  game.Date
	Modes []*game.Mode // not closed
	all   []*game.Mode // with a board for the day
	// scopes that each mode has boards for, on this day
	scopes map[string][]game.Scope
}

// Survey is what the indexes of all modes say, as read at one moment.
type Survey struct {
	closed  map[string]string
	globals []dayIndex // by mode, in the order of the game
	// scoped are the indexes of modes' scopes, of those that were asked for
	scoped map[*game.Mode]map[game.Scope]*dayIndex
}

// closedInto keeps the answer of HGETALL on the hash of closed days.
func (v *Survey) closedInto() func(upstash.Reply) error {
	return fieldsInto(func(fields map[string]string) error {
		v.closed = fields
		return nil
	})
}

// Survey reads the indexes of all modes, for the work of a schedule.
//
// Cost: 1 billed command, and 1 for each mode, in 1 round trip.
func (s *Store) Survey(ctx context.Context) (Survey, error) {
	view := Survey{globals: make([]dayIndex, len(s.game.Modes)), scoped: map[*game.Mode]map[game.Scope]*dayIndex{}}
	var p pipeline
	p.add(upstash.Cmd("HGETALL", game.ClosedKey), view.closedInto())
	for i, m := range s.game.Modes {
		p.add(upstash.Cmd("HGETALL", game.DaysKey(m.Name)), daysInto(&view.globals[i]))
	}
	_, err := p.run(ctx, s.redis)
	return view, wrap("list the days", err)
}

// SurveyAll is Survey after boards that a loss of Redis has left off the index
// are put on it: those of all players that are in Redis, whoever wrote to them,
// and those of groups that this process has written to.
//
// Cost: 1 billed command in 1 round trip more.
func (s *Store) SurveyAll(ctx context.Context) (Survey, error) {
	if err := s.Prove(ctx); err != nil {
		return Survey{}, err
	}
	view, err := s.Survey(ctx)
	if err != nil {
		return view, err
	}
	found, err := s.indexStray(ctx, view)
	if err != nil || !found {
		return view, wrap("look for days that are off the index", err)
	}
	return s.Survey(ctx)
}

// indexStray looks for boards of all days that can be in Redis and are not on
// the index: mostly there is none.
func (s *Store) indexStray(ctx context.Context, view Survey) (found bool, err error) {
	var stray []dayKey
	for i, m := range s.game.Modes {
		for d := s.game.Today(s.now()).AddDays(1); s.alive(d); d = d.AddDays(-1) {
			// A day is taken off the index with its month.
			if !view.globals[i].has(d) && !s.spent(d) {
				stray = append(stray, dayKey{mode: m.Name, date: d})
			}
		}
	}
	there, err := s.there(ctx, stray)
	if err != nil || len(there) == 0 {
		return false, err
	}
	s.epoch.owe(there)
	return true, s.repay(ctx)
}

// Played lists the modes that have a board for a day.
func (s *Store) Played(view Survey, d game.Date) []*game.Mode {
	var modes []*game.Mode
	for i, m := range s.game.Modes {
		if view.globals[i].has(d) {
			modes = append(modes, m)
		}
	}
	return modes
}

// Unclosed lists the days to close, oldest first.
//
// Cost: 1 billed command for each mode with groups that has one.
func (s *Store) Unclosed(ctx context.Context, view Survey) ([]Unclosed, error) {
	now := s.now()
	days := map[game.Date]*Unclosed{}
	for i, m := range s.game.Modes {
		for _, d := range view.globals[i].dates {
			if !s.game.Closed(game.Day.Of(d), now) || view.globals[i].folded[d] && !s.alive(d) {
				continue
			}
			day := days[d]
			if day == nil {
				day = &Unclosed{Date: d, scopes: map[string][]game.Scope{}}
				days[d] = day
			}
			day.all = append(day.all, m)
			if view.closed[game.ClosedDay(m.Name, d)] != closedMark {
				day.Modes = append(day.Modes, m)
			}
		}
	}
	var list []Unclosed
	for _, day := range days {
		if len(day.Modes) > 0 {
			list = append(list, *day)
		}
	}
	slices.SortFunc(list, func(a, b Unclosed) int { return a.Date.Compare(b.Date) })
	return list, s.findScopes(ctx, view, list)
}

// findScopes completes days by the scopes that their modes have boards of.
func (s *Store) findScopes(ctx context.Context, view Survey, days []Unclosed) error {
	var modes []*game.Mode
	for _, day := range days {
		modes = append(modes, day.Modes...)
	}
	if err := s.surveyScopes(ctx, view, modes); err != nil {
		return err
	}
	for _, day := range days {
		for _, m := range day.Modes {
			for _, scope := range sortedScopes(view.scoped[m]) {
				if view.scoped[m][scope].has(day.Date) {
					day.scopes[m.Name] = append(day.scopes[m.Name], scope)
				}
			}
		}
	}
	return nil
}

// surveyScopes reads the indexes of modes' groups, each once for a survey.
func (s *Store) surveyScopes(ctx context.Context, view Survey, modes []*game.Mode) error {
	var p pipeline
	for _, m := range modes {
		if _, asked := view.scoped[m]; asked || !m.HasScope(game.Group) {
			continue
		}
		view.scoped[m] = nil
		p.add(upstash.Cmd("HGETALL", game.ScopedDaysKey(m.Name)), func(r upstash.Reply) error {
			var indexes map[game.Scope]*dayIndex
			err := scopedInto(&indexes)(r)
			view.scoped[m] = indexes
			return err
		})
	}
	_, err := p.run(ctx, s.redis)
	return wrap("list the groups of days", err)
}

// Days lists the days that a board's mode and scope are known to have had
// within its period.
//
// Cost: 1 billed command.
func (s *Store) Days(ctx context.Context, b Board) ([]game.Date, error) {
	var index dayIndex
	var p pipeline
	s.askDays(&p, b, &index)
	if _, err := p.run(ctx, s.redis); err != nil {
		return nil, wrap("list the days of "+b.Key, err)
	}
	var dates []game.Date
	for _, d := range index.dates {
		if b.Period.Contains(d) {
			dates = append(dates, d)
		}
	}
	return dates, nil
}

// FoldedThrough is the newest day of a mode and scope that has been folded;
// the zero Date where none has.
//
// Cost: 2 billed commands in 1 round trip.
func (s *Store) FoldedThrough(ctx context.Context, m *game.Mode, scope game.Scope) (game.Date, error) {
	global, scoped, err := s.allDays(ctx, m)
	if err != nil {
		return game.Date{}, err
	}
	scoped[game.Scope{}] = global
	var newest game.Date
	if index := scoped[scope]; index != nil {
		for d := range index.folded {
			if d.After(newest) {
				newest = d
			}
		}
	}
	return newest, nil
}
