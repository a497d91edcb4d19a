package playerdata

import (
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"slices"
	"time"

	"github.com/framedle/leaderboards/internal/game"
)

// Source is a feature's part of a player's document.
type Source struct {
	// About reads the fields that the first page has once, and whether they show that something of
	// the player is kept. It may be nil.
	About func(ctx context.Context, player string) (fields Fields, known bool, err error)
	// Lists continue from page to page. Lists of one name are parts of one field.
	Lists []List
}

// Cost is what a feature's part of the first page costs, in billed commands, for a player of whom
// it has one thing, and for one of whom it has none.
type Cost struct{ One, None int }

// Fields are fields of the document, by name.
type Fields map[string]any

// List is a list of a player's document.
type List struct {
	Name     string // of its field
	Optional bool   // left out if it is empty
	Log      bool   // rows outlive an erasure of the player: they do not make a player known
	Most     int    // rows on a page, which one Read reads; 0: as many as have room
	// Read reads up to limit rows after a place, which is a Row's Place as JSON; nil: from the
	// beginning. It ends if next is nil.
	Read func(ctx context.Context, player string, after json.RawMessage, limit int) (rows []Row, next any, err error)
}

// Row is a row of a list.
type Row struct {
	Value any
	Place any       // of the row, as JSON in the cursor
	At    time.Time // rows of a field that has them are ordered by it, newest first
	Size  int       // in bytes of JSON; 0: that of Value
}

// Rows is a Read of rows of one type, which ends with a page that is not full.
func Rows[T, Place any](read func(ctx context.Context, player string, after Place, limit int) ([]T, error), row func(T) Row) func(context.Context, string, json.RawMessage, int) ([]Row, any, error) {
	return func(ctx context.Context, player string, after json.RawMessage, limit int) ([]Row, any, error) {
		var from Place
		if after != nil {
			if err := json.Unmarshal(after, &from); err != nil {
				return nil, nil, err
			}
		}
		found, err := read(ctx, player, from, limit)
		if err != nil || len(found) == 0 {
			return nil, nil, err
		}
		rows := make([]Row, len(found))
		for i, one := range found {
			rows[i] = row(one)
		}
		if len(found) < limit {
			return rows, nil, nil
		}
		return rows, rows[len(rows)-1].Place, nil
	}
}

// Mark is a place in a list by time and id.
type Mark struct {
	At time.Time `json:"at"`
	ID string    `json:"id"`
}

// OrEnd is the mark's time, or later than everything for the zero mark: lists that are newest
// first begin there.
func (m Mark) OrEnd() time.Time {
	if m.At.IsZero() {
		return time.Date(9999, 12, 31, 0, 0, 0, 0, time.UTC)
	}
	return m.At
}

// about reads what the first page has once of each source.
func (d *reading) about(ctx context.Context) error {
	for i, s := range d.s.Sources {
		if s.About != nil {
			fields, known, err := s.About(ctx, d.Player)
			if err != nil {
				return err
			}
			maps.Copy(d.fields(), fields)
			d.anything = d.anything || known
		}
		for j := range s.Lists {
			d.at.Lists = append(d.at.Lists, place{Source: i, List: j})
		}
	}
	return nil
}

func (d *reading) fields() Fields {
	if d.Features == nil {
		d.Features = Fields{}
	}
	return d.Features
}

// place is where a source's list continues after a page.
type place struct {
	Source int             `json:"s"`
	List   int             `json:"l"`
	After  json.RawMessage `json:"a,omitempty"` // none: from its beginning
}

// sources continues the lists of features.
func (d *reading) sources(ctx context.Context, r *room) error {
	all, logs := map[string][]Row{}, map[string]bool{}
	for _, s := range d.s.Sources {
		for _, l := range s.Lists {
			if !l.Optional {
				all[l.Name] = nil
			}
		}
	}
	var left []place
	for _, at := range d.at.Lists {
		if at.Source >= len(d.s.Sources) || at.List >= len(d.s.Sources[at.Source].Lists) {
			return ErrCursor // of a deployment with other features
		}
		list := d.s.Sources[at.Source].Lists[at.List]
		rows, next, err := list.fill(ctx, d.Player, at.After, r)
		if err != nil {
			return err
		}
		if len(rows) > 0 {
			all[list.Name], logs[list.Name] = append(all[list.Name], rows...), list.Log
		}
		if next != nil {
			at.After = next
			left = append(left, at)
		}
	}
	d.at.Lists = left
	for name, rows := range all {
		slices.SortStableFunc(rows, func(a, b Row) int { return b.At.Compare(a.At) })
		values := make([]any, len(rows)) // of a field that is not optional also without rows
		for i, row := range rows {
			values[i] = row.Value
		}
		d.fields()[name] = values
		d.anything = d.anything || len(rows) > 0 && !logs[name]
	}
	return nil
}

// fill reads a list from a place on, until it has its most rows or the page is full.
func (l List) fill(ctx context.Context, player string, after json.RawMessage, r *room) (rows []Row, next json.RawMessage, err error) {
	for len(rows) < mostOthers {
		page, place, err := l.Read(ctx, player, after, min(cmp.Or(l.Most, chunk), mostOthers-len(rows)))
		if err != nil {
			return nil, nil, err
		}
		for _, row := range page {
			size := row.Size
			if size == 0 {
				size = asJSON(row.Value)
			}
			if !r.takes(size) {
				if after == nil {
					after = json.RawMessage("null") // from the beginning once more
				}
				return rows, after, nil
			}
			if after, err = json.Marshal(row.Place); err != nil {
				return nil, nil, err
			}
			rows = append(rows, row)
		}
		if place == nil {
			return rows, nil, nil
		}
		if after, err = json.Marshal(place); err != nil {
			return nil, nil, err
		}
		if l.Most > 0 {
			break
		}
	}
	return rows, after, nil
}

// ScoreOf writes a score as its mode does. If the game no longer has the mode, it writes the
// number that is kept.
func ScoreOf(g *game.Game, mode string, score game.Score) json.RawMessage {
	if m, ok := g.Mode(mode); ok {
		return json.RawMessage(m.FormatScore(score))
	}
	text, _ := json.Marshal(int64(score)) // a number always marshals
	return text
}

// ValuesOf returns the values by which the mode ranks a score; nil if the mode ranks by one
// number, or the game no longer has the mode.
func ValuesOf(g *game.Game, mode string, score game.Score) json.RawMessage {
	if m, ok := g.Mode(mode); ok {
		return m.FormatValues(score)
	}
	return nil
}

// NewResult is a player's result in the form of the document.
func NewResult(g *game.Game, mode string, date game.Date, score game.Score, scopes []game.Scope, details json.RawMessage) Result {
	var names []string
	for _, scope := range scopes {
		names = append(names, scope.String())
	}
	return Result{mode, date.String(), ScoreOf(g, mode, score), ValuesOf(g, mode, score), names, details}
}
