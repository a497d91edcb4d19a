package backup

import (
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
)

// Target is an empty database that a backup is brought into, or one that an earlier run has
// begun to bring it into.
type Target struct {
	file *File
	conn *pgx.Conn
	note note
	has  int64 // migration; 0: none yet
	// LeftOut are tables of the backup that no migration makes, so they are another program's.
	// They are not restored. Load sets it.
	LeftOut []string
}

// note is how far the restore of a database has come. It is a row in a table that is dropped with the
// restore.
type note struct {
	Backup string // digest of the file
	Done   int    // parts
	Loaded bool   // all is in, and was counted
	Redis  string // the Redis that is being restored from it; empty: none yet
}

// Into checks that a file can be brought into a database: newest is the newest migration that
// this program knows. Nothing is changed. Errors: [ErrRefused].
func (f *File) Into(ctx context.Context, database string, newest int64) (t *Target, err error) {
	if f.Manifest.Schema > newest {
		return nil, refuse("the backup has schema %d, and this lbctl supports %d: use lbctl %s, or a later one", f.Manifest.Schema, newest, f.Manifest.Version)
	}
	conn, err := connect(ctx, database)
	if err != nil {
		return nil, err
	}
	t = &Target{file: f, conn: conn}
	if err := t.inTransaction(ctx, t.look); err != nil {
		t.Close(ctx)
		return nil, err
	}
	return t, nil
}

// Close closes the connection.
func (t *Target) Close(ctx context.Context) { _ = t.conn.Close(context.WithoutCancel(ctx)) }

// Schema is the migration that the database has; 0: none. If it is less than the backup's, the
// database needs the migrations up to that before Load.
func (t *Target) Schema() int64 { return t.has }

// Redis is the Redis whose restore has begun; empty: none.
func (t *Target) Redis() string { return t.note.Redis }

func (t *Target) inTransaction(ctx context.Context, do func(context.Context, pgx.Tx) error) error {
	return pgx.BeginFunc(ctx, t.conn, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, settle); err != nil {
			return err
		}
		return do(ctx, tx)
	})
}

// alone keeps another run from beginning while one looks or begins.
const alone = `SELECT pg_advisory_xact_lock(hashtext('lbctl restore'))`

// look reads the note of an earlier run, or checks that the database is empty.
func (t *Target) look(ctx context.Context, tx pgx.Tx) (err error) {
	if _, err := tx.Exec(ctx, alone); err != nil {
		return err
	}
	if err := kind(ctx, tx); err != nil {
		return err
	}
	var standby bool
	if err := tx.QueryRow(ctx, `SELECT pg_is_in_recovery()`).Scan(&standby); err != nil {
		return err
	}
	if standby {
		return refuse("the database is a standby, which nothing can be written to: use the address of the primary")
	}
	if t.has, err = schema(ctx, tx); err != nil {
		return err
	}
	begun, err := t.readNote(ctx, tx)
	if err != nil {
		return err
	}
	if begun {
		if t.note.Backup != t.file.sum {
			return refuse("another backup is being restored into this database: continue with that file, or create a new database")
		}
		return nil
	}
	migrated, err := exists(ctx, tx, versionTable)
	if err != nil {
		return err
	}
	if !migrated {
		return t.bare(ctx, tx)
	}
	if t.has > t.file.Manifest.Schema {
		return refuse("the database has tables of migration %d, and the backup is of migration %d: use an empty database without tables, and the restore makes those that it needs", t.has, t.file.Manifest.Schema)
	}
	return t.empty(ctx, tx)
}

func (t *Target) readNote(ctx context.Context, tx pgx.Tx) (begun bool, err error) {
	begun, err = exists(ctx, tx, noteTable)
	if err != nil || !begun {
		return begun, err
	}
	return true, tx.QueryRow(ctx, `SELECT backup, done, loaded, redis FROM `+noteTable+` FOR UPDATE`).
		Scan(&t.note.Backup, &t.note.Done, &t.note.Loaded, &t.note.Redis)
}

