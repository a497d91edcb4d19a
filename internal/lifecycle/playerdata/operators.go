package playerdata

import (
	"context"
	"time"

	"github.com/framedle/leaderboards/internal/game"
)

// Bans is a page of the bans, newest first.
type Bans struct {
	Total  int64      `json:"total"`
	Source string     `json:"source"` // database, or redis, which has digests only
	Bans   []game.Ban `json:"bans"`
	Next   *string    `json:"next"`
}

// Log is a page of the audit, newest first.
type Log struct {
	Entries []Act   `json:"entries"`
	Next    *string `json:"next"`
}

// ListBans reads a page of the bans. Without an archive it only counts them: Redis has
// digests. Errors: ErrCursor.
//
// Cost: none; without an archive 1 billed command.
func (s *Service) ListBans(ctx context.Context, cursor string, limit int) (Bans, error) {
	after, err := openMark(cursor)
	if err != nil {
		return Bans{}, err
	}
	if s.Archive == nil {
		n, err := s.BanList.CountBans(ctx)
		return Bans{Total: int64(n), Source: "redis", Bans: []game.Ban{}}, err
	}
	page := Bans{Source: "database"}
	if page.Total, err = s.Archive.CountBans(ctx); err != nil {
		return Bans{}, err
	}
	rows, err := s.Archive.Bans(ctx, game.Ban{At: after.At, Player: after.ID}, limit+1)
	if len(rows) > limit {
		rows = rows[:limit]
		last := rows[limit-1]
		page.Next = PlainCursor(mark{last.At, last.Player})
	}
	page.Bans = orEmpty(rows)
	return page, err
}

// ListLog reads a page of the audit, of one player or, for "", of all. Errors:
// ErrNoLog, ErrCursor.
func (s *Service) ListLog(ctx context.Context, player, cursor string, limit int) (Log, error) {
	if s.Archive == nil {
		return Log{}, ErrNoLog
	}
	after, err := openMark(cursor)
	if err != nil {
		return Log{}, err
	}
	page := Log{}
	rows, err := s.Archive.Acts(ctx, player, Act{At: after.At, ID: after.ID}, limit+1)
	if len(rows) > limit {
		rows = rows[:limit]
		page.Next = PlainCursor(mark{rows[limit-1].At, rows[limit-1].ID})
	}
	s.callModes(rows)
	page.Entries = orEmpty(rows)
	return page, err
}

// CheckMark reports whether a cursor of the operator's lists can be read. Errors:
// ErrCursor.
func CheckMark(cursor string) error {
	_, err := openMark(cursor)
	return err
}

// mark is a place in a list of the operator's.
type mark struct {
	At time.Time `json:"at"`
	ID string    `json:"id"`
}

// openMark is the inverse of PlainCursor; "" is the beginning.
func openMark(cursor string) (m mark, err error) {
	if cursor == "" {
		return mark{}, nil
	}
	if err := OpenPlain(cursor, &m); err != nil || m.At.IsZero() || m.At.Year() > 9999 {
		return mark{}, ErrCursor
	}
	return m, nil
}
