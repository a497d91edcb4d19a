package playerdata

import (
	"context"
	"encoding/json"
	"time"

	"github.com/framedle/leaderboards/internal/game"
)

// AuditKept has the record of what submissions did.
type AuditKept interface {
	Before(ctx context.Context, q game.AuditQuery, after game.AuditPlace, limit int) ([]game.Audited, error)
}

// ScoreAudit reads the record of what submissions did.
type ScoreAudit struct {
	rules *game.Game
	Past  AuditKept // nil: there is no archive
}

// AuditRow is one submission's row in the record.
type AuditRow struct {
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

	place game.AuditPlace
}

// AuditPage is a page of the record, the newest date first.
type AuditPage struct {
	Entries []AuditRow `json:"entries"`
	Next    *string    `json:"next"`
}

// ListAudit reads a page of the record. Errors: ErrNoArchive, ErrCursor.
func (s ScoreAudit) ListAudit(ctx context.Context, q game.AuditQuery, cursor string, limit int) (AuditPage, error) {
	if s.Past == nil {
		return AuditPage{}, ErrNoArchive
	}
	after, err := openAuditPlace(cursor)
	if err != nil {
		return AuditPage{}, err
	}
	found, err := s.Past.Before(ctx, q, after, limit+1)
	page := AuditPage{Entries: []AuditRow{}}
	if len(found) > limit {
		found = found[:limit]
		page.Next = plainCursor(markOf(found[limit-1].Place()))
	}
	for _, row := range found {
		page.Entries = append(page.Entries, s.row(row))
	}
	return page, err
}

func (s ScoreAudit) row(a game.Audited) AuditRow {
	row := AuditRow{
		At: a.Taken, Mode: s.rules.Called(a.Mode), Date: a.Date.String(), Player: a.Player,
		Outcome: a.Outcome, PlayedAt: a.At, place: a.Place(),
	}
	row.Score, row.Values = s.show(a.Mode, &a.Stored)
	row.Before, row.BeforeValues = s.show(a.Mode, a.Stood)
	row.After, row.AfterValues = s.show(a.Mode, a.Stands)
	if by := string(a.By); by != "" {
		row.SentBy = &by
	}
	return row
}

// show returns a stored score in the form of answers, with its values if the mode has several.
func (s ScoreAudit) show(mode string, stored *float64) (score, values json.RawMessage) {
	if stored == nil {
		return nil, nil
	}
	of := Service{Game: s.rules}
	whole := game.TrueScore(*stored)
	return of.score(mode, whole), of.values(mode, whole)
}

// CheckAuditCursor reports whether a cursor of the record can be read. Errors: ErrCursor.
func CheckAuditCursor(cursor string) error {
	_, err := openAuditPlace(cursor)
	return err
}

// auditMark is a place in the record as cursors have it. A player's document seals its
// own.
type auditMark struct {
	Date string    `json:"d"`
	Mode string    `json:"m"`
	At   time.Time `json:"at"`
	N    int64     `json:"n"`
}

func markOf(p game.AuditPlace) auditMark { return auditMark{p.Date.String(), p.Mode, p.Taken, p.N} }

// place is the inverse of markOf; the zero mark is the beginning.
func (m auditMark) place() (game.AuditPlace, error) {
	if m == (auditMark{}) {
		return game.AuditPlace{}, nil
	}
	date, err := game.ParseDate(m.Date)
	if err != nil || m.At.IsZero() || m.At.Year() > 9999 || game.ValidMode(m.Mode) != nil {
		return game.AuditPlace{}, ErrCursor
	}
	return game.AuditPlace{Date: date, Mode: m.Mode, Taken: m.At, N: m.N}, nil
}

func openAuditPlace(cursor string) (game.AuditPlace, error) {
	if cursor == "" {
		return game.AuditPlace{}, nil
	}
	var m auditMark
	if err := openPlain(cursor, &m); err != nil || m == (auditMark{}) {
		return game.AuditPlace{}, ErrCursor
	}
	return m.place()
}

// audited adds a page of what the player's submissions did.
func audited(d *reading) func(context.Context, *room) error {
	return func(ctx context.Context, r *room) (err error) {
		q := game.AuditQuery{Player: d.Player, From: game.NewDate(1, time.January, 1), To: game.NewDate(9998, time.December, 31)}
		d.ScoreAudit, d.at.ScoreAudit, err = fill(ctx, d.at.ScoreAudit, mostOthers, r,
			func(ctx context.Context, after auditMark, limit int) ([]AuditRow, error) {
				place, err := after.place()
				if err != nil {
					return nil, err
				}
				found, err := d.s.ScoreAudit.Past.Before(ctx, q, place, limit)
				rows := make([]AuditRow, len(found))
				for i, one := range found {
					rows[i] = d.s.row(one)
					rows[i].Player = ""
				}
				return rows, err
			},
			func(row AuditRow) auditMark { return markOf(row.place) }, asJSON[AuditRow])
		return err
	}
}
