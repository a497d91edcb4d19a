package archive

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/framedle/leaderboards/internal/game"
)

// HeldPlays are plays that an operator has to look at: a copy of what Redis has, with
// those that one has decided about.
type HeldPlays struct{ db *database }

const putHeld = `
INSERT INTO held_plays (id, player, mode, date, record, held_at, decided)
SELECT $1, $2, $3, $4, $5, $6, $7 WHERE NOT erased_since($2, $6) ON CONFLICT (id) DO `

func (a HeldPlays) put(ctx context.Context, what string, plays []game.HeldPlay, decided bool, known string) error {
	if len(plays) == 0 {
		return nil
	}
	return a.db.together(ctx, what, func(b *pgx.Batch) {
		for _, p := range plays {
			b.Queue(putHeld+known, p.ID, p.Player, p.Mode, p.Date.Midnight(), p.Record, p.At, decided)
		}
	})
}

// Put keeps plays that wait. One that is kept stays as it is, decided or not.
// 1 round trip.
func (a HeldPlays) Put(ctx context.Context, plays []game.HeldPlay) error {
	return a.put(ctx, "keep plays that are held", plays, false, `NOTHING`)
}

// Decide notes that a play waits no more, kept before or not.
// 1 round trip.
func (a HeldPlays) Decide(ctx context.Context, p game.HeldPlay) error {
	return a.put(ctx, "note that a play is decided", []game.HeldPlay{p}, true, `UPDATE SET decided = true`)
}

// Waiting reads the plays that wait and were played at a moment or later, oldest first.
// 1 round trip.
func (a HeldPlays) Waiting(ctx context.Context, since time.Time) ([]game.HeldPlay, error) {
	return a.read(ctx, `NOT decided`, since)
}

// Decided reads the others.
// 1 round trip.
func (a HeldPlays) Decided(ctx context.Context, since time.Time) ([]game.HeldPlay, error) {
	return a.read(ctx, `decided`, since)
}

func (a HeldPlays) read(ctx context.Context, which string, since time.Time) ([]game.HeldPlay, error) {
	return collect(ctx, a.db, "read plays that are held", `
SELECT id, player, mode, record, held_at FROM held_plays WHERE `+which+` AND held_at >= $1 ORDER BY held_at, id`, []any{since},
		func(rows pgx.Rows, p *game.HeldPlay) error {
			err := rows.Scan(&p.ID, &p.Player, &p.Mode, &p.Record, &p.At)
			p.At = p.At.UTC()
			return err
		})
}

// Prune forgets plays that were played before a moment.
// 1 round trip.
func (a HeldPlays) Prune(ctx context.Context, before time.Time) error {
	return a.db.run(ctx, "forget plays that were held", `DELETE FROM held_plays WHERE held_at < $1`, before)
}

// eraseHeld forgets what was held of a player.
const eraseHeld = `DELETE FROM held_plays WHERE player = $1`
