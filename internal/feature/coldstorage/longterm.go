// Package coldstorage keeps closed boards for years, as files outside of the archive: one for
// each day, week, month and season of each mode.
//
// It knows the archive, what a file of a board is, and where files are kept. It does not know Redis, the caller or the time. A run may be cut off
// anywhere and repeated: what exists stays.
package coldstorage

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/game"
)

// Keeper keeps the boards of one game.
type Keeper struct {
	Game    *game.Game
	Archive *archive.Archive
	Files   Store
	Now     func() time.Time
}

// Options say which boards are meant.
type Options struct {
	Modes    []*game.Mode // nil: all
	From, To game.Date    // of days; for a longer period, its last day. Zero: unbounded
	// Replace rewrites files that differ from their boards; without it they are reported
	// and left.
	Replace bool
	// Step is called after each board with the number of boards done, and of all.
	Step func(done, all int)
}

func (k *Keeper) modes(o Options) []*game.Mode {
	if o.Modes != nil {
		return o.Modes
	}
	return k.Game.Modes
}

func (o Options) step(done, all int) {
	if o.Step != nil {
		o.Step(done, all)
	}
}

// within reports whether a period is asked for.
func (o Options) within(p game.Period) bool {
	return !p.Last().Before(o.From) && (o.To.IsZero() || !p.Last().After(o.To))
}

// fileOf is the name of a board's file, in a form from which readers of Parquet take
// partitions.
func fileOf(b game.Board) string {
	return folderOf(b.Mode, b.Period.Kind()) + "key=" + b.Period.Key() + "/" + fileName
}

func folderOf(m *game.Mode, kind game.PeriodKind) string {
	return "mode=" + m.Name + "/period=" + kind.String() + "/"
}

const fileName = "board.parquet"

// The words of a file.
const (
	wordRows     = "rows"
	wordRowsHash = "rows-sha256"
	wordSHA256   = "sha256"   // of the file
	wordRevision = "revision" // of the days that the file was made from
)

// scratch is a temporary file, removed at the end.
type scratch struct{ *os.File }

func newScratch() (scratch, error) {
	f, err := os.CreateTemp("", "board-*.parquet")
	return scratch{f}, err
}

func (s scratch) remove() { _, _ = s.Close(), os.Remove(s.Name()) }

// Empty empties the file.
func (s scratch) Empty() error {
	if err := s.Truncate(0); err != nil {
		return err
	}
	_, err := s.Seek(0, io.SeekStart)
	return err
}

func (s scratch) size() (int64, error) { return s.Seek(0, io.SeekEnd) }

// fetch opens the stored file of a board, complete and checked.
//
// Errors: [ErrDamaged], [ErrOtherBoard], [ErrNotFound].
func (k *Keeper) fetch(ctx context.Context, b game.Board, into scratch) (*File, error) {
	name := fileOf(b)
	if err := into.Empty(); err != nil {
		return nil, err
	}
	if err := k.Files.Get(ctx, name, into); err != nil {
		return nil, err
	}
	size, err := into.size()
	if err != nil {
		return nil, err
	}
	file, err := OpenFile(into, size, k.Game.Name, b)
	if err == nil {
		err = file.Check()
	}
	if err == nil {
		err = k.checkBytes(ctx, name, into)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return file, nil
}

// checkBytes compares all bytes of a file with the hash in its words, if there is one: a byte
// may have changed outside of any row.
func (k *Keeper) checkBytes(ctx context.Context, name string, into scratch) error {
	kept, err := k.Files.Head(ctx, name)
	if err != nil {
		return err
	}
	is, err := hashOf(into)
	if want := kept.Words[wordSHA256]; err == nil && want != "" && is != want {
		err = fmt.Errorf("%w: its bytes have the hash %s, and were kept with %.64s", ErrDamaged, is, want)
	}
	return err
}

// hashOf returns the hash of all bytes of a file.
func hashOf(f io.ReadSeeker) (string, error) {
	sum := sha256.New()
	_, err := f.Seek(0, io.SeekStart)
	if err == nil {
		_, err = io.Copy(sum, f)
	}
	return hex.EncodeToString(sum.Sum(nil)), err
}

// isDamage reports whether an error says that a stored file is not what was written.
func isDamage(err error) bool {
	return errors.Is(err, ErrDamaged) || errors.Is(err, ErrOtherBoard)
}
