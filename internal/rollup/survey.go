package rollup

import (
	"context"
	"slices"
	"strings"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/notices"
	"github.com/framedle/leaderboards/internal/rdb"
	"github.com/framedle/leaderboards/upstash"
)

// Unclosed is a day whose end and grace have passed, and of which some modes have scores that
// no closing has seen.
type Unclosed struct {
	Date  game.Date
	Modes []*game.Mode // not closed
	All   []*game.Mode // with a board for the day
	// scopes that each mode has boards for, on this day
	Scopes map[string][]game.Scope
}

// Survey is what the indexes of all modes say, as read at one moment.
type Survey struct {
	Closed  map[string]string
	Globals []Index // by mode, in the order of the game
	// scoped are the indexes of modes' scopes, of those that were asked for
	scoped map[*game.Mode]map[game.Scope]*Index
}

// ClosedInto keeps the answer of HGETALL on the hash of closed days.
func (v *Survey) ClosedInto() func(upstash.Reply) error {
	return rdb.FieldsInto(func(fields map[string]string) error {
		v.Closed = fields
		return nil
	})
}

// Survey reads the indexes of all modes, for the work of a schedule.
//
// Cost: 2 billed commands, and 1 for each mode that has been played, in 2 round trips; 1 for
// each other mode in one more round trip, if one of them has been played since a day closed.
func (c *Calendar) Survey(ctx context.Context) (Survey, error) {
	view := Survey{Globals: make([]Index, len(c.db.Game.Modes)), scoped: map[*game.Mode]map[game.Scope]*Index{}}
	var closed, days rdb.Pipeline
	closed.Add(upstash.Cmd("HGETALL", game.ClosedKey), view.ClosedInto())
	if _, err := closed.Run(ctx, c.db.Redis); err != nil {
		return view, rdb.Wrap("list the days", err)
	}
	played := map[string]bool{}
	for field := range view.Closed {
		mode, _, _ := strings.Cut(field, ":")
		played[mode] = true
	}
	var others rdb.Pipeline
	look := []string{"EXISTS"}
	for i, m := range c.db.Game.Modes {
		p := &days
		if !played[m.Name] {
			p, look = &others, append(look, game.DaysKey(m.Name))
		}
		p.Add(upstash.Cmd("HGETALL", game.DaysKey(m.Name)), DaysInto(&view.Globals[i]))
	}
	there := int64(0)
	if len(look) > 1 {
		days.Add(upstash.Cmd(look...), rdb.IntInto(&there))
	}
	_, err := days.Run(ctx, c.db.Redis)
	if err == nil && there > 0 {
		_, err = others.Run(ctx, c.db.Redis)
	}
	return view, rdb.Wrap("list the days", err)
}

// SurveyAll is Survey, but first puts boards onto the index that are missing there after a loss
// of Redis: boards of all players that are in Redis, whichever process wrote to them, and
// boards of groups that this process has written to.
//
// Cost: 1 billed command in 1 round trip more.
func (c *Calendar) SurveyAll(ctx context.Context) (Survey, error) {
	if err := c.notices.Keys.Prove(ctx); err != nil {
		return Survey{}, err
	}
	view, err := c.Survey(ctx)
	if err != nil {
		return view, err
	}
	found, err := c.indexStray(ctx, view)
	if err != nil || !found {
		return view, rdb.Wrap("look for days that are off the index", err)
	}
	return c.Survey(ctx)
}

// indexStray looks for boards of all days that can be in Redis and are not on
// the index: mostly there is none.
func (c *Calendar) indexStray(ctx context.Context, view Survey) (found bool, err error) {
	var stray []notices.DayKey
	for i, m := range c.db.Game.Modes {
		for d := c.db.Game.Today(c.db.Now()).AddDays(1); c.db.Alive(d); d = d.AddDays(-1) {
			// A day is taken off the index with its month.
			if !view.Globals[i].Has(d) && !c.spent(d) {
				stray = append(stray, notices.DayKey{Mode: m.Name, Date: d})
			}
		}
	}
	there, err := c.notices.Keys.There(ctx, stray)
	if err != nil || len(there) == 0 {
		return false, err
	}
	c.notices.Keys.Owe(there)
	return true, c.notices.Keys.Repay(ctx)
}

