package archive

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// SchemaVersion is the migration that this code needs; a newer database does as
// well, for one step.
const SchemaVersion = 26

// undefinedTable is Postgres' code for a table that is not there.
const undefinedTable = "42P01"

// missing are the SQLSTATEs of statements that name what later migrations make:
// tables, columns, functions.
func missing(code string) bool {
	return code == undefinedTable || code == "42703" || code == "42883"
}

// BehindError says that the database's tables are older than this code needs. It is
// an [ErrUnavailable], which no second try mends: what can do without the archive
// does.
type BehindError struct {
	Has   int64 // the newest migration it has had; -1: not known, a statement failed
	cause error // what Postgres said; nil where the version was asked for
}

// Needs is the migration that the database must have had.
func (e *BehindError) Needs() int64 { return SchemaVersion }

func (e *BehindError) Error() string {
	switch {
	case e.cause != nil:
		return fmt.Sprintf("the database is older than this build, which needs migration %d; run lbctl migrate: %v", SchemaVersion, e.cause)
	case e.Has == 0:
		return fmt.Sprintf("the database has no tables; migrations 1 to %d are pending: run lbctl migrate", SchemaVersion)
	case e.Has == SchemaVersion-1:
		return fmt.Sprintf("migration %d is pending: run lbctl migrate", SchemaVersion)
	}
	return fmt.Sprintf("migrations %d to %d are pending: run lbctl migrate", e.Has+1, SchemaVersion)
}

func (e *BehindError) Unwrap() []error {
	if e.cause == nil {
		return []error{ErrUnavailable}
	}
	return []error{ErrUnavailable, e.cause}
}

// Ready reports, as a *BehindError, whether migrations are pending that this code
// needs. 1 round trip.
func Ready(ctx context.Context, a *Archive) error {
	has, err := a.Schema(ctx)
	if err == nil && has < SchemaVersion {
		return &BehindError{Has: has}
	}
	return err
}

// Schema is the newest migration that the database has had; 0 where it has had
// none.
// 1 round trip.
func (a *Archive) Schema(ctx context.Context) (version int64, err error) {
	err = a.db.do(ctx, "read the version of the tables", func(c *pgx.Conn) error {
		return c.QueryRow(ctx, `SELECT coalesce(max(version_id), 0) FROM schema_migrations WHERE is_applied`).Scan(&version)
	})
	if missing := (*pgconn.PgError)(nil); errors.As(err, &missing) && missing.Code == undefinedTable {
		return 0, nil
	}
	return version, err
}
