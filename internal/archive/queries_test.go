package archive_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/archive/archivetest"
)

// psql is a session on a database as psql has one: it sends texts alone.
func psql(t *testing.T, url string) func(statement string) []string {
	t.Helper()
	conn, err := pgx.Connect(ctx, url)
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close(ctx) })
	return func(statement string) []string {
		t.Helper()
		results, err := conn.PgConn().Exec(ctx, statement).ReadAll()
		require.NoError(t, err, statement)
		var lines []string
		for _, row := range results[0].Rows {
			lines = append(lines, string(row[0]))
		}
		return lines
	}
}

// What a board is and what is asked of it are pasted together, and their types
// stand in the text: nobody has to declare them.
func TestQueriesCanBePastedIntoPsql(t *testing.T) {
	run := psql(t, archivetest.Database(t))
	number := 0
	explain := func(name, query string, types, values []string) {
		t.Helper()
		number++
		run(fmt.Sprintf("PREPARE q%d AS %s", number, query))
		require.Equal(t, []string{"{" + strings.Join(types, ",") + "}"},
			run(fmt.Sprintf("SELECT parameter_types::text FROM pg_prepared_statements WHERE name = 'q%d'", number)), name)
		require.NotEmpty(t, run(fmt.Sprintf("EXPLAIN EXECUTE q%d (%s)", number, strings.Join(values, ", "))), name)
	}
	double := `"double precision"`
	boards, reads := archive.BoardQueries()
	types := map[string][]string{
		"page":      {"boolean", "boolean", "bigint", "bigint", double, "text"},
		"standing":  {"boolean", "boolean", "text"},
		"lookup":    {"boolean", "text[]"},
		"everybody": nil,
		"ends":      nil,
		"buckets":   {`"double precision[]"`},
	}
	for read, query := range reads {
		for board, rows := range boards {
			for _, lowest := range []string{"true", "false"} {
				for _, combined := range []string{"'sum'", "'true sum'", "'max'", "'min'", "'last'"} {
					given := []string{"'daily'", "'2026-11-16'", "'2026-11-22'", "'groups'", combined, "3"}
					given = append(given, map[string][]string{
						"page":     {lowest, "true", "10", "20", "4.5", "'p'"},
						"standing": {lowest, "true", "'p'"},
						"lookup":   {lowest, "'{p,q}'"},
						"buckets":  {"'{0,10}'"},
					}[read]...)
					explain(board+" "+read, rows+query, append([]string{"text", "date", "date", "text", "text", "bigint"}, types[read]...), given)
				}
			}
		}
	}
	other := archive.OtherQueries()
	explain("groups", other["groups"], []string{"text", "date", "date", "text"}, []string{"'daily'", "'2026-11-16'", "'2026-11-22'", "'last'"})
	explain("XP", other["XP"],
		[]string{"date", "date", "text[]", `"double precision[]"`, `"double precision[]"`, `"double precision[]"`, `"double precision[]"`, "text[]", "text[]"},
		[]string{"'2026-11-16'", "'2026-11-22'", "'{daily}'", "'{1}'", "'{1000}'", "'{0}'", "'{1}'", `'{"{}"}'`, `'{"{}"}'`})
}

// A page of players found by name is a run of the index of names.
func TestPlayersAreFoundByNameFromTheIndex(t *testing.T) {
	run := psql(t, archivetest.Database(t))
	run("INSERT INTO profiles SELECT 'p' || n, 'Name ' || n, '', '', false, now() FROM generate_series(1, 5000) AS n")
	run("VACUUM ANALYZE profiles")
	run("PREPARE named AS " + archive.OtherQueries()["named"])
	run("SET plan_cache_mode = force_generic_plan") // as a connection may choose after some searches
	plan := strings.Join(run(`EXPLAIN (COSTS OFF) EXECUTE named ('Name 4', '', '', 21)`), "\n")
	require.Regexp(t, `^Limit\s+->\s+Index Scan using profiles_name on profiles\s+Index Cond: .*~>=~ lower\(\$1\).*~<~ \(lower\(\$1\)`, plan)
}

// The page of a day is a run of its index, whichever order the board has and
// wherever the page begins: what a parameter rules out is no part of the plan.
func TestPagesOfADayAreReadFromItsIndex(t *testing.T) {
	url := archivetest.Database(t)
	a, _ := openAt(t, url, 1)
	put(t, a, "daily", today, results(5000, func(i int) float64 { return float64(i % 100) })...)
	run := psql(t, url)
	run("VACUUM ANALYZE results")
	boards, reads := archive.BoardQueries()
	run("PREPARE page AS " + boards["day"] + reads["page"])
	for lowest, scan := range map[string]string{"true": "Index Only Scan using", "false": "Index Only Scan Backward using"} {
		for _, cursor := range []string{"NULL, NULL", "50.5, 'p000001'"} {
			plan := strings.Join(run("EXPLAIN (COSTS OFF) EXECUTE page ('daily', '2026-11-21', '2026-11-21', '', 'sum', 0, "+lowest+", false, 10, 20, "+cursor+")"), "\n")
			_, page, found := strings.Cut(plan, "CTE page")
			require.True(t, found, plan)
			require.Regexp(t, `^\s*->\s+Limit\s+->\s+`+scan, page, plan)
			require.Equal(t, cursor != "NULL, NULL", strings.Contains(plan, "ROW("), plan)
		}
	}
}