// bare refuses a database without migrations that has tables: it is another program's.
func (t *Target) bare(ctx context.Context, tx pgx.Tx) error {
	var n int
	err := tx.QueryRow(ctx, `
SELECT count(*) FROM pg_class c WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p')
AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')`).Scan(&n)
	if err == nil && n > 0 {
		err = refuse("the database has %d tables of another program: use an empty one", n)
	}
	return err
}

// empty refuses a database with rows, or with other tables than the backup.
func (t *Target) empty(ctx context.Context, tx pgx.Tx) error {
	has, err := tables(ctx, tx)
	if err != nil {
		return err
	}
	var full, other []string
	for _, table := range has {
		if slices.Contains(seeded, table.Name) {
			continue
		}
		var rows bool
		if err := tx.QueryRow(ctx, `SELECT EXISTS (SELECT FROM `+quoted(table.Name)+`)`).Scan(&rows); err != nil {
			return err
		}
		if rows {
			full = append(full, table.Name)
		}
	}
	if len(full) > 0 {
		return refuse("the database is not empty, it has rows in %s: use an empty one", some(full))
	}
	if t.has < t.file.Manifest.Schema {
		return nil // the tables are not complete yet
	}
	for _, table := range t.file.Manifest.Tables {
		same := func(h Table) bool {
			return h.Name == table.Name && slices.Equal(h.Columns, table.Columns) && h.Parent == table.Parent && h.Bound == table.Bound
		}
		if slices.Contains(namesOf(has), table.Name) && !slices.ContainsFunc(has, same) {
			other = append(other, table.Name)
		}
	}
	if len(other) > 0 {
		return refuse("tables of the database have another form than those of the backup, as %s: use an empty database without tables", some(other))
	}
	return nil
}

// some names the first of a list.
func some(names []string) string {
	if len(names) > 5 {
		return strings.Join(names[:5], ", ") + fmt.Sprintf(" and %d more", len(names)-5)
	}
	return strings.Join(names, ", ")
}

// ErrOther is returned if another run restores into the same database.
var ErrOther = errors.New("another restore into this database is running; run this again when it has finished")

// Load brings all rows into the database, part by part. Each part is noted with its rows, so a
// run that was cut off is continued by the next. In the end it counts the rows of each table.
func (t *Target) Load(ctx context.Context, seen func(Progress)) error {
	if t.note.Loaded {
		return nil
	}
	if t.note.Backup == "" {
		if err := t.inTransaction(ctx, t.begin); err != nil {
			return fmt.Errorf("begin to restore: %w", err)
		}
	}
	if err := t.inTransaction(ctx, t.leaveOut); err != nil {
		return err
	}
	at := Progress{All: t.file.Rows()}
	for i, p := range t.file.parts {
		if i >= t.note.Done {
			if err := t.inTransaction(ctx, func(ctx context.Context, tx pgx.Tx) error { return t.load(ctx, tx, i, p) }); err != nil {
				return fmt.Errorf("load %s: %w", p.Table, err)
			}
			t.note.Done = i + 1
		}
		if at.Rows, at.Doing = at.Rows+p.Rows, p.Table; seen != nil {
			seen(at)
		}
	}
	if err := t.inTransaction(ctx, t.finish); err != nil {
		return fmt.Errorf("count the rows: %w", err)
	}
	t.note.Loaded = true
	return nil
}

// begin makes the note and the partitions, and removes the rows that migrations have put in.
func (t *Target) begin(ctx context.Context, tx pgx.Tx) error {
	if _, err := tx.Exec(ctx, alone); err != nil {
		return err
	}
	var err error
	if t.has, err = schema(ctx, tx); err != nil {
		return err
	}
	if t.has != t.file.Manifest.Schema {
		return fmt.Errorf("the database has tables of migration %d, and the backup is of migration %d", t.has, t.file.Manifest.Schema)
	}
	if _, err := tx.Exec(ctx, `CREATE TABLE `+noteTable+` (backup text NOT NULL, done int NOT NULL, loaded boolean NOT NULL, redis text NOT NULL)`); err != nil {
		if said(err) == "42P07" || said(err) == "23505" {
			return ErrOther
		}
		return err
	}
	if err := t.empty(ctx, tx); err != nil {
		return err
	}
	there, err := existing(ctx, tx, seeded)
	if err != nil {
		return err
	}
	for _, name := range there {
		if _, err := tx.Exec(ctx, `DELETE FROM `+quoted(name)); err != nil {
			return err
		}
	}
	for _, p := range t.file.Manifest.Tables {
		if p.Parent == "" {
			continue
		}
		if there, err := exists(ctx, tx, p.Parent); err != nil {
			return err
		} else if !there {
			continue
		}
		if _, err := tx.Exec(ctx, fmt.Sprintf(`CREATE TABLE IF NOT EXISTS %s PARTITION OF %s %s`, quoted(p.Name), quoted(p.Parent), p.Bound)); err != nil {
			return err
		}
	}
	t.note.Backup = t.file.sum
	_, err = tx.Exec(ctx, `INSERT INTO `+noteTable+` VALUES ($1, 0, false, '')`, t.note.Backup)
	return err
}

