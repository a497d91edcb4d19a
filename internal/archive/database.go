package archive

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/platform/trace"
	"github.com/framedle/leaderboards/internal/platform/wait"
)

// retryableError is a failure after which the same call can succeed.
type retryableError struct {
	cause error
	again bool // at once
}

func (l retryableError) Error() string { return l.cause.Error() }

func (l retryableError) Unwrap() []error { return []error{ErrUnavailable, l.cause} }

// delivered marks an error that Do must not retry: the caller has already taken rows.
type delivered struct{ error }

func (d delivered) Unwrap() error { return d.error }

// common is what all databases of one Archive have in common.
type common struct {
	connections *connections
	tables      []Tables                                      // of features
	listening   atomic.Pointer[func(game.Happening) []string] // see Announce; nil: nobody
	state       atomic.Int32                                  // how the last call ended: see Answers
}

// How the last call of a process ended.
const (
	neverAsked int32 = iota
	answering
	notAnswering
)

// Answers reports whether the database answered the last call of this process, of anybody;
// asked is false before the first. It asks nothing.
func (a *Archive) Answers() (answers, asked bool) {
	state := a.db.state.Load()
	return state == answering, state != neverAsked
}

// note remembers how a call ended. A call that its caller has given up says nothing.
func (c *common) note(ctx context.Context, err error) {
	switch {
	case errors.Is(err, ErrUnavailable):
		c.state.Store(notAnswering)
	case ctx.Err() == nil:
		c.state.Store(answering)
	}
}

// DB runs statements on the connections that all kinds share.
type DB struct {
	*common
	patience time.Duration // how long a call may take; 0: until its context ends
	slow     bool          // calls may take longer times as long
}

// longer is how many times as long as others those calls may take that sort a board, count
// what everybody did, or write all that a player or a week of leagues has.
const longer = 5

// Long returns the database for calls that may take longer.
func (db *DB) Long() *DB { return &DB{db.common, db.patience, true} }

// within bounds a call.
func (db *DB) within(ctx context.Context) (context.Context, context.CancelFunc) {
	switch {
	case db.patience == 0:
		return ctx, func() {}
	case db.slow:
		return context.WithTimeout(ctx, longer*db.patience)
	}
	return context.WithTimeout(ctx, db.patience)
}

// Do runs work on a connection. If that connection was lost, Do runs work once more on a new
// one. Work must be repeatable: the first run may have had its effect.
func (db *DB) Do(ctx context.Context, doing string, work func(context.Context, *pgx.Conn) error) (err error) {
	end := trace.Part(ctx, "postgresql", doing)
	defer func() { end(err) }()
	ctx, cancel := db.within(ctx)
	defer cancel()
	err = db.once(ctx, work)
	var rows delivered
	var cut retryableError
	if errors.As(err, &cut) && cut.again && !errors.As(err, &rows) && wait.Sleep(ctx, pauseBeforeTry) == nil {
		db.connections.drop(ctx)
		err = db.once(ctx, work)
	}
	db.note(ctx, err)
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", doing, err)
}

func (db *DB) once(ctx context.Context, work func(context.Context, *pgx.Conn) error) error {
	conn, err := db.connections.take(ctx)
	if err != nil {
		return classify(ctx, err, true)
	}
	defer db.connections.give(conn)
	err = work(ctx, conn)
	return classify(ctx, err, conn.IsClosed())
}

// classify separates failures of the database, after which the same call can succeed one day,
// from those of the call. cut says that there is no connection. If the caller has given up,
// that is the error, whatever happened to the connection; if the time is over, Postgres has
// not answered.
func classify(ctx context.Context, err error, cut bool) error {
	var answer *pgconn.PgError
	switch {
	case err == nil, errors.Is(ctx.Err(), context.Canceled):
		return err
	case ctx.Err() != nil:
		return retryableError{cause: err}
	case errors.As(err, &answer):
		if passing(answer.Code) {
			return retryableError{err, true}
		}
		if cut || unusable(answer.Code) {
			return retryableError{cause: err}
		}
		if missing(answer.Code) {
			return &BehindError{Has: -1, cause: err}
		}
		return err
	case cut:
		return retryableError{err, true}
	}
	return err
}

