package backfill

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
	"path/filepath"
	"sync/atomic"

	"github.com/framedle/leaderboards/internal/feature/importer"
)

// reading reads all files, line by line, into a sorter.
type reading struct {
	*run
	lines  *lines
	sorter *sorter
	digest hash.Hash // of the contents of the files, one after the other
	read   atomic.Int64
	size   int64 // of all files on disk, bytes
}

// files reads every line. The summary gets the wrong ones.
func (r *reading) files(ctx context.Context) error {
	for _, name := range r.Files {
		info, err := os.Stat(name)
		if err != nil {
			return err
		}
		r.size += info.Size()
	}
	for n, name := range r.Files {
		if err := r.file(ctx, n, name); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

func (r *reading) file(ctx context.Context, n int, name string) error {
	file, err := os.Open(name)
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }() // only read
	plain, err := unpacked(&counted{file, &r.read})
	if err != nil {
		return err
	}
	sum := sha256.New()
	reader, err := importer.NewReaderOf(io.TeeReader(plain, sum), r.Layout, r.lines.check)
	if err != nil {
		return err
	}
	report, err := r.openReport(name)
	if err != nil {
		return err
	}
	for ctx.Err() == nil {
		line, err := reader.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err == nil {
			err = r.line(ctx, place{n, line.Number}, line, report)
		}
		if err != nil {
			return errors.Join(err, closeReport(report))
		}
	}
	_, _ = r.digest.Write(sum.Sum(nil)) // a hash takes everything
	return errors.Join(ctx.Err(), closeReport(report))
}

// line adds one line to the sorter, or its fault to the report.
func (r *reading) line(ctx context.Context, at place, line importer.Line, report *importer.Report) error {
	if r.summary.Lines++; r.summary.Lines%1000 == 0 {
		r.report(Progress{Phase: Reading, Share: float64(r.read.Load()) / float64(max(1, r.size)), Count: r.summary.Lines})
	}
	if line.Fault != nil {
		refusal := importer.Refusal{Line: line.Number, Kind: line.Fault.Group(), Reason: line.Fault.Error(), Text: line.Text}
		r.refuse(at, refusal)
		if report == nil {
			return nil
		}
		return report.Write([]importer.Refusal{refusal})
	}
	p := r.lines.last
	if r.Closing != nil {
		banned, err := r.Closing.Store.Notices.IsBanned(ctx, p.player)
		if err != nil {
			return err
		}
		if banned {
			r.summary.Banned++
			return nil
		}
	}
	p.line = at
	return r.sorter.add(p.appendTo)
}

// refuse counts a wrong line. If there are several files it names the line's file.
func (r *run) refuse(at place, refusal importer.Refusal) {
	if len(r.Files) > 1 {
		name := filepath.Base(r.Files[at.file]) + ": "
		refusal.Kind, refusal.Reason = name+refusal.Kind, name+refusal.Reason
	}
	r.summary.Refused.Add(refusal)
}

// id identifies the contents of the files and how they are read.
func (r *reading) id() string {
	_, _ = fmt.Fprintf(r.digest, "%s %v %v", r.Game.Name, r.Layout.Rename, r.Layout.Ignore)
	if r.Mode != nil {
		_, _ = fmt.Fprintf(r.digest, " %s", r.Mode.Name)
	}
	return hex.EncodeToString(r.digest.Sum(nil))
}

func (r *reading) openReport(name string) (*importer.Report, error) {
	if r.DryRun {
		return nil, nil
	}
	return importer.OpenReport(name+".rejected.csv", 0)
}

func closeReport(report *importer.Report) error {
	if report == nil {
		return nil
	}
	return report.Close()
}

// counted counts the bytes that are read.
type counted struct {
	io.Reader
	n *atomic.Int64
}

func (c *counted) Read(b []byte) (int, error) {
	n, err := c.Reader.Read(b)
	c.n.Add(int64(n))
	return n, err
}

// unpacked returns the contents of a file, unpacked if it is gzip.
func unpacked(r io.Reader) (io.Reader, error) {
	buffered := bufio.NewReaderSize(r, 1<<20)
	start, err := buffered.Peek(2)
	if err != nil || !bytes.Equal(start, []byte{0x1f, 0x8b}) {
		return buffered, nil // a file that is too short fails later
	}
	return gzip.NewReader(buffered)
}