func (t *Target) leaveOut(ctx context.Context, tx pgx.Tx) error {
	names := namesOf(t.file.Manifest.Tables)
	there, err := existing(ctx, tx, names)
	t.LeftOut = slices.DeleteFunc(names, func(name string) bool { return slices.Contains(there, name) })
	return err
}

// load loads one part.
func (t *Target) load(ctx context.Context, tx pgx.Tx, i int, p Part) error {
	tag, err := tx.Exec(ctx, `UPDATE `+noteTable+` SET done = $1 WHERE done = $2 AND backup = $3`, i+1, i, t.note.Backup)
	if err != nil {
		return err
	}
	if tag.RowsAffected() != 1 {
		return ErrOther
	}
	if slices.Contains(t.LeftOut, p.Table) {
		return nil
	}
	table := t.file.Manifest.Tables[slices.Index(namesOf(t.file.Manifest.Tables), p.Table)]
	sum := sha256.New()
	packed := io.TeeReader(io.NewSectionReader(t.file.file, p.offset, p.size), sum)
	rows, err := gzip.NewReader(packed)
	if err != nil {
		return err
	}
	loaded, err := tx.Conn().PgConn().CopyFrom(ctx, rows, "COPY "+table.columns()+" FROM STDIN")
	if err != nil {
		return err
	}
	if _, err := io.Copy(io.Discard, packed); err != nil {
		return err
	}
	if loaded.RowsAffected() != p.Rows || hex.EncodeToString(sum.Sum(nil)) != p.SHA256 {
		return errors.New("the file has changed since it was checked; run this again")
	}
	return nil
}

// finish counts what is in, and sets the sequences.
func (t *Target) finish(ctx context.Context, tx pgx.Tx) error {
	want := map[string]int64{}
	for _, p := range t.file.parts {
		want[p.Table] += p.Rows
	}
	var wrong []string
	for _, table := range t.file.Manifest.Tables {
		if slices.Contains(t.LeftOut, table.Name) {
			continue
		}
		var has int64
		if err := tx.QueryRow(ctx, `SELECT count(*) FROM `+quoted(table.Name)).Scan(&has); err != nil {
			return err
		}
		if has != want[table.Name] {
			wrong = append(wrong, fmt.Sprintf("%s has %d rows, the backup %d", table.Name, has, want[table.Name]))
		}
	}
	if len(wrong) > 0 {
		return fmt.Errorf("something else writes to this database: %s; stop it, and begin with an empty database", some(wrong))
	}
	for _, s := range t.file.seqs {
		if there, err := exists(ctx, tx, s.Name); err != nil {
			return err
		} else if !there {
			continue
		}
		if _, err := tx.Exec(ctx, `SELECT setval($1::regclass, $2, $3)`, quoted(s.Name), s.Last, s.Called); err != nil {
			return err
		}
	}
	_, err := tx.Exec(ctx, `UPDATE `+noteTable+` SET loaded = true`)
	return err
}

// BeginRedis notes which Redis is restored from the database.
func (t *Target) BeginRedis(ctx context.Context, name string) error {
	t.note.Redis = name
	_, err := t.conn.Exec(ctx, `UPDATE `+noteTable+` SET redis = $1`, name)
	return err
}

// Done removes the note: the restore is complete.
func (t *Target) Done(ctx context.Context) error {
	_, err := t.conn.Exec(ctx, `DROP TABLE IF EXISTS `+noteTable)
	return err
}
