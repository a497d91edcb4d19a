package archive

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/framedle/leaderboards/internal/game"
)

// Erased is shown in snapshots in the place of erased players.
const Erased = "erased"

// Snapshot is the top of a week, month or season as it was when it closed.
type Snapshot struct {
	Total   int64 // players on the board
	Entries []SnapshotEntry
	TakenAt time.Time
	// Stale says that a result of the period was removed after the snapshot was taken.
	Stale bool
}

// SnapshotEntry is one row of a snapshot.
type SnapshotEntry struct {
	Rank         int64      `json:"rank"`
	Player       string     `json:"player"`
	Score        game.Score `json:"score"`
	Stored       float64    `json:"stored"`
	PreviousRank int64      `json:"previous_rank"` // in the period before; 0: not on its board
}

// SnapshotOf makes a snapshot of the top of a board, which was read at a time, with the ranks
// of the period before.
func SnapshotOf(top game.Page, before map[string]int64, at time.Time) Snapshot {
	s := Snapshot{Total: top.Total, TakenAt: at}
	for _, e := range top.Entries {
		s.Entries = append(s.Entries, SnapshotEntry{Rank: e.Rank, Player: e.Player, Score: e.Score, Stored: e.Stored, PreviousRank: before[e.Player]})
	}
	return s
}

// Snapshots are the tops of closed periods.
type Snapshots struct{ db *DB }

// Put keeps a board's snapshot in place of an earlier one. Entries are in board order from
// rank 1. TakenAt is when the board was read: Erased takes the place of players who have been
// erased since.
// 1 round trip.
func (a Snapshots) Put(ctx context.Context, b game.Board, s Snapshot) error {
	entries := s.Entries
	if entries == nil {
		entries = []SnapshotEntry{}
	}
	text, err := json.Marshal(entries)
	if err != nil {
		return fmt.Errorf("write the snapshot of %s: %w", b.Key, err)
	}
	args := append(snapshotKey(b), s.Total, string(text), s.TakenAt, Erased)
	columns, values, set := "", "", ""
	if b.Period.Kind() == game.Season { // the key of a season does not contain its days
		columns, values, set = ", first_day, last_day", ", $9::date, $10::date", ", first_day = excluded.first_day, last_day = excluded.last_day"
		args = append(args, b.Period.First().Midnight(), b.Period.Last().Midnight())
	}
	return a.db.Together(ctx, "put the snapshot of "+b.Key, func(batch *pgx.Batch) {
		batch.Queue(`
INSERT INTO leaderboard_snapshots (mode, period, period_key, scope, total, taken_at, stale, entries`+columns+`)
SELECT $1, $2, $3, $4, $5, $7, coalesce(bool_or(erased_since(entry->>'player', $7)), false), coalesce(jsonb_agg(
    CASE WHEN erased_since(entry->>'player', $7) THEN jsonb_set(entry, '{player}', to_jsonb($8::text)) ELSE entry END
    ORDER BY place), '[]')`+values+`
FROM jsonb_array_elements($6::text::jsonb) WITH ORDINALITY AS listed (entry, place)
ON CONFLICT (mode, period, period_key, scope) DO UPDATE
SET total = excluded.total, entries = excluded.entries, taken_at = excluded.taken_at, stale = excluded.stale`+set, args...)
		if b.Scope == (game.Scope{}) {
			a.db.closed(batch, b.Mode.Name, b.Period, s.Total, s.TakenAt)
		}
	})
}

// Of reads a board's snapshot; nil if none was taken.
// 1 round trip.
func (a Snapshots) Of(ctx context.Context, b game.Board) (*Snapshot, error) {
	found, err := Collect(ctx, a.db, "read the snapshot of "+b.Key, `
SELECT total, entries, taken_at, stale FROM leaderboard_snapshots
WHERE mode = $1 AND period = $2 AND period_key = $3 AND scope = $4`, snapshotKey(b), pgx.RowToStructByName[Snapshot])
	if err != nil || len(found) == 0 {
		return nil, err
	}
	return &found[0], nil
}

// Stale lists, by their keys in Redis, up to most boards whose snapshot is stale.
// 1 round trip, which reads every snapshot's row.
func (a Snapshots) Stale(ctx context.Context, most int) ([]string, error) {
	return Collect(ctx, a.db, "list the stale snapshots", `
SELECT 'lb:' || mode || ':' || period || ':' || period_key || CASE WHEN scope = '' THEN '' ELSE ':' || scope END
FROM leaderboard_snapshots WHERE stale ORDER BY 1 LIMIT $1`, []any{most}, pgx.RowTo[string])
}

func snapshotKey(b game.Board) []any {
	return []any{b.Mode.Name, b.Period.Kind().String(), b.Period.Key(), scopeName(b.Scope)}
}

// pageOf cuts a page out of a snapshot, if the snapshot contains all of the page.
func pageOf(s *Snapshot, b game.Board, limit, offset int64, after *game.Place) (game.Page, bool) {
	if s == nil || s.Stale {
		return game.Page{}, false
	}
	held := int64(len(s.Entries))
	if after != nil {
		offset = 0
		for offset < held && !behind(b, s.Entries[offset], *after) {
			offset++
		}
	}
	if offset+limit > held && held < s.Total {
		return game.Page{}, false
	}
	page := game.Page{Total: s.Total, Position: offset}
	for _, e := range s.Entries[min(offset, held):min(offset+limit, held)] {
		page.Entries = append(page.Entries, game.Entry{Rank: e.Rank, Player: e.Player, Score: e.Score, Stored: e.Stored})
	}
	return page, true
}

// behind reports whether the entry comes after the cursor's place.
func behind(b game.Board, e SnapshotEntry, c game.Place) bool {
	up := cmp.Or(cmp.Compare(e.Stored, c.Stored), strings.Compare(e.Player, c.Player))
	if b.Mode.Order == game.Asc {
		return up > 0
	}
	return up < 0
}
