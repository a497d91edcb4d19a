package backup_test

import (
	"archive/tar"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/archive/archivetest"
	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/feature/backup"
	"github.com/framedle/leaderboards/migrations"
)

// full is a database with rows of every form: partitions, references, an identity, a sequence,
// arrays, JSON, bytes, exact floats, and text that COPY has to escape. many is the number of
// results.
func full(t *testing.T, many int) string {
	database := archivetest.Database(t)
	run(t, database, fmt.Sprintf(`
SELECT ensure_results_partition('2026-10-05'), ensure_results_partition('2026-11-05');
INSERT INTO results (mode, date, player, stored, scopes, scoped_stored, details)
SELECT 'daily', date '2026-10-20' + n %% 20, 'user_' || n, 100 + n / 3.0 + 1e-9, CASE WHEN n %% 2 = 0 THEN '{country:BR,"group:a b"}'::text[] END,
       CASE WHEN n %% 2 = 0 THEN ARRAY[0.1 + n, 1.0/3] END, CASE WHEN n %% 5 = 0 THEN '{"a": "line\nend\ttab\\"}'::json END
FROM generate_series(1, %d) n;
INSERT INTO profiles (player, name, updated_at) VALUES ('user_1', E'A\tb\\c\nd\u2028é😀', '2026-11-05 10:11:12.123456Z'), ('user_2', '\N', now()), ('user_3', '\.', now());
SELECT friend_change('ask', 'user_1', 'user_2', now()), friend_change('accept', 'user_2', 'user_1', now());
SELECT friend_invite('\x%s'::bytea, 'user_1', 3, now(), now() + interval '1 day');
INSERT INTO score_audit (at, n, mode, date, player, stored, outcome, played_at) VALUES ('2026-11-05', 1, 'daily', '2026-11-05', 'user_1', 1, 'accepted', now());
INSERT INTO webhooks_out (endpoint, id, kind, data, made_at, since) SELECT 'shop', 'e' || n, 'badge', '{}', now(), now() FROM generate_series(1, 7) n;
INSERT INTO races VALUES ('r1', 'decided', 'daily', 2, true, now(), now(), now(), now());
INSERT INTO race_seats VALUES ('r1', 1, 'user_1', 32, NULL, false, 1, 1000, 1016);
INSERT INTO league_weeks VALUES ('2026-11-02', NULL);
INSERT INTO league_seats (week, player, tier, pace, cohort) VALUES ('2026-11-02', 'user_1', 0, 0, 0);
INSERT INTO erasures VALUES (player_digest('user_9'), now());
SELECT tend_score_audit('2026-11-05', '2026-12-05', 12);
UPDATE refills SET done_at = '2026-11-05', cursor = 'x' WHERE kind = 'bans';
CREATE TABLE made_later (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, twice bigint GENERATED ALWAYS AS (n * 2) STORED, n bigint, "Odd name" inet);
INSERT INTO made_later (n, "Odd name") VALUES (21, '192.0.2.1'), (NULL, NULL)`, many, strings.Repeat("00ff", 16)))
	return database
}

// withTable are the statements that a later version's migration would have.
const withTable = `CREATE TABLE made_later (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, twice bigint GENERATED ALWAYS AS (n * 2) STORED, n bigint, "Odd name" inet)`

func run(t *testing.T, database, statements string) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), database)
	require.NoError(t, err)
	defer func() { _ = conn.Close(context.Background()) }()
	_, err = conn.Exec(t.Context(), statements)
	require.NoError(t, err)
}

// contents are all rows of all tables as Postgres itself writes them, and the sequences.
func contents(t *testing.T, database string) map[string]string {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), database)
	require.NoError(t, err)
	defer func() { _ = conn.Close(context.Background()) }()
	all := map[string]string{}
	rows, err := conn.Query(t.Context(), `SELECT c.relname::text, c.relkind::text FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'S') AND c.relname <> 'schema_migrations' AND c.relname NOT LIKE 'schema_migrations_%' ORDER BY 1`)
	require.NoError(t, err)
	names, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (pair [2]string, err error) { return pair, row.Scan(&pair[0], &pair[1]) })
	require.NoError(t, err)
	for _, name := range names {
		query := `SELECT count(*) || ' ' || coalesce(md5(string_agg(t::text, E'\n' ORDER BY t::text)), '') FROM "` + name[0] + `" t`
		if name[1] == "S" {
			query = `SELECT last_value || ' ' || is_called FROM "` + name[0] + `"`
		}
		var text string
		require.NoError(t, conn.QueryRow(t.Context(), query).Scan(&text))
		all[name[0]] = text
	}
	require.Greater(t, len(all), 30)
	return all
}

