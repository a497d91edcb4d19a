package backup

import (
	"archive/tar"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
)

// block is what sizes in a tar archive are multiples of.
const block = 512

// mostJSON bounds the two files that are not rows.
const mostJSON = 64 << 20

// File is a backup that was read and is whole.
type File struct {
	Manifest Manifest
	parts    []Part
	seqs     []Sequence
	file     *os.File
	size     int64
	sum      string // of the whole file
}

// Close closes the file.
func (f *File) Close() error { return f.file.Close() }

// Rows is the number of rows of all tables.
func (f *File) Rows() (n int64) {
	for _, p := range f.parts {
		n += p.Rows
	}
	return n
}

// Report describes the file.
func (f *File) Report() Report {
	return Report{File: f.file.Name(), Bytes: f.size, SHA256: f.sum, Tables: len(f.Manifest.Tables), Rows: f.Rows(), Parts: len(f.parts)}
}

// Open opens a backup and checks all of it: that it has its end, and every digest. Errors:
// [ErrRefused].
func Open(path string) (*File, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	f := &File{file: file}
	if err := f.read(); err != nil {
		_ = file.Close()
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return f, nil
}

// errCut is returned for a file that lacks its end.
var errCut = errors.New("the file is cut off")

func (f *File) read() error {
	info, err := f.file.Stat()
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return refuse("it is not a file")
	}
	f.size = info.Size()
	has, end, at, err := f.walk()
	if errors.Is(err, errCut) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		return refuse("the backup is incomplete: it is cut off, or still being written; use another one")
	}
	if err != nil {
		return err
	}
	before, whole := sha256.New(), sha256.New()
	if _, err := f.file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	if _, err := io.CopyN(io.MultiWriter(before, whole), f.file, at); err != nil {
		return err
	}
	if _, err := io.Copy(whole, f.file); err != nil {
		return err
	}
	f.sum = hex.EncodeToString(whole.Sum(nil))
	if end.SHA256 != hex.EncodeToString(before.Sum(nil)) {
		return errChanged
	}
	return f.match(has)
}

// errChanged is returned for a file whose bytes are not those that were written.
var errChanged = refuse("the backup was changed or damaged after it was written; use another one")

// walk reads all but the parts, and where these are. at is where the end begins.
func (f *File) walk() (has index, end ending, at int64, err error) {
	archive := tar.NewReader(f.file)
	for first := true; ; first = false {
		header, err := archive.Next()
		switch {
		case errors.Is(err, io.EOF) && !first:
			return has, end, 0, errCut
		case errors.Is(err, tar.ErrHeader) || errors.Is(err, io.EOF) && first:
			if first {
				return has, end, 0, refuse("it is not a backup of lbctl backup")
			}
			return has, end, 0, errChanged
		case err != nil:
			return has, end, 0, err
		}
		if first != (header.Name == manifestName) {
			return has, end, 0, refuse("it is not a backup of lbctl backup: it begins with %.100q", header.Name)
		}
		offset, err := f.file.Seek(0, io.SeekCurrent)
		if err != nil {
			return has, end, 0, err
		}
		switch header.Name {
		case manifestName:
			if err := decode(archive, header, &f.Manifest); err != nil {
				return has, end, 0, err
			}
			if err := f.Manifest.check(); err != nil {
				return has, end, 0, err
			}
		case indexName:
			if err := decode(archive, header, &has); err != nil {
				return has, end, 0, err
			}
		case endName:
			if err := decode(archive, header, &end); err != nil {
				return has, end, 0, err
			}
			return has, end, offset - block, f.endsWith(end, offset-block)
		default:
			f.parts = append(f.parts, Part{Name: header.Name, offset: offset, size: header.Size})
		}
	}
}

func decode(archive io.Reader, header *tar.Header, into any) error {
	if header.Size > mostJSON {
		return errChanged
	}
	text, err := io.ReadAll(archive)
	if err != nil {
		return err
	}
	if json.Unmarshal(text, into) != nil {
		return errChanged
	}
	return nil
}

// endsWith checks that what is in the file from a position on is its end as it is written.
func (f *File) endsWith(end ending, at int64) error {
	var want bytes.Buffer
	w := tar.NewWriter(&want)
	if err := errors.Join(writeJSON(w, endName, end), w.Close()); err != nil {
		return err
	}
	has := make([]byte, want.Len()+1)
	n, err := f.file.ReadAt(has, at)
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	switch {
	case bytes.Equal(has[:n], want.Bytes()):
		return nil
	case bytes.HasPrefix(want.Bytes(), has[:n]):
		return errCut
	}
	return errChanged
}

// match holds the parts that are there against the list of them.
func (f *File) match(has index) error {
	if len(has.Parts) != len(f.parts) {
		return errChanged
	}
	names := namesOf(f.Manifest.Tables)
	for i, p := range has.Parts {
		if p.Name != f.parts[i].Name || p.Rows < 1 || !slices.Contains(names, p.Table) {
			return errChanged
		}
		p.offset, p.size = f.parts[i].offset, f.parts[i].size
		f.parts[i] = p
	}
	f.seqs = has.Sequences
	return nil
}

// bound is what Postgres writes for the bounds of a partition by range, and for the default one.
var bound = regexp.MustCompile(`^(DEFAULT|FOR VALUES FROM \('[0-9 :+.-]+'\) TO \('[0-9 :+.-]+'\))$`)

// check refuses what this version cannot restore.
func (m Manifest) check() error {
	switch {
	case m.Product != product:
		return refuse("it is not a backup of lbctl backup, but of %.100q", m.Product)
	case m.Format != format:
		return refuse("the backup has the form %d, and this lbctl reads %d: use the lbctl that wrote it, %.100s", m.Format, format, m.Version)
	}
	for _, t := range m.Tables {
		if t.Parent != "" && !bound.MatchString(t.Bound) {
			return refuse("the partition %.100s has bounds that this lbctl does not know: %.200s", t.Name, t.Bound)
		}
	}
	return nil
}
