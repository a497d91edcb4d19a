package derive

import (
	"context"
	"slices"
	"strings"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/redis"
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
	// Empty has the modes whose boards are empty since their last entry was removed.
	Empty map[string]bool
	// Marks have the fields of the other modes that give XP, in the hash of closed days, and what
	// was there: a closing must see that one of them is written to meanwhile.
	Marks []FieldMark
}

// FieldMark is a field of the hash of closed days with its mark; empty: there is none.
type FieldMark struct{ Field, Mark string }

// Survey is what the indexes of all modes say, as read at one moment.
type Survey struct {
	Closed  map[string]string
	Globals []Index // by mode, in the order of the game
	// scoped are the indexes of modes' scopes, of those that were asked for
	scoped map[*game.Mode]map[game.Scope]*Index
}

// ClosedInto keeps the answer of HGETALL on the hash of closed days.
func (v *Survey) ClosedInto() func(upstash.Reply) error {
	return redis.FieldsInto(func(fields map[string]string) error {
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
	if err := c.ListDays(ctx); err != nil {
		return view, err
	}
	var closed, days redis.Pipeline
	closed.Add(upstash.Cmd("HGETALL", game.ClosedKey), view.ClosedInto())
	if _, err := closed.Run(ctx, c.db.Redis); err != nil {
		return view, redis.Wrap("list the days", err)
	}
	played := map[string]bool{}
	for field := range view.Closed {
		mode, _, _ := strings.Cut(field, ":")
		played[mode] = true
	}
	var others redis.Pipeline
	look := []string{"EXISTS"}
	for i, m := range c.db.Game.Modes {
		p := &days
		if !played[m.Name] {
			p, look = &others, append(look, game.DaysKey(m.Name))
		}
		c.AskDays(p, m, &view.Globals[i])
	}
	there := int64(0)
	if len(look) > 1 {
		days.Add(upstash.Cmd(look...), redis.IntInto(&there))
	}
	_, err := days.Run(ctx, c.db.Redis)
	switch {
	case err != nil:
	case there > 0:
		_, err = others.Run(ctx, c.db.Redis)
	default:
		for i, m := range c.db.Game.Modes {
			if !played[m.Name] {
				c.assume(&view.Globals[i])
			}
		}
	}
	return view, redis.Wrap("list the days", err)
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
				day = &Unclosed{Date: d, Scopes: map[string][]game.Scope{}, Empty: map[string]bool{}}
				days[d] = day
			}
			day.All = append(day.All, m)
			day.Empty[m.Name] = view.Globals[i].Empty[d]
			if view.Closed[game.ClosedDay(m.Name, d)] != ClosedMark {
				day.Modes = append(day.Modes, m)
			}
		}
	}
	var list []Unclosed
	for _, day := range days {
		if len(day.Modes) == 0 {
			continue
		}
		for _, m := range c.db.Game.Modes {
			if field := game.ClosedDay(m.Name, day.Date); m.GivesXP() && !slices.Contains(day.Modes, m) {
				day.Marks = append(day.Marks, FieldMark{field, view.Closed[field]})
			}
		}
		list = append(list, *day)
	}
	slices.SortFunc(list, func(a, b Unclosed) int { return a.Date.Compare(b.Date) })
	var modes []*game.Mode
	for _, day := range list {
		modes = append(modes, day.Modes...)
	}
	if err := c.surveyScopes(ctx, view, modes); err != nil {
		return list, err
	}
	for _, day := range list {
		for _, m := range day.Modes {
			for _, scope := range SortedScopes(view.scoped[m]) {
				if view.scoped[m][scope].Has(day.Date) {
					day.Scopes[m.Name] = append(day.Scopes[m.Name], scope)
				}
			}
		}
	}
	return list, nil
}

// surveyScopes reads the indexes of modes' groups, each once for a survey.
func (c *Calendar) surveyScopes(ctx context.Context, view Survey, modes []*game.Mode) error {
	var p redis.Pipeline
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
	return redis.Wrap("list the groups of days", err)
}

// EndedOpen lists the days that take no more scores by the clock, are in Redis,
// and have not been closed in full; oldest first.
//
// Cost: 2 billed commands in 2 round trips, if all are closed; else 1 for each mode and day
// that is not.
func (c *Calendar) EndedOpen(ctx context.Context) ([]game.Date, error) {
	open := c.db.Game.OpenDates(c.db.Now())
	var ended []DayKey
	command := []string{"HMGET", game.ClosedKey}
	for d := c.db.Game.Today(c.db.Now()); c.db.Alive(d); d = d.AddDays(-1) {
		if slices.Contains(open, d) {
			continue
		}
		for _, m := range c.db.Game.Modes {
			ended = append(ended, DayKey{Mode: m.Name, Date: d})
			command = append(command, game.ClosedDay(m.Name, d))
		}
	}
	if len(ended) == 0 {
		return nil, nil
	}
	reply, err := c.db.Redis.Do(ctx, upstash.Cmd(command...))
	if err != nil {
		return nil, redis.Wrap("look for days that are not closed", err)
	}
	marks, err := redis.Texts(reply, len(ended), "a mark for each day")
	if err != nil {
		return nil, redis.Wrap("look for days that are not closed", err)
	}
	var unclosed []DayKey
	for i, mark := range marks {
		if mark != ClosedMark {
			unclosed = append(unclosed, ended[i])
		}
	}
	there, err := c.FindExisting(ctx, unclosed)
	var dates []game.Date
	for _, key := range there {
		dates = append(dates, key.Date)
	}
	slices.SortFunc(dates, game.Date.Compare)
	return slices.Compact(dates), err
}

// DayState is how far one mode's day has come, according to the indexes of days.
type DayState struct {
	Mode     *game.Mode
	Date     game.Date
	Over     bool // its end and grace have passed
	Closed   bool // a closing has seen it
	Reopened bool // it was written to after its end: the next closing takes it in again
	Sealed   bool // it takes no more writes
	RolledUp bool // it is in what outlives it
	Empty    bool // its last entry was removed
	Alive    bool // its board has not reached its expiry
}

// Lost reports whether the day's board expired before it was rolled up. A board that nobody was
// on is not lost.
func (d DayState) Lost() bool { return !d.Alive && !d.RolledUp && !d.Empty }

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
				Empty:    view.Globals[i].Empty[d],
				Alive:    c.db.Alive(d),
			})
		}
	}
	return all
}

// ClosedMark is what the hash of closed days has for a closed day. Before that it has the name
// of the run that reads the day, and then SettledMark with the name of the run that has settled
// the day and has not yet refreshed the boards.
const (
	ClosedMark  = "1"
	SettledMark = "settled "
)

// reopenedMark begins the mark of a mode's day that was written to after its end.
const reopenedMark = "open "

// Reopened is a mark for a mode's day that is to be closed once more. Each mark is different.
// So a process that remembers something of a day that is over sees that the day was written to
// since. The mark must reach Redis with what was written, or after it.
func Reopened(db *redis.DB) string {
	return reopenedMark + redis.UniqueName(db)
}

// IsReopened reports whether a mode's day waits to be closed once more, and no closing has
// begun to do so.
func IsReopened(mark string) bool { return strings.HasPrefix(mark, reopenedMark) }

// Reopen marks modes' days to be closed once more, by their fields in the hash of
// [game.ClosedKey].
//
// Cost: 1 billed command.
func Reopen(db *redis.DB, fields ...string) upstash.Command {
	command, mark := []string{"HSET", game.ClosedKey}, Reopened(db)
	for _, field := range fields {
		command = append(command, field, mark)
	}
	return upstash.Cmd(command...).Idempotent()
}