func write(t *testing.T, database string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "a.lbbackup")
	report, err := backup.Write(t.Context(), backup.Options{
		Database: database, Path: path, Part: 64 << 10, Manifest: backup.Manifest{Game: "puzzle", Version: "v1", MadeAt: time.Now().UTC(), Saved: true},
	})
	require.NoError(t, err)
	info, err := os.Stat(path)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode().Perm())
	require.Equal(t, info.Size(), report.Bytes)
	_, err = os.Stat(path + ".partial")
	require.ErrorIs(t, err, os.ErrNotExist)
	return path
}

func open(t *testing.T, path string) *backup.File {
	t.Helper()
	f, err := backup.Open(path)
	require.NoError(t, err)
	t.Cleanup(func() { _ = f.Close() })
	return f
}

// load is one run of a restore.
func load(ctx context.Context, f *backup.File, database string) error {
	target, err := f.Into(ctx, database, archive.SchemaVersion)
	if err != nil {
		return err
	}
	defer target.Close(ctx)
	if err := target.Load(ctx, nil); err != nil {
		return err
	}
	return target.Done(ctx)
}

func TestEveryRowOfEveryTableComesBack(t *testing.T) {
	from := full(t, 5000)
	f := open(t, write(t, from))
	require.Equal(t, "puzzle", f.Manifest.Game)
	require.EqualValues(t, archive.SchemaVersion, f.Manifest.Schema)
	into := archivetest.Database(t)
	run(t, into, withTable)
	require.NoError(t, load(t.Context(), f, into))
	require.Equal(t, contents(t, from), contents(t, into))
	// What comes next goes on where the other would.
	run(t, into, `INSERT INTO made_later (n) VALUES (1); INSERT INTO webhooks_out (endpoint, id, kind, data, made_at, since) VALUES ('shop', 'e8', 'badge', '{}', now(), now()); SELECT friend_change('block', 'user_1', 'user_3', now())`)
}

// A table that no migration makes is another program's: it is left out.
func TestTablesOfOtherProgramsAreLeftOut(t *testing.T) {
	from, into := full(t, 10), archivetest.Database(t)
	f := open(t, write(t, from))
	target, err := f.Into(t.Context(), into, archive.SchemaVersion)
	require.NoError(t, err)
	defer target.Close(t.Context())
	require.NoError(t, target.Load(t.Context(), nil))
	require.Equal(t, []string{"made_later"}, target.LeftOut)
	require.NoError(t, target.Done(t.Context()))
	want := contents(t, from)
	delete(want, "made_later")
	delete(want, "made_later_id_seq")
	require.Equal(t, want, contents(t, into))
}

// Rows that come and go while a backup is written are not in it: it is of one moment.
func TestABackupIsOfOneMoment(t *testing.T) {
	from, into := full(t, 20_000), archivetest.Database(t)
	want := contents(t, from)
	changed := false
	path := filepath.Join(t.TempDir(), "a")
	_, err := backup.Write(t.Context(), backup.Options{Database: from, Path: path, Part: 64 << 10, Seen: func(p backup.Progress) {
		require.LessOrEqual(t, p.Rows, p.All)
		if !changed {
			changed = true
			run(t, from, `DELETE FROM results WHERE player LIKE '%7'; INSERT INTO bans VALUES ('user_1', 'r', now(), 'o'); UPDATE profiles SET name = 'other'`)
		}
	}})
	require.NoError(t, err)
	require.True(t, changed)
	run(t, into, withTable)
	require.NoError(t, load(t.Context(), open(t, path), into))
	require.Equal(t, want, contents(t, into))
}

// The connection is cut at any moment, and the run is repeated until it is done: every row is
// there once.
func TestALoadThatIsCutIsContinued(t *testing.T) {
	from := full(t, 12_000) // several parts
	f := open(t, write(t, from))
	require.Greater(t, f.Report().Parts, 25)
	want := contents(t, from)
	for _, step := range []int{7, 40, 113} {
		into := archivetest.Database(t)
		run(t, into, withTable)
		address, err := url.Parse(into)
		require.NoError(t, err)
		cutter := testkit.NewCutter(t, address.Host)
		address.Host = cutter.Addr
		cuts := 0
		for pieces := step; ; pieces += step {
			cutter.After(pieces)
			err := load(t.Context(), f, address.String())
			if !cutter.Mend() {
				require.NoError(t, err)
				break
			}
			if err != nil {
				cuts++
			}
			if n, err := done(t, into); err == nil && n < 0 {
				break // the cut was after the end
			}
		}
		require.Positive(t, cuts)
		require.Equal(t, want, contents(t, into), "after %d cuts", cuts)
	}
}

// done is how many parts a database has; negative: it has no note of a restore.
func done(t *testing.T, database string) (n int, err error) {
	conn, err := pgx.Connect(t.Context(), database)
	require.NoError(t, err)
	defer func() { _ = conn.Close(context.Background()) }()
	var there bool
	var rows int
	require.NoError(t, conn.QueryRow(t.Context(), `SELECT to_regclass('lbctl_restore') IS NOT NULL, (SELECT count(*) FROM results)`).Scan(&there, &rows))
	if !there && rows > 0 {
		return -1, nil
	}
	return 0, nil
}

