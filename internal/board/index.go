package board

import (
	"slices"
	"strings"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/upstash"
)

// What the index of days says of a day.
const ()

// foldCursor begins the field of an index that tells how far the fold of a day
// has come: the date and the next page.
const foldCursor = "fold"

// dayIndex lists the days that a mode and scope have boards for.
type dayIndex struct {
	dates  []game.Date // ascending
	folded map[game.Date]bool
	cursor string // of a fold under way; empty for none
}

func (x *dayIndex) put(d game.Date, state string) {
	x.dates = append(x.dates, d)
	if state == dayFolded {
		if x.folded == nil {
			x.folded = map[game.Date]bool{}
		}
		x.folded[d] = true
	}
}

func (x *dayIndex) sort() { slices.SortFunc(x.dates, game.Date.Compare) }

func (x *dayIndex) has(d game.Date) bool {
	_, found := slices.BinarySearchFunc(x.dates, d, game.Date.Compare)
	return found
}

// askDays queues what reads the index of a board's mode and scope. Of a scope
// only the days that the board's period may still be made from are read.
func (s *Store) askDays(p *pipeline, b Board, into *dayIndex) {
	if b.Scope == (game.Scope{}) {
		p.add(upstash.Cmd("HGETALL", game.DaysKey(b.Mode.Name)), daysInto(into))
		return
	}
	dates := b.Period.Days()
	if b.Period.TrueScores() {
		dates = nil
		tomorrow := game.DateOf(s.now()).AddDays(1)
		for back := unfoldedDays - 1; back >= 0; back-- {
			if d := tomorrow.AddDays(-back); b.Period.Contains(d) {
				dates = append(dates, d)
			}
		}
	}
	if len(dates) == 0 { // a season that was folded long ago
		*into = dayIndex{}
		return
	}
	command := []string{"HMGET", game.ScopedDaysKey(b.Mode.Name)}
	for _, d := range dates {
		command = append(command, game.ScopedDay(d, b.Scope))
	}
	p.add(upstash.Cmd(command...), func(r upstash.Reply) error {
		states, err := r.Array()
		if err != nil {
			return err
		}
		if len(states) != len(dates) {
			return errShape("a state for each day", len(states))
		}
		var read dayIndex
		for i, state := range states {
			if state.IsNil() {
				continue
			}
			text, err := state.Text()
			if err != nil {
				return err
			}
			read.put(dates[i], text)
		}
		*into = read
		return nil
	})
}

// daysInto keeps the answer of HGETALL on an index of days.
func daysInto(index *dayIndex) func(upstash.Reply) error {
	return fieldsInto(func(fields map[string]string) error {
		var read dayIndex
		for field, state := range fields {
			if field == foldCursor {
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

// scopedInto keeps the answer of HGETALL on the index of a mode's scopes.
func scopedInto(indexes *map[game.Scope]*dayIndex) func(upstash.Reply) error {
	return fieldsInto(func(fields map[string]string) error {
		read := map[game.Scope]*dayIndex{}
		of := func(s game.Scope) *dayIndex {
			if read[s] == nil {
				read[s] = &dayIndex{}
			}
			return read[s]
		}
		for field, state := range fields {
			if name, ok := strings.CutPrefix(field, foldCursor+":"); ok {
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

// sortedScopes orders scopes by name, so that runs do their work in one order.
func sortedScopes(indexes map[game.Scope]*dayIndex) []game.Scope {
	scopes := make([]game.Scope, 0, len(indexes))
	for scope := range indexes {
		scopes = append(scopes, scope)
	}
	slices.SortFunc(scopes, func(a, b game.Scope) int { return strings.Compare(a.String(), b.String()) })
	return scopes
}

// within reports whether any day of the index belongs to the period.
func (x *dayIndex) within(p game.Period) bool {
	for _, d := range x.dates {
		if p.Contains(d) {
			return true
		}
	}
	return false
}

const closedMark = "1"

const settledMark = "settled "
