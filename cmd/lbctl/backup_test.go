package main

import (
	"encoding/json"
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
	"github.com/framedle/leaderboards/internal/platform/tcpredis"
	"github.com/framedle/leaderboards/migrations"
	"github.com/framedle/leaderboards/upstash"
)

// backedUp is a product that has played a day, and a backup of it.
func backedUp(t *testing.T) (d *drillProduct, file string) {
	d = startDrill(t, testkit.RealRedis(t), archivetest.Database(t), drillBegin)
	d.day(0, true)
	file = filepath.Join(t.TempDir(), "day.lbbackup")
	status, out := d.lbctl("backup", "--to", file)
	require.Equal(t, statusGood, status, out.stderr.String())
	return d, file
}

// inRedis sends a command to a Redis.
func inRedis(t *testing.T, address string, words ...string) upstash.Reply {
	t.Helper()
	client, err := tcpredis.Open(t.Context(), address, upstash.Config{Timeout: time.Minute})
	require.NoError(t, err)
	reply, err := client.Do(t.Context(), upstash.Cmd(words...))
	require.NoError(t, err)
	return reply
}

func keysOf(t *testing.T, address string) int64 {
	n, err := inRedis(t, address, "DBSIZE").Int64()
	require.NoError(t, err)
	return n
}

// What does not fit is refused, and both stores stay as they are.
func TestABackupThatDoesNotFitIsRefusedBeforeAnythingChanges(t *testing.T) {
	d, file := backedUp(t)
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	with := func(text []byte) string {
		path := filepath.Join(t.TempDir(), "other.lbbackup")
		require.NoError(t, os.WriteFile(path, text, 0o600))
		return path
	}
	changed := append([]byte(nil), text...)
	changed[len(changed)/2] ^= 1
	renamed := filepath.Join(t.TempDir(), "renamed.yaml")
	require.NoError(t, os.WriteFile(renamed, []byte(strings.Replace(drillGame, "name: drilled", "name: another", 1)), 0o600))
	turned := filepath.Join(t.TempDir(), "turned.yaml")
	require.NoError(t, os.WriteFile(turned, []byte(strings.Replace(drillGame, "order: asc, ", "", 1)), 0o600))
	for name, of := range map[string]struct {
		file, game string
		prepare    func(redis, database string)
		more       []string
		says       []string
	}{
		"a file that is cut off": {file: with(text[:len(text)*2/3]), says: []string{"the backup is incomplete"}},
		"a byte is changed":      {file: with(changed), says: []string{"changed or damaged"}},
		"another file":           {file: d.file, says: []string{"it is not a backup"}},
		"another game":           {file: file, game: renamed, says: []string{"the backup is of the game drilled, and this is another"}},
		"other rules":            {file: file, game: turned, says: []string{"modes.fastest.order"}},
		"Redis has keys":         {file: file, prepare: func(redis, _ string) { inRedis(t, redis, "SET", "x", "1") }, says: []string{"Redis is not empty, it has 1 keys"}},
		"Postgres has rows, Redis has keys, another game": {file: file, game: renamed, prepare: func(redis, database string) {
			inRedis(t, redis, "SET", "x", "1")
			runSQL(t, database, `INSERT INTO profiles (player, updated_at) VALUES ('p', now())`)
		}, says: []string{"this is another", "the database is not empty, it has rows in profiles", "Redis is not empty"}},
		"force":                {file: file, more: []string{"--force"}, says: []string{"does not apply to a backup"}},
		"other flags":          {file: file, more: []string{"--modes", "daily"}, says: []string{"do not apply to a backup"}},
		"a Redis that is away": {file: file, prepare: func(redis, _ string) {}, more: nil, says: []string{"connection refused"}},
	} {
		t.Run(name, func(t *testing.T) {
			redis, database := testkit.RealRedis(t), archivetest.Database(t)
			if of.prepare != nil {
				of.prepare(redis, database)
			}
			rows, keys := rowCounts(t, database), keysOf(t, redis)
			env := drillEnv(redis, database)
			if strings.HasSuffix(name, "away") {
				env["REDIS_URL"] = "redis://127.0.0.1:1"
			}
			gameFile := d.file
			if of.game != "" {
				gameFile = of.game
			}
			status, out := lbctl(t, env, append([]string{"restore", "--from", of.file, "--game", gameFile, "--now", d.now.Format(time.RFC3339)}, of.more...)...)
			require.Equal(t, statusFailed, status, out.stderr.String())
			for _, says := range of.says {
				require.Contains(t, out.stderr.String(), says)
			}
			if len(of.more) == 0 {
				require.Contains(t, out.stderr.String(), "nothing was changed")
			}
			require.Empty(t, out.stdout.String())
			require.Equal(t, rows, rowCounts(t, database))
			require.Equal(t, keys, keysOf(t, redis))
		})
	}
}

