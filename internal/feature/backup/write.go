package backup

import (
	"archive/tar"
	"bufio"
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
	"path/filepath"

	"github.com/jackc/pgx/v5"
)

// partBytes is about how much of a table is in one part, before it is compressed: it bounds the
// memory of a backup, and what a restore that is cut off has to load again.
const partBytes = 8 << 20

// partialSuffix is behind the name of a file that is being written.
const partialSuffix = ".partial"

// Options are what a backup is written with.
type Options struct {
	Database string   // the address
	Path     string   // of the file, which must not exist
	Manifest Manifest // Version, Game, Rules, MadeAt and Saved
	Part     int      // about how many bytes of a table are in one part; 0: 8 MiB
	Seen     func(Progress)
}

// Report is what a backup has.
type Report struct {
	File   string `json:"file"`
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"` // of the whole file
	Tables int    `json:"tables"`
	Rows   int64  `json:"rows"`
	Parts  int    `json:"parts"`
}

// ErrBusy is returned while another backup of the database is being written.
var ErrBusy = errors.New("another backup of this database is being written; run this again when it has finished")

// Write copies all tables into a file, as of one moment, and then reads the file and checks it.
// Until it is whole its name ends in .partial. A run that fails removes that file, and one that
// was killed leaves it to be replaced.
func Write(ctx context.Context, o Options) (report Report, err error) {
	if _, err := os.Lstat(o.Path); err == nil {
		return report, fmt.Errorf("%s exists: use another name, or remove it", o.Path)
	}
	conn, err := connect(ctx, o.Database)
	if err != nil {
		return report, err
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	tx, err := conn.BeginTx(ctx, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly})
	if err != nil {
		return report, err
	}
	defer func() { _ = tx.Rollback(context.WithoutCancel(ctx)) }()
	if _, err := tx.Exec(ctx, settle); err != nil {
		return report, err
	}
	m, err := describe(ctx, tx, o.Manifest)
	if err != nil {
		return report, err
	}
	partial := o.Path + partialSuffix
	file, err := os.OpenFile(partial, os.O_CREATE|os.O_TRUNC|os.O_RDWR, 0o600)
	if err != nil {
		return report, err
	}
	defer func() {
		_ = file.Close()
		if err != nil {
			_ = os.Remove(partial)
		}
	}()
	if err := file.Chmod(0o600); err != nil { // it may have been there
		return report, err
	}
	w := newWriter(file, cmp.Or(o.Part, partBytes), o.Seen)
	if err := w.run(ctx, tx, m); err != nil {
		return report, err
	}
	if err := file.Sync(); err != nil {
		return report, err
	}
	read, err := Open(partial)
	if err != nil {
		return report, fmt.Errorf("the file that was written: %w", err)
	}
	defer func() { _ = read.Close() }()
	if err := os.Rename(partial, o.Path); err != nil {
		return report, err
	}
	report = read.Report()
	report.File = o.Path
	return report, syncFolder(filepath.Dir(o.Path))
}

// syncFolder makes a new name in a folder outlive a loss of power.
func syncFolder(path string) error {
	folder, err := os.Open(path)
	if err != nil {
		return err
	}
	_ = folder.Sync() // not every file system can
	return folder.Close()
}

// describe completes the manifest from the catalogue.
func describe(ctx context.Context, tx pgx.Tx, m Manifest) (_ Manifest, err error) {
	m.Format, m.Product = format, product
	if err := kind(ctx, tx); err != nil {
		return m, err
	}
	if m.Schema, err = schema(ctx, tx); err != nil {
		return m, err
	}
	if m.Schema == 0 {
		return m, errors.New("the database has no tables: run lbctl migrate, or use the address of the deployment's database")
	}
	if half, err := exists(ctx, tx, noteTable); err != nil || half {
		return m, errors.Join(err, errors.New("a restore into this database is not finished: finish it with lbctl restore --from first"))
	}
	var first bool
	if err := tx.QueryRow(ctx, `SELECT pg_try_advisory_xact_lock(hashtext('lbctl backup'))`).Scan(&first); err != nil || !first {
		return m, errors.Join(err, ErrBusy)
	}
	m.Tables, err = tables(ctx, tx)
	return m, err
}

