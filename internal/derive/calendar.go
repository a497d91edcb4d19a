package derive

import (
	"context"
	"maps"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

// Calendar says which days there are and how far each has come: whether it takes
// scores, has closed, is sealed, has been rolled up. It is safe for concurrent use.
type Calendar struct {
	db     *redis.DB
	listed atomic.Pointer[game.Date] // up to which days are listed, as far as this process knows; nil: it does not
}

// A day board lives some days longer than its day. For most of that time
// derived boards are made from it again and again, so that late scores and
// removals reach them by themselves. Once it is sealed it takes no more writes, and
// is rolled up into what outlives it.

// Writable reports whether a day's board may still change.
func (c *Calendar) Writable(d game.Date) bool { return c.db.Age(game.Day.Of(d)) < game.Sealed }

// Begins reports whether any process may have taken a score of a date.
func (c *Calendar) Begins(d game.Date) bool {
	return !c.db.Now().Add(ClockSkew).Before(c.db.Game.Opens(d))
}

// InFlight is how long a write may be under way: one that was decided on this
// long before a day closed may reach Redis after the closing has read the day.
const InFlight = 30 * time.Second

// MayBeLate reports whether a write of a day that is decided now may reach Redis after the day's
// end.
func MayBeLate(db *redis.DB, d game.Date) bool {
	return !db.Now().Add(InFlight).Before(db.Game.Ends(game.Day.Of(d)))
}

// hasDue reports whether an index has a day to roll up, or to take off.
func (c *Calendar) hasDue(days Index) bool {
	return c.hasSealed(days) || slices.ContainsFunc(days.Dates, func(d game.Date) bool { return days.RolledUp[d] && c.isSpent(d) })
}

// hasSealed reports whether an index has a day to roll up.
func (c *Calendar) hasSealed(days Index) bool {
	return slices.ContainsFunc(days.Dates, func(d game.Date) bool { return !days.RolledUp[d] && !c.Writable(d) })
}

// isSpent reports whether neither the month nor the season of a rolled-up day needs it any more.
func (c *Calendar) isSpent(d game.Date) bool {
	for _, p := range c.db.Game.OutlivingOf(d) {
		if p.Kind() != game.AllTime && c.db.Age(p) < game.Expired {
			return false
		}
	}
	return true
}

// begun lists the dates of a period that may have been played.
func (c *Calendar) begun(p game.Period) (days Index) {
	for _, d := range p.Days() {
		if c.Begins(d) {
			days.Dates = append(days.Dates, d)
		}
	}
	return days
}

// datesTell reports whether a board is made of its period's dates alone.
func (c *Calendar) datesTell(b game.Board) bool {
	return b.Scope == (game.Scope{}) && (b.Period.Rolls() || b.Period.Kind() == game.Week && c.db.Alive(b.Period.First()))
}

// RunCursor begins the field of an index that says how far the rolling up of a day has come:
// the date and the next page.
const RunCursor = "fold"

// Index lists the days that a mode and scope have boards for.
type Index struct {
	Dates    []game.Date // ascending
	RolledUp map[game.Date]bool
	Empty    map[game.Date]bool // nobody is on the day's board any more, and it was not rolled up
	assumed  []game.Date        // of Dates those that are not listed yet, and may have no board
	cursor   string             // of a rolling up under way; empty for none
}

func (x *Index) put(d game.Date, state string) {
	x.Dates = append(x.Dates, d)
	into := &x.RolledUp
	switch state {
	case DayEmpty:
		into = &x.Empty
	case DayRolledUp:
	default:
		return
	}
	if *into == nil {
		*into = map[game.Date]bool{}
	}
	(*into)[d] = true
}

func (x *Index) sort() { slices.SortFunc(x.Dates, game.Date.Compare) }

func (x *Index) Has(d game.Date) bool {
	_, found := slices.BinarySearchFunc(x.Dates, d, game.Date.Compare)
	return found
}

// open lists the days that are not rolled up.
func (x *Index) open() []game.Date {
	return slices.DeleteFunc(slices.Clone(x.Dates), func(d game.Date) bool { return x.RolledUp[d] })
}

// indexOf is the key of the index of a mode and scope, its field that says how far a rolling up
// has come, and its field of each day.
func indexOf(m *game.Mode, scope game.Scope) (key, cursor string, field func(game.Date) string) {
	if scope == (game.Scope{}) {
		return game.DaysKey(m.Name), RunCursor, game.Date.String
	}
	field = func(d game.Date) string { return game.ScopedDay(d, scope) }
	return game.ScopedDaysKey(m.Name), RunCursor + ":" + scope.String(), field
}

// AskDays queues the reading of a mode's index of the days of all players, and adds the days
// that are not listed yet. The caller has called KnowListed or ListDays.
func (c *Calendar) AskDays(p *redis.Pipeline, m *game.Mode, into *Index) {
	p.Add(upstash.Cmd("HGETALL", game.DaysKey(m.Name)), func(r upstash.Reply) error {
		err := DaysInto(into)(r)
		c.assume(into)
		return err
	})
}

// assume adds the days to an index that are not listed yet.
func (c *Calendar) assume(x *Index) {
	listed := slices.Clone(x.Dates)
	for d := c.listedThrough().AddDays(1); c.Begins(d); d = d.AddDays(1) {
		if !slices.Contains(listed, d) {
			x.put(d, DayOpen)
			x.assumed = append(x.assumed, d)
		}
	}
	x.sort()
}

// KeepPlayed takes those days off some modes' indexes that are not listed and have no board.
//
// Cost: that of There.
func (c *Calendar) KeepPlayed(ctx context.Context, modes []*game.Mode, indexes []Index) error {
	var keys []DayKey
	for d := c.listedThrough().AddDays(1); c.Begins(d); d = d.AddDays(1) {
		for i, m := range modes { // the most played first
			if slices.Contains(indexes[i].assumed, d) {
				keys = append(keys, DayKey{Mode: m.Name, Date: d})
			}
		}
	}
	there, err := c.FindExisting(ctx, keys)
	if err != nil {
		return err
	}
	for i, m := range modes {
		x := &indexes[i]
		x.Dates = slices.DeleteFunc(x.Dates, func(d game.Date) bool {
			return slices.Contains(x.assumed, d) && !slices.Contains(there, DayKey{Mode: m.Name, Date: d})
		})
	}
	return nil
}

// askDays queues the reading of the index of a board's mode and scope. Of a scope it reads
// only the days that the board's period may still be made from. The caller has called
// KnowListed.
func (c *Calendar) askDays(p *redis.Pipeline, b game.Board, into *Index) {
	if b.Scope == (game.Scope{}) {
		c.AskDays(p, b.Mode, into)
		return
	}
	dates := b.Period.Days()
	if b.Period.TrueScores() {
		dates = nil
		tomorrow := game.DateOf(c.db.Now()).AddDays(1)
		for back := mostAdded - 1; back >= 0; back-- {
			if d := tomorrow.AddDays(-back); b.Period.Contains(d) {
				dates = append(dates, d)
			}
		}
	}
	if len(dates) == 0 { // a season that was rolled up long ago
		*into = Index{}
		return
	}
	askStates(p, b, dates, into)
}

// askStates queues the reading of what the index of a board's mode and scope says of some dates,
// which are ascending.
func askStates(p *redis.Pipeline, b game.Board, dates []game.Date, into *Index) {
	key, cursor, field := indexOf(b.Mode, b.Scope)
	command := []string{"HMGET", key, cursor}
	for _, d := range dates {
		command = append(command, field(d))
	}
	p.Add(upstash.Cmd(command...), func(r upstash.Reply) error {
		states, err := redis.Texts(r, len(dates)+1, "a state for each day")
		if err != nil {
			return err
		}
		read := Index{cursor: states[0]}
		for i, state := range states[1:] {
			if state != "" {
				read.put(dates[i], state)
			}
		}
		*into = read
		return nil
	})
}

// index is askDays in a round trip of its own.
func (c *Calendar) index(ctx context.Context, b game.Board) (days Index, err error) {
	if err := c.KnowListed(ctx); err != nil {
		return days, err
	}
	var p redis.Pipeline
	c.askDays(&p, b, &days)
	_, err = p.Run(ctx, c.db.Redis)
	return days, err
}

// DaysInto keeps the answer of HGETALL on an index of days.
func DaysInto(index *Index) func(upstash.Reply) error {
	return redis.FieldsInto(func(fields map[string]string) error {
		var read Index
		for field, state := range fields {
			if field == RunCursor {
				read.cursor = state
				continue
			}
			d, err := game.ParseDate(field)
			if err != nil {
				return err
			}
			read.put(d, state)
		}
		read.sort()
		*index = read
		return nil
	})
}

// ScopedInto keeps the answer of HGETALL on the index of a mode's scopes.
func ScopedInto(indexes *map[game.Scope]*Index) func(upstash.Reply) error {
	return redis.FieldsInto(func(fields map[string]string) error {
		read := map[game.Scope]*Index{}
		of := func(s game.Scope) *Index {
			if read[s] == nil {
				read[s] = &Index{}
			}
			return read[s]
		}
		for field, state := range fields {
			if name, ok := strings.CutPrefix(field, RunCursor+":"); ok {
				scope, err := game.ParseScope(name)
				if err != nil {
					return err
				}
				of(scope).cursor = state
				continue
			}
			d, scope, err := game.ParseScopedDay(field)
			if err != nil {
				return err
			}
			of(scope).put(d, state)
		}
		for _, index := range read {
			index.sort()
		}
		*indexes = read
		return nil
	})
}

// SortedScopes orders scopes by name, so that runs do their work in one order.
func SortedScopes(indexes map[game.Scope]*Index) []game.Scope {
	return slices.SortedFunc(maps.Keys(indexes), func(a, b game.Scope) int { return strings.Compare(a.String(), b.String()) })
}

// within reports whether any day of the index belongs to the period.
func (x *Index) within(p game.Period) bool {
	return slices.ContainsFunc(x.Dates, p.Contains)
}

// Indexes reads the indexes of a mode and of all its scopes.
func (c *Calendar) Indexes(ctx context.Context, m *game.Mode) (*Index, map[game.Scope]*Index, error) {
	var global Index
	scoped := map[game.Scope]*Index{}
	err := c.KnowListed(ctx)
	if err == nil {
		var p redis.Pipeline
		c.AskDays(&p, m, &global)
		if game.WritesScopes(m) {
			p.Add(upstash.Cmd("HGETALL", game.ScopedDaysKey(m.Name)), ScopedInto(&scoped))
		}
		_, err = p.Run(ctx, c.db.Redis)
	}
	return &global, scoped, redis.Wrap("list the days of "+m.Name, err)
}

// Days lists the days of a board's period that its mode and scope may have a board for.
//
// Cost: 1 billed command.
func (c *Calendar) Days(ctx context.Context, b game.Board) ([]game.Date, error) {
	index, err := c.index(ctx, b)
	if err != nil {
		return nil, redis.Wrap("list the days of "+b.Key, err)
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

// WasPlayed reports whether a day of a mode is on the index, neither rolled up nor empty.
//
// Cost: 1 billed command.
func (c *Calendar) WasPlayed(ctx context.Context, m *game.Mode, d game.Date) bool {
	state, err := redis.Field(ctx, c.db.Redis, game.DaysKey(m.Name), d.String())
	return err == nil && state == DayOpen
}
