package audit

import (
	"context"
	"encoding/json"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lifecycle/playerdata"
)

// Reader reads the record.
type Reader interface {
	Before(ctx context.Context, q Query, after Place, limit int) ([]Entry, error)
}

// Row is one submission's row in the record.
type Row struct {
	At     time.Time       `json:"at"`
	Mode   string          `json:"mode"`
	Date   string          `json:"date"`
	Player string          `json:"player,omitempty"` // a digest once erased; "" in the player's own document
	Score  json.RawMessage `json:"score"`
	Values json.RawMessage `json:"values,omitempty"`
	// Before and After are the score that stood before and after; null: none, or not known.
	Before       json.RawMessage `json:"before"`
	BeforeValues json.RawMessage `json:"before_values,omitempty"`
	After        json.RawMessage `json:"after"`
	AfterValues  json.RawMessage `json:"after_values,omitempty"`
	Outcome      game.Status     `json:"outcome"`
	SentBy       *string         `json:"sent_by"` // null: not known
	PlayedAt     time.Time       `json:"played_at"`
}

// Page is a page of the record, the newest date first.
type Page struct {
	Entries []Row   `json:"entries"`
	Next    *string `json:"next"`
}

// NewRow shows an entry as answers do.
func NewRow(g *game.Game, e Entry) Row {
	row := Row{At: e.Taken, Mode: g.Called(e.Mode), Date: e.Date.String(), Player: e.Player, Outcome: e.Outcome, PlayedAt: e.At}
	row.Score, row.Values = show(g, e.Mode, &e.Stored)
	row.Before, row.BeforeValues = show(g, e.Mode, e.Before)
	row.After, row.AfterValues = show(g, e.Mode, e.After)
	if by := string(e.By); by != "" {
		row.SentBy = &by
	}
	return row
}

// show returns a stored score in the form of answers, with its values if the mode has several.
func show(g *game.Game, mode string, stored *float64) (score, values json.RawMessage) {
	if stored == nil {
		return nil, nil
	}
	of := playerdata.NewResult(g, mode, game.Date{}, game.TrueScore(*stored), nil, nil)
	return of.Score, of.Values
}

// Mark is a place in the record as cursors have it.
type Mark struct {
	Date string    `json:"d"`
	Mode string    `json:"m"`
	At   time.Time `json:"at"`
	N    int64     `json:"n"`
}

// MarkOf is the mark of a place.
func MarkOf(p Place) Mark { return Mark{p.Date.String(), p.Mode, p.Taken, p.N} }

// Place is the inverse of MarkOf; the zero Mark is the beginning.
func (m Mark) Place() (Place, error) {
	if m == (Mark{}) {
		return Place{}, nil
	}
	date, err := game.ParseDate(m.Date)
	if err != nil || m.At.IsZero() || m.At.Year() > 9999 || game.ValidMode(m.Mode) != nil {
		return Place{}, playerdata.ErrCursor
	}
	return Place{Date: date, Mode: m.Mode, Taken: m.At, N: m.N}, nil
}

func openPlace(cursor string) (Place, error) {
	if cursor == "" {
		return Place{}, nil
	}
	var m Mark
	if err := playerdata.OpenPlain(cursor, &m); err != nil || m == (Mark{}) {
		return Place{}, playerdata.ErrCursor
	}
	return m.Place()
}