// A dry run checks everything and changes nothing.
func TestADryRunOfABackupChangesNothing(t *testing.T) {
	d, file := backedUp(t)
	redis, database := testkit.RealRedis(t), archivetest.Database(t)
	rows := rowCounts(t, database)
	status, out := lbctl(t, drillEnv(redis, database), "restore", "--from", file, "--dry-run", "--game", d.file)
	require.Equal(t, statusGood, status, out.stderr.String())
	require.Contains(t, out.stdout.String(), `"dry_run": true`)
	require.Equal(t, rows, rowCounts(t, database))
	require.Zero(t, keysOf(t, redis))
	status, out = lbctl(t, nil, "backup", "--check", file)
	require.Equal(t, statusGood, status, out.stderr.String())
	var checked struct {
		Game string
		Rows int64
	}
	require.NoError(t, json.Unmarshal(out.stdout.Bytes(), &checked))
	require.Equal(t, "drilled", checked.Game)
	require.Positive(t, checked.Rows)
}

// The connections to Postgres or to Redis are cut anywhere during a restore, and the same command
// is run again until it is done: both stores are as they were.
func TestARestoreThatIsCutIsContinuedByTheSameCommand(t *testing.T) {
	d, file := backedUp(t)
	rows, before := rowCounts(t, d.Database), d.answers()
	for name, step := range map[string]int{"Postgres": 61, "Redis": 37} {
		t.Run(name, func(t *testing.T) {
			redis, database := testkit.RealRedis(t), bare(t, d.Database)
			address, err := url.Parse(map[string]string{"Postgres": database, "Redis": redis}[name])
			require.NoError(t, err)
			cutter := testkit.NewCutter(t, address.Host)
			address.Host = cutter.Addr
			env := drillEnv(redis, database)
			env[map[string]string{"Postgres": "DATABASE_URL", "Redis": "REDIS_URL"}[name]] = address.String()
			args := []string{"restore", "--from", file, "--game", d.file, "--now", d.now.Format(time.RFC3339)}
			cuts := 0
			for pieces := step; ; pieces += step {
				cutter.After(pieces)
				status, out := lbctl(t, env, args...)
				if !cutter.Mend() {
					require.Equal(t, statusGood, status, out.stderr.String())
					break
				}
				if status == statusGood {
					break // the cut was after the end
				}
				cuts++
				require.Less(t, cuts, 40, out.stderr.String())
			}
			require.Greater(t, cuts, 3)
			got := rowCounts(t, database)
			require.Positive(t, got["audit"])
			delete(got, "audit")
			delete(rows, "audit")
			require.Equal(t, rows, got)
			again := startDrill(t, redis, database, d.now)
			require.Equal(t, before, again.answers())
			status, out := again.lbctl("verify")
			require.Equal(t, statusGood, status, out.stdout.String())
		})
	}
}

// A backup of an earlier version is loaded into the tables of that version, which are then brought
// up to date.
func TestABackupOfAnEarlierVersionIsMigratedAfterItIsLoaded(t *testing.T) {
	beside := archivetest.Database(t)
	old, into, redis := bare(t, beside), bare(t, beside), testkit.RealRedis(t)
	_, err := migrations.UpTo(t.Context(), old, archive.SchemaVersion-2)
	require.NoError(t, err)
	runSQL(t, old, `INSERT INTO claims (device, player, claimed_at) VALUES ('d', 'p', now()); INSERT INTO profiles (player, name, updated_at) VALUES ('user_a', 'Ana', now())`)
	file, rules := filepath.Join(t.TempDir(), "old.lbbackup"), drillFile(t)
	status, out := lbctl(t, drillEnv(redis, old), "backup", "--to", file, "--no-save", "--game", rules)
	require.Equal(t, statusGood, status, out.stderr.String())
	status, out = lbctl(t, drillEnv(redis, into), "restore", "--from", file, "--game", rules)
	require.Equal(t, statusGood, status, out.stderr.String())
	got := rowCounts(t, into)
	require.EqualValues(t, 1, got["claims"])
	require.EqualValues(t, 1, got["profiles"])
	all, err := migrations.Status(t.Context(), into)
	require.NoError(t, err)
	for _, m := range all {
		require.False(t, m.AppliedAt.IsZero(), m.Name)
	}
	name, err := inRedis(t, redis, "HGET", "profiles", "user_a").Text()
	require.NoError(t, err)
	require.Contains(t, name, "Ana")
}