// Played lists the modes that have a board for a day.
func (c *Calendar) Played(view Survey, d game.Date) []*game.Mode {
	var modes []*game.Mode
	for i, m := range c.db.Game.Modes {
		if view.Globals[i].Has(d) {
			modes = append(modes, m)
		}
	}
	return modes
}

// Unclosed lists the days to close, oldest first.
//
// Cost: 1 billed command for each mode with groups that has one.
func (c *Calendar) Unclosed(ctx context.Context, view Survey) ([]Unclosed, error) {
	now := c.db.Now()
	days := map[game.Date]*Unclosed{}
	for i, m := range c.db.Game.Modes {
		for _, d := range view.Globals[i].Dates {
			if !c.db.Game.Closed(game.Day.Of(d), now) || view.Globals[i].RolledUp[d] && !c.db.Alive(d) {
				continue
			}
			day := days[d]
			if day == nil {
				day = &Unclosed{Date: d, Scopes: map[string][]game.Scope{}}
				days[d] = day
			}
			day.All = append(day.All, m)
			if view.Closed[game.ClosedDay(m.Name, d)] != ClosedMark {
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
	return list, c.findScopes(ctx, view, list)
}

// findScopes completes days by the scopes that their modes have boards of.
func (c *Calendar) findScopes(ctx context.Context, view Survey, days []Unclosed) error {
	var modes []*game.Mode
	for _, day := range days {
		modes = append(modes, day.Modes...)
	}
	if err := c.surveyScopes(ctx, view, modes); err != nil {
		return err
	}
	for _, day := range days {
		for _, m := range day.Modes {
			for _, scope := range SortedScopes(view.scoped[m]) {
				if view.scoped[m][scope].Has(day.Date) {
					day.Scopes[m.Name] = append(day.Scopes[m.Name], scope)
				}
			}
		}
	}
	return nil
}

// surveyScopes reads the indexes of modes' groups, each once for a survey.
func (c *Calendar) surveyScopes(ctx context.Context, view Survey, modes []*game.Mode) error {
	var p rdb.Pipeline
	for _, m := range modes {
		if _, asked := view.scoped[m]; asked || !game.WritesScopes(m) {
			continue
		}
		view.scoped[m] = nil
		p.Add(upstash.Cmd("HGETALL", game.ScopedDaysKey(m.Name)), func(r upstash.Reply) error {
			var indexes map[game.Scope]*Index
			err := ScopedInto(&indexes)(r)
			view.scoped[m] = indexes
			return err
		})
	}
	_, err := p.Run(ctx, c.db.Redis)
	return rdb.Wrap("list the groups of days", err)
}

// Days lists the days of a board's period that the index has for its mode and scope.
//
// Cost: 1 billed command.
func (c *Calendar) Days(ctx context.Context, b game.Board) ([]game.Date, error) {
	index, err := c.index(ctx, b)
	if err != nil {
		return nil, rdb.Wrap("list the days of "+b.Key, err)
	}
	var dates []game.Date
	for _, d := range index.Dates {
		if b.Period.Contains(d) {
			dates = append(dates, d)
		}
	}
	return dates, nil
}

// RolledUpThrough is the newest day of a mode and scope that has been rolled up; the zero Date
// if none has.
//
// Cost: 2 billed commands in 1 round trip.
func (c *Calendar) RolledUpThrough(ctx context.Context, m *game.Mode, scope game.Scope) (game.Date, error) {
	global, scoped, err := c.Indexes(ctx, m)
	if err != nil {
		return game.Date{}, err
	}
	scoped[game.Scope{}] = global
	var newest game.Date
	if index := scoped[scope]; index != nil {
		for d := range index.RolledUp {
			if d.After(newest) {
				newest = d
			}
		}
	}
	return newest, nil
}
