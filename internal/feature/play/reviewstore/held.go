// Package reviewstore keeps held plays in Postgres, and joins them with those of Redis. It knows SQL,
// and nothing of HTTP.
package reviewstore

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/game"
)

// Table has the plays that wait for an operator, a copy of what Redis has, and those that
// an operator has decided about.
type Table struct{ db *archive.DB }

// In is the table of an archive.
func In(a *archive.Archive) Table { return Table{a.DB()} }

const putHeld = `
INSERT INTO held_plays (id, player, mode, date, record, held_at, decided)
SELECT $1, $2, $3, $4, $5, $6, $7 WHERE NOT erased_since($2, $6) ON CONFLICT (id) DO `

func (a Table) put(ctx context.Context, what string, plays []game.HeldPlay, decided bool, known string) error {
	if len(plays) == 0 {
		return nil
	}
	return a.db.Together(ctx, what, func(b *pgx.Batch) {
		for _, p := range plays {
			b.Queue(putHeld+known, p.ID, p.Player, p.Mode, p.Date.Midnight(), p.Record, p.At, decided)
		}
	})
}

// Put keeps plays that wait. A play that is already kept does not change, decided or not.
// 1 round trip.
func (a Table) Put(ctx context.Context, plays []game.HeldPlay) error {
	return a.put(ctx, "keep plays that are held", plays, false, `NOTHING`)
}

// Decide notes that a play waits no more, also where it was not kept before.
// 1 round trip.
func (a Table) Decide(ctx context.Context, p game.HeldPlay) error {
	return a.put(ctx, "note that a play is decided", []game.HeldPlay{p}, true, `UPDATE SET decided = true`)
}

// Waiting reads the plays that wait and were played at a moment or later, oldest first.
// 1 round trip.
func (a Table) Waiting(ctx context.Context, since time.Time) ([]game.HeldPlay, error) {
	return a.read(ctx, `NOT decided`, since)
}

// Decided reads the plays that an operator has decided about, in the same way.
// 1 round trip.
func (a Table) Decided(ctx context.Context, since time.Time) ([]game.HeldPlay, error) {
	return a.read(ctx, `decided`, since)
}

func (a Table) read(ctx context.Context, which string, since time.Time) ([]game.HeldPlay, error) {
	return archive.Collect(ctx, a.db, "read plays that are held", `
SELECT id, player, mode, record, held_at AS at FROM held_plays WHERE `+which+` AND held_at >= $1 ORDER BY held_at, id`,
		[]any{since}, pgx.RowToStructByNameLax[game.HeldPlay])
}

// Prune deletes plays that were played before a moment.
// 1 round trip.
func (a Table) Prune(ctx context.Context, before time.Time) error {
	return a.db.Run(ctx, "forget plays that were held", `DELETE FROM held_plays WHERE held_at < $1`, before)
}

// eraseHeld deletes the held plays of a player.
const eraseHeld = `DELETE FROM held_plays WHERE player = $1`

// Tables are the tables of held plays.
func Tables() archive.Tables {
	return archive.Tables{Name: "held plays", Erase: archive.Erasing(eraseHeld)}
}
