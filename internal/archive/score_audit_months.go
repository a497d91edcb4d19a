package archive

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/framedle/leaderboards/internal/game"
)

// Tend creates the record's tables for every month from the month of today to the month of
// ahead, and for months that have rows in the default table, and moves those rows there. It
// drops tables of months that ended more than so many months ago. All of it happens or none;
// any number of callers may do so at once. If somebody has been reading the record for long,
// Tend fails soon, since everybody else waits behind it.
// 1 round trip; 2 where there is something to do.
func (a ScoreAudit) Tend(ctx context.Context, today, ahead game.Date, months int) error {
	return a.db.do(ctx, "keep the record by months", func(c *pgx.Conn) error {
		var due bool
		// A statement of its own: a transaction that has read a table keeps others from
		// locking it.
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

// tendingWaits limits how long this transaction waits for a table: everybody who records or
// reads meanwhile waits behind it, and so does the closing of days. The next run tries again.
const tendingWaits = `SELECT set_config('lock_timeout', '2s', true)`

// MostAstray is the largest count that Astray returns.
const MostAstray = 1000

// Astray counts the rows of the record that are in the default table because their month had
// no table, up to [MostAstray].
// 1 round trip.
func (a ScoreAudit) Astray(ctx context.Context) (rows int64, err error) {
	err = a.db.do(ctx, "look for rows of the record without a month's table", func(c *pgx.Conn) error {
		return c.QueryRow(ctx, `SELECT count(*) FROM (SELECT FROM score_audit_default LIMIT $1) AS found`, MostAstray).Scan(&rows)
	})
	return rows, err
}