// passing reports whether a SQLSTATE is one of a server that goes down, comes up or is full,
// of a broken connection, or of a transaction that collided with another.
func passing(code string) bool {
	switch code {
	case "57P01", "57P02", "57P03", "57P05", "53300", "40001", "40P01":
		return true
	}
	return strings.HasPrefix(code, "08")
}

// unusable reports whether a SQLSTATE is one of a database that somebody has to look after: it
// was dropped, refuses the credentials, takes no writes, or lacks disk or memory.
func unusable(code string) bool {
	switch code {
	case "57P04", "3D000", "25006":
		return true
	}
	return slices.Contains([]string{"28", "53", "58"}, code[:min(2, len(code))])
}

// streamRows is the largest number of rows in one call of a stream's callback: some 100 KB.
const streamRows = 1000

// Stream reads the rows of one query as one consistent view of the database and calls each
// with up to streamRows of them at a time, so that it never holds more. It keeps the
// connection until the last call of each has returned. The slice is reused, what its rows
// have is not.
func Stream[T any](ctx context.Context, db *DB, doing, query string, args []any,
	scan pgx.RowToFunc[T], each func([]T) error) error {
	return db.Long().Do(ctx, doing, func(ctx context.Context, c *pgx.Conn) error {
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
			row, err := scan(rows)
			if err != nil {
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

// Collect reads all rows of a query with few rows. pgx.CollectRows would do the same, and make
// each function larger.
func Collect[T any](ctx context.Context, db *DB, doing, query string, args []any, scan pgx.RowToFunc[T]) ([]T, error) {
	var all []T
	err := db.Do(ctx, doing, func(ctx context.Context, c *pgx.Conn) error {
		all = nil
		rows, err := c.Query(ctx, query, args...)
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			row, err := scan(rows)
			if err != nil {
				return err
			}
			all = append(all, row)
		}
		return rows.Err()
	})
	return all, err
}

// Mapped reads rows of a key and a value.
func Mapped[K comparable, V any](ctx context.Context, db *DB, doing, query string, args []any) (map[K]V, error) {
	all := map[K]V{}
	err := db.Do(ctx, doing, func(ctx context.Context, c *pgx.Conn) error {
		clear(all)
		rows, err := c.Query(ctx, query, args...)
		if err != nil {
			return err
		}
		var key K
		var value V
		_, err = pgx.ForEachRow(rows, []any{&key, &value}, func() error {
			all[key] = value
			return nil
		})
		return err
	})
	return all, err
}

// Change runs one statement that returns one row.
func (db *DB) Change(ctx context.Context, doing, statement string, args []any, into ...any) error {
	return db.Do(ctx, doing, func(ctx context.Context, c *pgx.Conn) error {
		return c.QueryRow(ctx, statement, args...).Scan(into...)
	})
}

// Run runs one statement that returns no rows.
func (db *DB) Run(ctx context.Context, doing, statement string, args ...any) error {
	return db.Do(ctx, doing, func(ctx context.Context, c *pgx.Conn) error {
		_, err := c.Exec(ctx, statement, args...)
		return err
	})
}

// Together runs the statements of a batch in one transaction: all take effect, or none.
func (db *DB) Together(ctx context.Context, doing string, fill func(*pgx.Batch)) error {
	return db.Do(ctx, doing, func(ctx context.Context, c *pgx.Conn) error {
		var batch pgx.Batch
		fill(&batch)
		return c.SendBatch(ctx, &batch).Close()
	})
}

func OrNone(ids []string) []string {
	if ids == nil {
		return []string{}
	}
	return ids
}

// tracer counts queries and rows on the meter in the context. It counts a query of a batch
// when its answer is read, even if the answer is an error.
type tracer struct{}

func (tracer) TraceQueryStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceQueryStartData) context.Context {
	return ctx
}

func (tracer) TraceQueryEnd(ctx context.Context, _ *pgx.Conn, d pgx.TraceQueryEndData) {
	trace.AddQueries(ctx, 1, d.CommandTag.RowsAffected())
}

func (tracer) TraceBatchStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceBatchStartData) context.Context {
	return ctx
}

func (tracer) TraceBatchQuery(ctx context.Context, _ *pgx.Conn, d pgx.TraceBatchQueryData) {
	trace.AddQueries(ctx, 1, d.CommandTag.RowsAffected())
}

func (tracer) TraceBatchEnd(context.Context, *pgx.Conn, pgx.TraceBatchEndData) {}