// Two runs at once do not load anything twice: one of them ends, and says why.
func TestOfTwoRestoresAtOnceNothingIsDoubled(t *testing.T) {
	from, into := full(t, 8_000), archivetest.Database(t)
	run(t, into, withTable)
	f := open(t, write(t, from))
	ended := make(chan error, 2)
	for range 2 {
		go func() {
			target, err := f.Into(context.Background(), into, archive.SchemaVersion)
			if err == nil {
				defer target.Close(context.Background())
				err = target.Load(context.Background(), nil)
			}
			ended <- err
		}()
	}
	one, other := <-ended, <-ended
	require.False(t, one != nil && other != nil && !errors.Is(one, backup.ErrOther), "%v, %v", one, other)
	if one != nil || other != nil {
		require.ErrorIs(t, errors.Join(one, other), backup.ErrOther)
	}
	target, err := f.Into(t.Context(), into, archive.SchemaVersion)
	require.NoError(t, err)
	defer target.Close(t.Context())
	require.NoError(t, target.Load(t.Context(), nil))
	require.NoError(t, target.Done(t.Context()))
	require.Equal(t, contents(t, from), contents(t, into))
}

func TestAFileThatIsNotWholeIsRefused(t *testing.T) {
	path := write(t, full(t, 2000))
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	refused := func(text []byte, what string) {
		t.Helper()
		other := filepath.Join(t.TempDir(), "b")
		require.NoError(t, os.WriteFile(other, text, 0o600))
		_, err := backup.Open(other)
		require.ErrorIs(t, err, backup.ErrRefused, what)
		require.ErrorContains(t, err, other)
	}
	for n := 0; n < len(text); n += 1 + len(text)/97 {
		refused(text[:n], fmt.Sprint("cut after ", n))
		changed := bytes.Clone(text)
		changed[n] ^= 0x20
		refused(changed, fmt.Sprint("changed at ", n))
	}
	for _, back := range []int{1, 511, 512, 513, 1023, 1024, 1025, 1600, 2048} { // the end
		refused(text[:len(text)-back], fmt.Sprint("without the last ", back))
		changed := bytes.Clone(text)
		changed[len(text)-back] ^= 1
		refused(changed, fmt.Sprint("changed ", back, " from the end"))
	}
	refused(append(bytes.Clone(text), 0), "longer")
	refused(append(bytes.Clone(text), text...), "twice")
	refused(bytes.Repeat([]byte("no backup\n"), 1000), "another file")
}

// other writes a backup again with another manifest.
func other(t *testing.T, path string, change func(m map[string]any)) string {
	t.Helper()
	in, err := os.Open(path)
	require.NoError(t, err)
	defer func() { _ = in.Close() }()
	to := filepath.Join(t.TempDir(), "c")
	out, err := os.Create(to)
	require.NoError(t, err)
	defer func() { _ = out.Close() }()
	r, w := tar.NewReader(in), tar.NewWriter(out)
	for {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		require.NoError(t, err)
		text, err := io.ReadAll(r)
		require.NoError(t, err)
		if h.Name == "manifest.json" {
			var m map[string]any
			require.NoError(t, json.Unmarshal(text, &m))
			change(m)
			text, err = json.Marshal(m)
			require.NoError(t, err)
			h.Size = int64(len(text))
		}
		require.NoError(t, w.WriteHeader(h))
		_, err = w.Write(text)
		require.NoError(t, err)
	}
	require.NoError(t, w.Close())
	return to
}

func TestABackupOfAnotherKindIsRefused(t *testing.T) {
	path := write(t, full(t, 10))
	for says, change := range map[string]func(map[string]any){
		"of \"other\"":           func(m map[string]any) { m["product"] = "other" },
		"has the form 2":         func(m map[string]any) { m["format"] = 2 },
		"bounds that this lbctl": func(m map[string]any) { m["tables"].([]any)[0].(map[string]any)["parent"] = "results" },
		"changed or damaged":     func(m map[string]any) { m["game"] = "another" },
	} {
		_, err := backup.Open(other(t, path, change))
		require.ErrorContains(t, err, says)
		require.ErrorIs(t, err, backup.ErrRefused)
	}
	_, err := backup.Open(t.TempDir())
	require.ErrorContains(t, err, "it is not a file")
	require.ErrorIs(t, err, backup.ErrRefused)
}