// writer writes a backup.
type writer struct {
	to    *bufio.Writer
	sum   hash.Hash // of what was written
	tar   *tar.Writer
	index index
	at    Progress
	seen  func(Progress)
	table string

	part bytes.Buffer // compressed
	zip  *gzip.Writer
	most int   // bytes of a part
	raw  int   // bytes in the part, not compressed
	rows int64 // in the part
	rest []byte
}

func newWriter(file io.Writer, most int, seen func(Progress)) *writer {
	w := &writer{to: bufio.NewWriterSize(file, 1<<20), sum: sha256.New(), most: most, seen: seen}
	w.tar = tar.NewWriter(io.MultiWriter(w.to, w.sum))
	w.zip, _ = gzip.NewWriterLevel(&w.part, gzip.BestSpeed) // can only fail for other levels
	return w
}

func (w *writer) run(ctx context.Context, tx pgx.Tx, m Manifest) error {
	if err := writeJSON(w.tar, manifestName, m); err != nil {
		return err
	}
	for _, t := range m.Tables {
		w.at.All += t.rows
	}
	for _, t := range m.Tables {
		w.table = t.Name
		if _, err := tx.Conn().PgConn().CopyTo(ctx, w, "COPY "+t.columns()+" TO STDOUT"); err != nil {
			return fmt.Errorf("copy %s: %w", t.Name, err)
		}
		if err := w.cut(); err != nil {
			return fmt.Errorf("copy %s: %w", t.Name, err)
		}
		if len(w.rest) > 0 {
			return fmt.Errorf("copy %s: its last row has no end", t.Name)
		}
	}
	var err error
	if w.index.Sequences, err = sequences(ctx, tx); err != nil {
		return err
	}
	if err := errors.Join(writeJSON(w.tar, indexName, w.index), w.tar.Flush()); err != nil {
		return err
	}
	end := ending{hex.EncodeToString(w.sum.Sum(nil))}
	return errors.Join(writeJSON(w.tar, endName, end), w.tar.Close(), w.to.Flush())
}

// Write takes rows as COPY writes them. A row ends with a line's end, and has none within.
func (w *writer) Write(rows []byte) (int, error) {
	whole := bytes.LastIndexByte(rows, '\n') + 1
	if whole == 0 {
		w.rest = append(w.rest, rows...)
		return len(rows), nil
	}
	for _, some := range [][]byte{w.rest, rows[:whole]} {
		if _, err := w.zip.Write(some); err != nil {
			return 0, err
		}
		w.raw += len(some)
	}
	w.rows += int64(bytes.Count(rows[:whole], []byte{'\n'}))
	w.rest = append(w.rest[:0], rows[whole:]...)
	if w.raw < w.most {
		return len(rows), nil
	}
	return len(rows), w.cut()
}

// cut ends a part, unless it has no rows.
func (w *writer) cut() error {
	if w.rows == 0 {
		return nil
	}
	if err := w.zip.Close(); err != nil {
		return err
	}
	sum := sha256.Sum256(w.part.Bytes())
	part := Part{
		Name: fmt.Sprintf("rows/%06d.copy.gz", len(w.index.Parts)+1), Table: w.table, Rows: w.rows, SHA256: hex.EncodeToString(sum[:]),
	}
	if err := writeFile(w.tar, part.Name, w.part.Bytes()); err != nil {
		return err
	}
	w.index.Parts = append(w.index.Parts, part)
	w.at.Rows += w.rows
	w.at.All, w.at.Doing = max(w.at.All, w.at.Rows), w.table
	if w.seen != nil {
		w.seen(w.at)
	}
	w.part.Reset()
	w.zip.Reset(&w.part)
	w.raw, w.rows = 0, 0
	return nil
}

func writeJSON(to *tar.Writer, name string, v any) error {
	text, err := json.MarshalIndent(v, "", " ")
	if err != nil {
		return err
	}
	return writeFile(to, name, text)
}

func writeFile(to *tar.Writer, name string, text []byte) error {
	if err := to.WriteHeader(&tar.Header{Name: name, Mode: 0o600, Size: int64(len(text)), Format: tar.FormatUSTAR}); err != nil {
		return err
	}
	_, err := to.Write(text)
	return err
}
