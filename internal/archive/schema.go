package archive

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// SchemaVersion is the migration that this code needs. A database that is one migration ahead
// works as well.
const SchemaVersion = 29

// undefinedTable is the SQLSTATE for a table that does not exist.
const undefinedTable = "42P01"

// missing reports whether a SQLSTATE says that a table, column or function does not exist: a
// later migration may create it.
func missing(code string) bool {
	return code == undefinedTable || code == "42703" || code == "42883"
}

// BehindError says that the database's tables are older than this code needs. It is an
// [ErrUnavailable] that no second try helps against: callers go on without the archive where
// they can.
type BehindError struct {
	Has   int64 // the database's newest migration; -1: not known, a statement failed
	cause error // Postgres' error; nil if the version itself was read
}

// Needs returns the migration that this code needs.
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

// Ready returns a *BehindError if migrations that this code needs are pending. 1 round trip.
func (a *Archive) Ready(ctx context.Context) error {
	has, err := a.Schema(ctx)
	if err == nil && has < SchemaVersion {
		return &BehindError{Has: has}
	}
	return err
}

// Schema reads the newest migration that the database has had; 0 if it has had none.
// 1 round trip.
func (a *Archive) Schema(ctx context.Context) (version int64, err error) {
	err = a.db.Do(ctx, "read the version of the tables", func(ctx context.Context, c *pgx.Conn) error {
		return c.QueryRow(ctx, `SELECT coalesce(max(version_id), 0) FROM schema_migrations WHERE is_applied`).Scan(&version)
	})
	if missing := (*pgconn.PgError)(nil); errors.As(err, &missing) && missing.Code == undefinedTable {
		return 0, nil
	}
	return version, err
}
