package migrations_test

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	_ "github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
	"github.com/stretchr/testify/require"
)

// widened are constraints that a migration replaces by one that lets more in, or
// adds about rows of a new kind alone, and why the code of one step before goes on:
// it writes what it always wrote, and reads rows of the new kind as the text says.
var widened = map[string]string{
	"duels.duels_state_check":                                  "the code before never writes the new state, and reads it as text",
	"leaderboard_snapshots.leaderboard_snapshots_period_check": "it never writes or asks for a season",
	"achievements.achievements_period_check":                   "it never writes a season, and shows its badges by name",
	"leaderboard_snapshots.leaderboard_snapshots_season_check": "new, and about seasons alone",
}

// catalog is what statements can lean on in a database: for each thing its name,
// and what must stay as it is.
type catalog struct {
	columns     map[string]string // table.column -> type
	required    map[string]bool   // those that an insert must name
	constraints map[string]string // table.name -> definition, checks and keys
	uniques     map[string]string // table.columns of unique indexes, which ON CONFLICT names
	functions   map[string]string // signature -> result
}

func read(t *testing.T, conn *pgx.Conn) catalog {
	t.Helper()
	pairs := func(query string) map[string]string {
		rows, err := conn.Query(t.Context(), query)
		require.NoError(t, err)
		all := map[string]string{}
		var name, value string
		_, err = pgx.ForEachRow(rows, []any{&name, &value}, func() error { all[name] = value; return nil })
		require.NoError(t, err)
		return all
	}
	c := catalog{required: map[string]bool{}}
	c.columns = pairs(`SELECT table_name || '.' || column_name, data_type || coalesce(collation_name, '') FROM information_schema.columns WHERE table_schema = 'public'`)
	for name := range pairs(`SELECT table_name || '.' || column_name, '' FROM information_schema.columns
		WHERE table_schema = 'public' AND is_nullable = 'NO' AND column_default IS NULL AND is_identity = 'NO' AND is_generated = 'NEVER'`) {
		c.required[name] = true
	}
	c.constraints = pairs(`SELECT conrelid::regclass || '.' || conname, pg_get_constraintdef(oid) FROM pg_constraint WHERE connamespace = 'public'::regnamespace AND contype IN ('c', 'f', 'p', 'u', 'x')`)
	c.uniques = pairs(`SELECT indrelid::regclass || ' ' || pg_get_indexdef(indexrelid), '' FROM pg_index JOIN pg_class ON pg_class.oid = indrelid WHERE indisunique AND relnamespace = 'public'::regnamespace`)
	c.functions = pairs(`SELECT oid::regprocedure::text, pg_get_function_result(oid) FROM pg_proc WHERE pronamespace = 'public'::regnamespace`)
	return c
}

// breaks lists what in a newer catalog is in the way of statements made for an
// older one.
func breaks(older, newer catalog) (all []string) {
	say := func(format string, of ...any) { all = append(all, fmt.Sprintf(format, of...)) }
	kept := func(what string, was, is map[string]string) {
		for name, value := range was {
			if now, ok := is[name]; !ok {
				say("%s %s is no more", what, name)
			} else if now != value && widened[name] == "" {
				say("%s %s was %s and is %s", what, name, value, now)
			}
		}
	}
	tables := map[string]bool{}
	for name := range older.columns {
		table, _, _ := strings.Cut(name, ".")
		tables[table] = true
	}
	kept("column", older.columns, newer.columns)
	kept("constraint", older.constraints, newer.constraints)
	kept("unique index", older.uniques, newer.uniques)
	kept("function", older.functions, newer.functions)
	for name := range newer.required {
		table, _, _ := strings.Cut(name, ".")
		if tables[table] && !older.required[name] {
			say("column %s must be named now by every insert", name)
		}
	}
	for name, value := range newer.constraints {
		table, _, _ := strings.Cut(name, ".")
		// A check of a new column alone does not look at what is written to the old ones.
		if _, was := older.constraints[name]; tables[table] && !was && widened[name] == "" && !ofNewColumn(value, table, older, newer) {
			say("constraint %s is new: %s", name, value)
		}
	}
	for name := range newer.uniques {
		table, _, _ := strings.Cut(name, " ")
		// A new column is empty where the code before inserts, and empty ones do not clash.
		_, columns, _ := strings.Cut(name, "(")
		if _, was := older.uniques[name]; tables[table] && !was && !ofNewColumn(columns, table, older, newer) {
			say("unique index %s is new", name)
		}
	}
	return all
}

