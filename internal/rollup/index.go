package rollup

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/notices"
	"github.com/framedle/leaderboards/internal/rdb"
	"github.com/framedle/leaderboards/upstash"
)

// RunCursor begins the field of an index that says how far the rolling up of a day has come:
// the date and the next page.
const RunCursor = "fold"

// Index lists the days that a mode and scope have boards for.
type Index struct {
	Dates    []game.Date // ascending
	RolledUp map[game.Date]bool
	cursor   string // of a rolling up under way; empty for none
}

func (x *Index) put(d game.Date, state string) {
	x.Dates = append(x.Dates, d)
	if state == notices.DayRolledUp {
		if x.RolledUp == nil {
			x.RolledUp = map[game.Date]bool{}
		}
		x.RolledUp[d] = true
	}
}

func (x *Index) sort() { slices.SortFunc(x.Dates, game.Date.Compare) }

func (x *Index) Has(d game.Date) bool {
	_, found := slices.BinarySearchFunc(x.Dates, d, game.Date.Compare)
	return found
}

// askDays queues the reading of the index of a board's mode and scope. Of a scope it reads
// only the days that the board's period may still be made from.
func (c *Calendar) askDays(p *rdb.Pipeline, b game.Board, into *Index) {
	if b.Scope == (game.Scope{}) {
		p.Add(upstash.Cmd("HGETALL", game.DaysKey(b.Mode.Name)), DaysInto(into))
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
	command := []string{"HMGET", game.ScopedDaysKey(b.Mode.Name), RunCursor + ":" + b.Scope.String()}
	for _, d := range dates {
		command = append(command, game.ScopedDay(d, b.Scope))
	}
	p.Add(upstash.Cmd(command...), func(r upstash.Reply) error {
		states, err := rdb.Texts(r, len(dates)+1, "a state for each day")
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
	var p rdb.Pipeline
	c.askDays(&p, b, &days)
	_, err = p.Run(ctx, c.db.Redis)
	return days, err
}

// DaysInto keeps the answer of HGETALL on an index of days.
func DaysInto(index *Index) func(upstash.Reply) error {
	return rdb.FieldsInto(func(fields map[string]string) error {
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
	return rdb.FieldsInto(func(fields map[string]string) error {
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

// ClosedMark is what the hash of closed days has for a closed day. Before that it has the name
// of the run that reads the day, and then SettledMark with the name of the run that has settled
// the day and has not yet refreshed the boards.
const (
	ClosedMark  = "1"
	SettledMark = "settled "
)