func TestOldBackupsAreDeletedFromTheirFolderAlone(t *testing.T) {
	d, _ := backedUp(t)
	folder := t.TempDir()
	others := []string{"notes.txt", "another-20261101T000000Z.lbbackup", "drilled-20261101T000000Z.lbbackup.old", "drilled-latest.lbbackup", "drilled-20261104T000000Z.lbbackup.partial"}
	for _, name := range append(others, "drilled-20261101T000000Z.lbbackup", "drilled-20261102T000000Z.lbbackup", "drilled-20261103T000000Z.lbbackup.partial") {
		require.NoError(t, os.WriteFile(filepath.Join(folder, name), nil, 0o600))
	}
	killed := time.Now().Add(-2 * time.Hour)
	require.NoError(t, os.Chtimes(filepath.Join(folder, "drilled-20261103T000000Z.lbbackup.partial"), killed, killed)) // the other is being written
	require.NoError(t, os.Mkdir(filepath.Join(folder, "drilled-20261001T000000Z.lbbackup"), 0o700))
	status, out := d.lbctl("backup", "--to", folder, "--keep", "2", "--no-save")
	require.Equal(t, statusGood, status, out.stderr.String())
	entries, err := os.ReadDir(folder)
	require.NoError(t, err)
	var left []string
	for _, e := range entries {
		left = append(left, e.Name())
	}
	require.ElementsMatch(t, append(others, "drilled-20261001T000000Z.lbbackup", "drilled-20261102T000000Z.lbbackup", backupName("drilled", d.now)), left)
}

// A restore that was cut off is not continued in another database of the same server.
func TestDatabasesOfOneServerAreToldApart(t *testing.T) {
	for address, want := range map[string]string{
		"redis://user:secret@h:6379": "h:6379", "redis://h:6379/": "h:6379", "redis://h:6379/0": "h:6379", "redis://h:6379/1": "h:6379/1",
		"https://name.upstash.io/": "name.upstash.io", "": "",
	} {
		require.Equal(t, want, deployed.host(console{getenv: func(name string) string { return map[string]string{"REDIS_URL": address}[name] }}), address)
	}
}

func TestABackupThatIsNotPossibleSaysWhy(t *testing.T) {
	d, file := backedUp(t)
	folder := t.TempDir()
	for name, of := range map[string]struct {
		args []string
		env  map[string]string
		says []string
	}{
		"nowhere":     {[]string{}, nil, []string{"use --to with a file or a folder"}},
		"no folder":   {[]string{"--to", filepath.Join(folder, "a"), "--keep", "3"}, nil, []string{"--keep requires --to with a folder"}},
		"all at once": {[]string{"--to", file, "--check", file, "--keep", "-1", "--no-save", "--force"}, nil, []string{"use --to", "--keep -1", "--check takes no other flags", "--force does not apply"}},
		"exists":      {[]string{"--to", file}, nil, []string{"exists: use another name"}},
		"no database": {[]string{"--to", folder}, map[string]string{"REDIS_URL": d.redis}, []string{"Without Postgres Redis has the only copy"}},
		"no Redis":    {[]string{"--to", folder}, map[string]string{"DATABASE_URL": d.Database}, []string{"no Redis: set"}},
		"no game":     {[]string{"--to", folder, "--game", "none.yaml"}, nil, []string{"none.yaml"}},
	} {
		t.Run(name, func(t *testing.T) {
			env := of.env
			if env == nil {
				env = drillEnv(d.redis, d.Database)
			}
			args := append([]string{"backup"}, of.args...)
			if name != "no game" {
				args = append(args, "--game", d.file)
			}
			status, out := lbctl(t, env, args...)
			require.Equal(t, statusFailed, status)
			for _, says := range of.says {
				require.Contains(t, out.stderr.String(), says)
			}
		})
	}
	status, out := lbctl(t, drillEnv(d.redis, d.Database), "maintenance", "on", "--game", d.file, "--for", "10m", "--reason", "a move")
	require.Equal(t, statusGood, status, out.stderr.String())
	status, out = d.lbctl("backup", "--to", folder)
	require.Equal(t, statusFailed, status)
	require.Contains(t, out.stderr.String(), "--force")
	inRedis(t, d.redis, "FLUSHALL")
	d.play("daily", "user_late", 5, "")
	status, out = d.lbctl("backup", "--to", folder)
	require.Equal(t, statusFailed, status)
	require.Contains(t, out.stderr.String(), "no backup was written; --no-save writes one of what Postgres has")
	entries, err := os.ReadDir(folder)
	require.NoError(t, err)
	require.Empty(t, entries)
	status, out = d.lbctl("backup", "--to", folder, "--no-save")
	require.Equal(t, statusGood, status, out.stderr.String())
}

func runSQL(t *testing.T, database, statements string) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), database)
	require.NoError(t, err)
	_, err = conn.Exec(t.Context(), statements)
	require.NoError(t, err)
	require.NoError(t, conn.Close(t.Context()))
}