// A database that is not what a backup can be brought into stays as it is.
func TestADatabaseThatDoesNotFitIsRefused(t *testing.T) {
	from := full(t, 10)
	f := open(t, write(t, from))
	for says, prepare := range map[string]string{
		"rows in profiles, results_2026_11": `INSERT INTO profiles (player, updated_at) VALUES ('p', now()); SELECT ensure_results_partition('2026-11-05'); INSERT INTO results (mode, date, player, stored) VALUES ('m', '2026-11-05', 'p', 1)`,
		"tables of migration 999":           `INSERT INTO schema_migrations (version_id, is_applied) VALUES (999, true)`,
		"another form":                      `ALTER TABLE profiles ADD COLUMN nick text`,
		"another backup is being restored":  `CREATE TABLE lbctl_restore (backup text, done int, loaded boolean, redis text); INSERT INTO lbctl_restore VALUES ('other', 3, false, '')`,
		"3 tables of another program":       `DROP SCHEMA public CASCADE; CREATE SCHEMA public; CREATE TABLE a (x int); CREATE TABLE b (x int); CREATE TABLE c (x int)`,
	} {
		into := archivetest.Database(t)
		run(t, into, prepare)
		var before map[string]string
		if !strings.HasPrefix(says, "3 ") {
			before = contents(t, into)
		}
		_, err := f.Into(t.Context(), into, archive.SchemaVersion)
		require.ErrorContains(t, err, says)
		require.ErrorIs(t, err, backup.ErrRefused)
		if before != nil {
			require.Equal(t, before, contents(t, into))
		}
	}
	_, err := f.Into(t.Context(), archivetest.Database(t), archive.SchemaVersion-1)
	require.ErrorContains(t, err, "use lbctl v1, or a later one")
}

// A database without tables gets those of the backup's migration.
func TestADatabaseWithoutTablesGetsThemFirst(t *testing.T) {
	from := full(t, 100)
	f := open(t, write(t, from))
	into := archivetest.Database(t)
	run(t, into, `DROP SCHEMA public CASCADE; CREATE SCHEMA public`)
	target, err := f.Into(t.Context(), into, archive.SchemaVersion)
	require.NoError(t, err)
	defer target.Close(t.Context())
	require.Zero(t, target.Schema())
	_, err = migrations.UpTo(t.Context(), into, f.Manifest.Schema)
	require.NoError(t, err)
	require.NoError(t, target.Load(t.Context(), nil))
	require.NoError(t, target.Done(t.Context()))
	want := contents(t, from)
	delete(want, "made_later")
	delete(want, "made_later_id_seq")
	require.Equal(t, want, contents(t, into))
}

func TestABackupThatFailsLeavesNoFile(t *testing.T) {
	from := full(t, 8_000)
	address, err := url.Parse(from)
	require.NoError(t, err)
	cutter := testkit.NewCutter(t, address.Host)
	address.Host = cutter.Addr
	path := filepath.Join(t.TempDir(), "a")
	for _, pieces := range []int{1, 8, 30} {
		require.Eventually(t, func() bool { // the server may not have noticed yet that the connection before is gone
			cutter.After(pieces)
			_, err := backup.Write(t.Context(), backup.Options{Database: address.String(), Path: path})
			require.Error(t, err)
			return cutter.Mend()
		}, time.Minute, 10*time.Millisecond)
		left, err := filepath.Glob(path + "*")
		require.NoError(t, err)
		require.Empty(t, left)
	}
	require.NoError(t, os.WriteFile(path+".partial", []byte("of a run that was killed"), 0o644))
	require.Eventually(t, func() bool {
		_, err = backup.Write(t.Context(), backup.Options{Database: address.String(), Path: path})
		return err == nil
	}, time.Minute, 10*time.Millisecond)
	_, err = backup.Write(t.Context(), backup.Options{Database: from, Path: path})
	require.ErrorContains(t, err, "exists: use another name")
	info, err := os.Stat(path)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode().Perm())
}

func TestWhatCannotBeBackedUpSaysWhy(t *testing.T) {
	empty := archivetest.Database(t)
	run(t, empty, `DROP SCHEMA public CASCADE; CREATE SCHEMA public`)
	begun := full(t, 10)
	run(t, begun, `CREATE TABLE lbctl_restore (backup text)`)
	busy := full(t, 10)
	conn, err := pgx.Connect(t.Context(), busy)
	require.NoError(t, err)
	defer func() { _ = conn.Close(context.Background()) }()
	_, err = conn.Exec(t.Context(), `SELECT pg_advisory_lock(hashtext('lbctl backup'))`)
	require.NoError(t, err)
	for database, says := range map[string]string{empty: "run lbctl migrate", begun: "finish it with lbctl restore", busy: "another backup of this database"} {
		path := filepath.Join(t.TempDir(), "a")
		_, err := backup.Write(t.Context(), backup.Options{Database: database, Path: path})
		require.ErrorContains(t, err, says)
		left, err := filepath.Glob(path + "*")
		require.NoError(t, err)
		require.Empty(t, left)
	}
}