// ofNewColumn reports whether a constraint names a column that came with it, and
// none that was there before.
func ofNewColumn(definition, table string, older, newer catalog) (is bool) {
	words := strings.FieldsFunc(definition, func(r rune) bool { return r != '_' && (r < 'a' || r > 'z') && (r < '0' || r > '9') })
	for _, word := range words {
		if _, was := older.columns[table+"."+word]; was {
			return false
		}
		if _, came := newer.columns[table+"."+word]; came {
			is = true
		}
	}
	return is
}

// The code of one step before works on the tables of each step: nothing that its
// statements name goes away or changes, and nothing more is asked of what it
// writes. So tables are brought up to date first, and code goes back without them.
func TestEachMigrationLeavesTheCodeBeforeItAlone(t *testing.T) {
	where, conn := empty(t)
	db, err := sql.Open("pgx", where)
	require.NoError(t, err)
	defer func() { require.NoError(t, db.Close()) }()
	provider, err := goose.NewProvider(goose.DialectPostgres, db, os.DirFS("."), goose.WithTableName("schema_migrations"))
	require.NoError(t, err)
	older := catalog{}
	for _, file := range provider.ListSources() {
		_, err := provider.UpTo(context.Background(), file.Version)
		require.NoError(t, err)
		newer := read(t, conn)
		require.Empty(t, breaks(older, newer), "%s: make it in two steps, a release apart; see docs/operate/upgrade.md", file.Path)
		older = newer
	}
	require.NotEmpty(t, older.columns)
}

// What the test above would let pass, were it to look at nothing.
func TestWhatBreaksTheCodeBeforeIsSeen(t *testing.T) {
	_, conn := empty(t)
	run := func(statement string) {
		_, err := conn.Exec(t.Context(), statement)
		require.NoError(t, err)
	}
	run(`CREATE TABLE kept (a integer PRIMARY KEY, b text NOT NULL DEFAULT '', c text)`)
	run(`CREATE FUNCTION f(x integer) RETURNS integer LANGUAGE sql AS 'SELECT x'`)
	for statement, says := range map[string]string{
		`ALTER TABLE kept DROP COLUMN b`:                               "column kept.b is no more",
		`ALTER TABLE kept RENAME COLUMN b TO d`:                        "column kept.b is no more",
		`ALTER TABLE kept RENAME TO other`:                             "column kept.a is no more",
		`DROP TABLE kept`:                                              "column kept.a is no more",
		`ALTER TABLE kept ALTER COLUMN a TYPE bigint`:                  "column kept.a was integer and is bigint",
		`ALTER TABLE kept ADD COLUMN d text NOT NULL`:                  "column kept.d must be named",
		`ALTER TABLE kept ALTER COLUMN b DROP DEFAULT`:                 "column kept.b must be named",
		`ALTER TABLE kept ADD CONSTRAINT few CHECK (a < 9)`:            "constraint kept.few is new",
		`CREATE UNIQUE INDEX one ON kept (c)`:                          "unique index kept",
		`ALTER TABLE kept DROP CONSTRAINT kept_pkey`:                   "is no more",
		`DROP FUNCTION f`:                                              "function f(integer) is no more",
		`ALTER TABLE kept ADD COLUMN d text`:                           "",
		`ALTER TABLE kept ADD COLUMN d bigint DEFAULT 0 CHECK (d > 3)`: "",
		`CREATE TABLE other (a integer NOT NULL UNIQUE)`:               "",
		`CREATE INDEX quick ON kept (c)`:                               "",
	} {
		before := read(t, conn)
		run("BEGIN")
		run(statement)
		found := breaks(before, read(t, conn))
		run("ROLLBACK")
		if says == "" {
			require.Empty(t, found, statement)
		} else {
			require.Contains(t, strings.Join(found, "; "), says, statement)
		}
	}
}
