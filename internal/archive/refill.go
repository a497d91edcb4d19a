package archive

import (
	"context"

	"github.com/jackc/pgx/v5"
)

// Refill is how far one kind has been copied from Redis.
type Refill struct {
	Kind   string
	Cursor string // where to go on; empty: at the beginning
	Done   bool
}

// Refills note how far each kind has been copied of what Redis knows of players rather than of
// days: claims, memberships, bans, friends and duels under way.
type Refills struct{ db *DB }

// All reads how far each kind is whose copying has begun.
// 1 round trip.
func (a Refills) All(ctx context.Context) ([]Refill, error) {
	return Collect(ctx, a.db, "read how far the archive is filled again", `SELECT kind, cursor, done_at IS NOT NULL AS done FROM refills`,
		nil, pgx.RowToStructByName[Refill])
}

// Put notes how far a kind is. A kind that is at the beginning begins now.
// 1 round trip.
func (a Refills) Put(ctx context.Context, r Refill) error {
	return a.db.Run(ctx, "note how far the archive is filled again", `
INSERT INTO refills AS old (kind, cursor, done_at) VALUES ($1, $2, CASE WHEN $3 THEN now() END)
ON CONFLICT (kind) DO UPDATE SET cursor = excluded.cursor, done_at = excluded.done_at,
    begun_at = CASE WHEN old.done_at IS NULL OR $3 THEN old.begun_at ELSE now() END`, r.Kind, r.Cursor, r.Done)
}
