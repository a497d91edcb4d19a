package archive

import (
	"context"

	"github.com/jackc/pgx/v5"
)

// streamRows is how many rows a caller is given at a time: some 100 KB.
const streamRows = 1000

// stream reads the rows of one query as one consistent view of the database,
// in runs of up to streamRows, without holding more of them. The connection is
// taken until the last run has been dealt with. The slice is used again.
func stream[T any](ctx context.Context, db *database, doing, query string, args []any,
	scan func(pgx.Rows, *T) error, each func([]T) error) error {
	return db.do(ctx, doing, func(c *pgx.Conn) error {
		rows, err := c.Query(ctx, query, args...)
		if err != nil {
			return err
		}
		defer rows.Close()
		given := false
		run := make([]T, 0, streamRows)
		give := func() error {
			given = true
			err := each(run)
			run = run[:0]
			return err
		}
		for rows.Next() {
			var row T
			if err := scan(rows, &row); err != nil {
				return err
			}
			if run = append(run, row); len(run) == streamRows {
				if err := give(); err != nil {
					return delivered{err}
				}
			}
		}
		if err := rows.Err(); err != nil {
			if given {
				return delivered{err}
			}
			return err
		}
		if len(run) == 0 {
			return nil
		}
		if err := give(); err != nil {
			return delivered{err}
		}
		return nil
	})
}

// collect reads all rows of a query that has few.
func collect[T any](ctx context.Context, db *database, doing, query string, args []any, scan func(pgx.Rows, *T) error) ([]T, error) {
	var all []T
	err := db.do(ctx, doing, func(c *pgx.Conn) error {
		all = nil
		rows, err := c.Query(ctx, query, args...)
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			var row T
			if err := scan(rows, &row); err != nil {
				return err
			}
			all = append(all, row)
		}
		return rows.Err()
	})
	return all, err
}

// change runs one statement that answers one row.
func (db *database) change(ctx context.Context, doing, statement string, args []any, into ...any) error {
	return db.do(ctx, doing, func(c *pgx.Conn) error {
		return c.QueryRow(ctx, statement, args...).Scan(into...)
	})
}

// run runs one statement that answers no rows.
func (db *database) run(ctx context.Context, doing, statement string, args ...any) error {
	return db.do(ctx, doing, func(c *pgx.Conn) error {
		_, err := c.Exec(ctx, statement, args...)
		return err
	})
}

// together runs the statements of a batch as one transaction: all of them have
// their effect, or none.
func (db *database) together(ctx context.Context, doing string, fill func(*pgx.Batch)) error {
	return db.do(ctx, doing, func(c *pgx.Conn) error {
		var batch pgx.Batch
		fill(&batch)
		return c.SendBatch(ctx, &batch).Close()
	})
}
