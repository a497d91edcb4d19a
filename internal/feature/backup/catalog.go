package backup

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// notCopied are tables that belong to a database and not to what it holds: its migrations, and
// the note of a restore.
var notCopied = []string{versionTable, noteTable}

const (
	versionTable = "schema_migrations"
	noteTable    = "lbctl_restore"
)

// seeded are the tables into which migrations put rows. A restore replaces these rows.
var seeded = []string{"digest_salt", "refills"}

// oldest is the oldest Postgres that the migrations are for.
const oldest = 140000

// connect opens a connection that may be one of a transaction pooler: it prepares nothing.
func connect(ctx context.Context, url string) (*pgx.Conn, error) {
	config, err := pgx.ParseConfig(url)
	if err != nil {
		return nil, fmt.Errorf("read the database address: %w", err)
	}
	config.DefaultQueryExecMode = pgx.QueryExecModeExec
	return pgx.ConnectConfig(ctx, config)
}

// settle makes rows have the same text everywhere, in the present transaction.
const settle = `SET LOCAL client_encoding = 'UTF8'; SET LOCAL datestyle = 'ISO, YMD'; SET LOCAL timezone = 'UTC';
SET LOCAL intervalstyle = 'postgres'; SET LOCAL bytea_output = 'hex'; SET LOCAL extra_float_digits = 1;
SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0`

// kind refuses a server that the product cannot be kept in.
func kind(ctx context.Context, tx pgx.Tx) error {
	var version int
	var encoding string
	err := tx.QueryRow(ctx, `SELECT current_setting('server_version_num')::int, current_setting('server_encoding')`).Scan(&version, &encoding)
	switch {
	case err != nil:
		return err
	case version < oldest:
		return refuse("the database is a Postgres %d: use 14 or later", version/10000)
	case encoding != "UTF8":
		return refuse("the database's encoding is %s: make it with ENCODING 'UTF8'", encoding)
	}
	return nil
}

// schema reads the newest migration of the database; 0: it has no tables.
func schema(ctx context.Context, tx pgx.Tx) (version int64, err error) {
	there, err := exists(ctx, tx, versionTable)
	if err != nil || !there {
		return 0, err
	}
	err = tx.QueryRow(ctx, `SELECT coalesce(max(version_id), 0) FROM `+versionTable+` WHERE is_applied`).Scan(&version)
	return version, err
}

func exists(ctx context.Context, tx pgx.Tx, table string) (bool, error) {
	there, err := existing(ctx, tx, []string{table})
	return len(there) > 0, err
}

// existing returns those of the names that tables and sequences of the database have.
func existing(ctx context.Context, tx pgx.Tx, names []string) ([]string, error) {
	rows, err := tx.Query(ctx, `SELECT name FROM unnest($1::text[]) name WHERE to_regclass(quote_ident(name)) IS NOT NULL`, names)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[string])
}

func quoted(name string) string { return pgx.Identifier{name}.Sanitize() }

// beside limits a query of pg_class c to the schema of the migrations, without what extensions have.
const beside = `c.relnamespace = (SELECT relnamespace FROM pg_class WHERE oid = 'schema_migrations'::regclass)
AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')`

// tables lists the tables that hold rows, each behind those that it references.
func tables(ctx context.Context, tx pgx.Tx) ([]Table, error) {
	rows, err := tx.Query(ctx, `
SELECT c.relname::text, coalesce(p.relname::text, ''), coalesce(pg_get_expr(c.relpartbound, c.oid), ''),
       greatest(c.reltuples::bigint, pg_relation_size(c.oid) / 200),
       array(SELECT a.attname::text FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '' ORDER BY a.attnum),
       array(SELECT format_type(a.atttypid, a.atttypmod) FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '' ORDER BY a.attnum)
FROM pg_class c
LEFT JOIN pg_inherits i ON i.inhrelid = c.oid AND c.relispartition LEFT JOIN pg_class p ON p.oid = i.inhparent
WHERE `+beside+` AND c.relkind = 'r' AND NOT c.relname = ANY ($1) ORDER BY c.relname`, notCopied)
	if err != nil {
		return nil, err
	}
	all, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (t Table, err error) {
		var names, types []string
		err = row.Scan(&t.Name, &t.Parent, &t.Bound, &t.rows, &names, &types)
		for i, name := range names {
			t.Columns = append(t.Columns, Column{name, types[i]})
		}
		return t, err
	})
	if err != nil {
		return nil, err
	}
	references, err := pairs(ctx, tx, `
SELECT DISTINCT a.relname::text, b.relname::text FROM pg_constraint JOIN pg_class a ON a.oid = conrelid JOIN pg_class b ON b.oid = confrelid
WHERE contype = 'f' AND a.oid <> b.oid`)
	if err != nil {
		return nil, err
	}
	return ordered(all, references)
}

func pairs(ctx context.Context, tx pgx.Tx, query string) ([][2]string, error) {
	rows, err := tx.Query(ctx, query)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (pair [2]string, err error) {
		return pair, row.Scan(&pair[0], &pair[1])
	})
}

// ordered puts each table behind those that it references; a partition references as its table.
func ordered(all []Table, references [][2]string) ([]Table, error) {
	var out []Table
	left := slices.Clone(all)
	waits := func(t Table) bool {
		return slices.ContainsFunc(references, func(r [2]string) bool {
			return (r[0] == t.Name || r[0] == t.Parent) &&
				slices.ContainsFunc(left, func(l Table) bool { return l.Name != t.Name && (l.Name == r[1] || l.Parent == r[1]) })
		})
	}
	for len(left) > 0 {
		next := slices.IndexFunc(left, func(t Table) bool { return !waits(t) })
		if next < 0 {
			return nil, fmt.Errorf("tables reference each other in a circle: %s", strings.Join(namesOf(left), ", "))
		}
		out = append(out, left[next])
		left = slices.Delete(left, next, next+1)
	}
	return out, nil
}

func namesOf(tables []Table) (names []string) {
	for _, t := range tables {
		names = append(names, t.Name)
	}
	return names
}

// columns lists the columns of a table for COPY.
func (t Table) columns() string {
	names := make([]string, len(t.Columns))
	for i, c := range t.Columns {
		names[i] = quoted(c.Name)
	}
	return quoted(t.Name) + " (" + strings.Join(names, ", ") + ")"
}

// sequences reads the state of all sequences, which belongs to no snapshot: it may be newer than
// the rows, and a number is then left out.
func sequences(ctx context.Context, tx pgx.Tx) ([]Sequence, error) {
	rows, err := tx.Query(ctx, `SELECT c.relname::text FROM pg_class c WHERE `+beside+` AND c.relkind = 'S' ORDER BY c.relname`)
	if err != nil {
		return nil, err
	}
	names, err := pgx.CollectRows(rows, pgx.RowTo[string])
	all := make([]Sequence, len(names))
	for i, name := range names {
		if err == nil {
			all[i].Name = name
			err = tx.QueryRow(ctx, `SELECT last_value, is_called FROM `+quoted(name)).Scan(&all[i].Last, &all[i].Called)
		}
	}
	return all, err
}

// said is the SQLSTATE of an error; "" if it is not one of Postgres.
func said(err error) string {
	if answer := (*pgconn.PgError)(nil); errors.As(err, &answer) {
		return answer.Code
	}
	return ""
}
