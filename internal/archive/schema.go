package archive

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// SchemaVersion is the migration that this code needs; a newer database does as
// well, for one step.
const SchemaVersion = 15

// undefinedTable is Postgres' code for a table that is not there.
const undefinedTable = "42P01"

// Schema is the newest migration that the database has had; 0 where it has had
// none.
// 1 round trip.
func (a *Archive) Schema(ctx context.Context) (version int64, err error) {
	err = a.do(ctx, "read the version of the tables", func(c *pgx.Conn) error {
		return c.QueryRow(ctx, `SELECT coalesce(max(version_id), 0) FROM schema_migrations WHERE is_applied`).Scan(&version)
	})
	if missing := (*pgconn.PgError)(nil); errors.As(err, &missing) && missing.Code == undefinedTable {
		return 0, nil
	}
	return version, err
}
