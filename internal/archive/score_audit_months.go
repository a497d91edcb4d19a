package archive

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/framedle/leaderboards/internal/game"
)

// Tend has the tables of the record be there for every month from today's to the one of
// ahead, and for those of which the default table has rows, which move to theirs. Tables of
// months go that ended more than some months ago. All of it happens or none; any number of
// callers may do so at once. Where somebody has been reading the record for long, it fails
// soon, since everyone else waits behind it.
// 1 round trip; 2 where there is something to do.
func (a ScoreAudit) Tend(ctx context.Context, today, ahead game.Date, months int) error {
	return a.db.do(ctx, "keep the record by months", func(c *pgx.Conn) error {
		var due bool
		// In a statement of its own: who has looked at a table keeps others from locking it.
		err := c.QueryRow(ctx, `
SELECT EXISTS (SELECT FROM score_audit_default) OR EXISTS (SELECT missing_score_audit($1, $2)) OR EXISTS (SELECT expired_score_audit($1, $3))`,
			today.Midnight(), ahead.Midnight(), months).Scan(&due)
		if err != nil || !due {
			return err
		}
		var both pgx.Batch // one transaction
		both.Queue(tendingWaits)
		both.Queue(`SELECT tend_score_audit($1, $2, $3)`, today.Midnight(), ahead.Midnight(), months)
		return c.SendBatch(ctx, &both).Close()
	})
}

// tendingWaits is how long tending waits for a table, in this transaction: whoever records
// or reads meanwhile waits behind it, and days close after it. The next run tries again.
const tendingWaits = `SELECT set_config('lock_timeout', '2s', true)`

// MostAstray is how many rows Astray counts at the most.
const MostAstray = 1000

// Astray counts the rows of the record that have come to the default table, for want of
// their month's, up to [MostAstray].
// 1 round trip.
func (a ScoreAudit) Astray(ctx context.Context) (rows int64, err error) {
	err = a.db.do(ctx, "look for rows of the record without a month's table", func(c *pgx.Conn) error {
		return c.QueryRow(ctx, `SELECT count(*) FROM (SELECT FROM score_audit_default LIMIT $1) AS found`, MostAstray).Scan(&rows)
	})
	return rows, err
}
