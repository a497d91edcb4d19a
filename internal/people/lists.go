package people

import (
	"context"
	"encoding/json"

	"github.com/framedle/leaderboards/internal/game"
)

// room is what is left of a page, in bytes of JSON.
type room struct {
	left int
	used bool // by a row, so that each page has one
}

// takes reports whether a row still fits, and counts it.
func (r *room) takes(size int) bool {
	if r.used && size > r.left {
		return false
	}
	r.used = true
	r.left -= size
	return true
}

// fill reads a list from a place on, up to so many rows or until the page is full.
// next is nil where the list has ended.
func fill[Row, Place any](ctx context.Context, from *Place, most int, r *room,
	read func(ctx context.Context, after Place, limit int) ([]Row, error), place func(Row) Place, size func(Row) int) (rows []Row, next *Place, err error) {
	if from == nil {
		return nil, nil, nil
	}
	at := *from
	for len(rows) < most {
		limit := min(chunk, most-len(rows))
		page, err := read(ctx, at, limit)
		if err != nil {
			return nil, nil, err
		}
		for _, row := range page {
			if !r.takes(size(row)) {
				return rows, &at, nil
			}
			rows, at = append(rows, row), place(row)
		}
		if len(page) < limit {
			return rows, nil, nil
		}
	}
	return rows, &at, nil
}

// asJSON is the size of a row in an answer, with what stands between two.
func asJSON[Row any](row Row) int {
	text, _ := json.Marshal(row) // what the archive has was valid when it was put there
	return len(text) + 1
}

// duelSize bounds the size of a duel in an answer: each player stands there up to
// six times, and a rating has up to 20 digits.
func duelSize(d game.Duel) int {
	return 600 + len(d.ID) + len(d.Mode) + 6*(len(d.Players[0])+len(d.Players[1]))
}

// score writes a score as its mode does. Of a mode that the game has no more the
// number is written as it was kept.
func (s *Service) score(mode string, score game.Score) json.RawMessage {
	if m, ok := s.Game.Mode(mode); ok {
		return json.RawMessage(m.FormatScore(score))
	}
	text, _ := json.Marshal(int64(score)) // a number always marshals
	return text
}

// values are those of a score by which its mode ranks; nil where that is one number, and
// of a mode that the game has no more.
func (s *Service) values(mode string, score game.Score) json.RawMessage {
	if m, ok := s.Game.Mode(mode); ok {
		return m.FormatValues(score)
	}
	return nil
}

func scopesOf(results []game.ScopedResult) (scopes []game.Scope) {
	for _, r := range results {
		scopes = append(scopes, r.Scope)
	}
	return scopes
}

func scopeNames(scopes []game.Scope) []string {
	var names []string
	for _, scope := range scopes {
		names = append(names, scope.String())
	}
	return names
}
