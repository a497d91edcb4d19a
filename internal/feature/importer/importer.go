package importer

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/framedle/leaderboards/client"
	"github.com/framedle/leaderboards/internal/game"
)

// MaxWorkers is how many batches may be under way at once.
const MaxWorkers = 64

// ErrChanged is returned by [Run] if the progress file belongs to another content than the
// file now has.
var ErrChanged = errors.New("the file has changed since the import began")

// Options say what to import and how. All are required but Game and ProgressFile.
type Options struct {
	File         string
	ProgressFile string // "" to begin at the first line and remember nothing
	ReportFile   string // where rejected lines go
	Batch        int    // lines in a batch, 1 to 1,000
	Workers      int    // batches under way at once, 1 to MaxWorkers
	Game         *game.Game
	Client       *client.Client // signs as the operator's import
	Target       string         // names the product, see [Target]; another one starts from scratch

	Now      func() time.Time
	Wait     func(ctx context.Context, d time.Duration) error // sleeps; returns ctx's error when that ends first
	Random   func() float64                                   // in [0, 1)
	Notice   func(text string)                                // called with what a person should know; from any goroutine
	Progress func(Progress)                                   // called at the start and after each batch; from one goroutine
}

// Progress is how far an import has come, including earlier runs.
type Progress struct {
	Bytes, Size int64
	Counts      Counts
}

// Summary is the result of an import, including earlier runs.
type Summary struct {
	Counts   Counts
	Done     bool      // before this run began; this run sent nothing
	DoneAt   time.Time // when, if Done
	Kinds    []Kind    // of this run's refusals, the most frequent first; at most 51
	Examples []Refusal // the first 20 of this run
}

func (o *Options) check() error {
	if o.Batch < 1 || o.Batch > maxBatch {
		return fmt.Errorf("--batch %d: use 1 to %d", o.Batch, maxBatch)
	}
	if o.Workers < 1 || o.Workers > MaxWorkers {
		return fmt.Errorf("--workers %d: use 1 to %d", o.Workers, MaxWorkers)
	}
	return nil
}

// Run imports the file, or continues where an earlier run stopped. The error says why some
// lines have no answer: ctx's error if ctx ended, ErrChanged, or a failure of the file, the
// network or a whole batch. What the summary counts has happened even so.
func Run(ctx context.Context, o Options) (Summary, error) {
	if err := o.check(); err != nil {
		return Summary{}, err
	}
	file, err := os.Open(o.File)
	if err != nil {
		return Summary{}, err
	}
	defer func() { _ = file.Close() }() // only read
	r := &run{Options: o}
	if err := r.locate(file); err != nil {
		return Summary{}, err
	}
	if r.position.Complete {
		return Summary{Counts: r.position.Counts, Done: true, DoneAt: r.position.SavedAt}, nil
	}
	if r.reader, err = NewReader(file, o.Game); err != nil {
		return Summary{}, fmt.Errorf("%s: %w", o.File, err)
	}
	if err := r.reader.skip(r.position.Line); err != nil {
		return Summary{}, fmt.Errorf("find line %d of %s again: %w", r.position.Line, o.File, err)
	}
	if r.report, err = OpenReport(o.ReportFile, r.position.RefusedBytes); err != nil {
		return Summary{}, err
	}
	r.tell()
	if err = r.save(); err == nil {
		err = r.all(ctx)
	}
	if err == nil {
		r.position.Complete = true
		err = r.save()
	}
	err = errors.Join(err, r.report.Close())
	return Summary{Counts: r.position.Counts, Kinds: r.tally.ByCount(), Examples: r.tally.Examples}, err
}

// locate finds where to begin, and leaves the file at its start.
func (r *run) locate(file *os.File) error {
	info, err := file.Stat()
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return fmt.Errorf("%s is not a plain file; it is read twice, so write it to one first", r.File)
	}
	size, sum, err := identify(file)
	if err != nil {
		return fmt.Errorf("read %s: %w", r.File, err)
	}
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	r.position = position{Size: size, SHA256: sum, Target: r.Options.Target, Batch: r.Batch}
	if r.ProgressFile == "" {
		return nil
	}
	before, found, err := loadPosition(r.ProgressFile)
	if err != nil || !found {
		return err
	}
	if before.Size != size || before.SHA256 != sum {
		return fmt.Errorf("%w: %s is at line %d of a file of %d bytes, %s now has %d bytes or other content; put new lines into a file of their own, or remove %s to import all of it from the beginning",
			ErrChanged, r.ProgressFile, before.Line, before.Size, r.File, size, r.ProgressFile)
	}
	if before.Target != r.position.Target {
		r.Notice(r.ProgressFile + " belongs to an import into another deployment, or with another signing key; starting at the first line")
		return nil
	}
	r.resume(before)
	return nil
}

func (r *run) resume(before position) {
	r.position = before
	if before.Complete {
		return
	}
	r.Notice(fmt.Sprintf("continuing after line %d", before.Line))
	if before.Batch != r.Batch {
		r.Notice(fmt.Sprintf("using batches of %d lines, as this import began: others would count sums twice", before.Batch))
	}
	if r.Now().Sub(before.SavedAt) > recordsLive {
		r.Notice("the import stopped more than 24 hours ago: in modes of policy sum, scores that were in progress then may count twice")
	}
}

// Check reads the whole file as Run would, but sends nothing and writes no files.
// Counts.Accepted is the number of lines that can be sent.
func Check(ctx context.Context, o Options) (Summary, error) {
	file, err := os.Open(o.File)
	if err != nil {
		return Summary{}, err
	}
	defer func() { _ = file.Close() }() // only read
	info, err := file.Stat()
	if err != nil {
		return Summary{}, err
	}
	reader, err := NewReader(file, o.Game)
	if err != nil {
		return Summary{}, fmt.Errorf("%s: %w", o.File, err)
	}
	var counts Counts
	var refused Tally
	o.Progress(Progress{Size: info.Size()})
	for ctx.Err() == nil {
		b, err := readBatch(reader, 0, maxBatch)
		if err != nil {
			return Summary{}, fmt.Errorf("read %s: %w", o.File, err)
		}
		if b == nil {
			break
		}
		counts.Accepted += int64(len(b.sound))
		for _, line := range b.lines {
			if line.Fault != nil {
				counts.Refused++
				refused.Add(Refusal{line.Number, line.Fault.Group(), line.Fault.Error(), line.Text})
			}
		}
		o.Progress(Progress{b.end, info.Size(), counts})
	}
	return Summary{Counts: counts, Kinds: refused.ByCount(), Examples: refused.Examples}, ctx.Err()
}
