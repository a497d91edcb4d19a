package archive

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/framedle/leaderboards/internal/game"
)

// PutChecks keeps both figures of days, in place of those of an earlier comparison.
// 1 round trip.
func (a UsageDays) PutChecks(ctx context.Context, checks []game.UsageCheck) error {
	return a.db.together(ctx, "keep both figures of days", func(b *pgx.Batch) {
		for _, c := range checks {
			b.Queue(`
INSERT INTO usage_checks (date, counted, upstash, checked_at) VALUES ($1, $2, $3, $4)
ON CONFLICT (date) DO UPDATE SET counted = excluded.counted, upstash = excluded.upstash, checked_at = excluded.checked_at`,
				c.Date.Midnight(), c.Counted, c.Upstash, c.At.UTC())
		}
	})
}

// Checks reads both figures of the days from from to to, both included,
// oldest first.
// 1 round trip.
func (a UsageDays) Checks(ctx context.Context, from, to game.Date) ([]game.UsageCheck, error) {
	return collect(ctx, a.db, "read both figures of days", `
SELECT date, counted, upstash, checked_at AS at FROM usage_checks WHERE date BETWEEN $1 AND $2 ORDER BY date`,
		[]any{from.Midnight(), to.Midnight()}, pgx.RowToStructByName[game.UsageCheck])
}
