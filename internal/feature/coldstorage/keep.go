package coldstorage

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/game"
)

// RunReport is what a run did.
type RunReport struct {
	Boards   int      `json:"boards"`             // closed boards asked for
	Written  int      `json:"written"`            // new files
	Same     int      `json:"same"`               // files that were there and are as they should be
	Replaced []string `json:"replaced,omitempty"` // files that had other rows or were damaged, rewritten
	Differ   []string `json:"differ,omitempty"`   // files that had other rows or were damaged, left as they are
	Rows     int64    `json:"rows"`               // written
	Bytes    int64    `json:"bytes"`              // written
}

// Keep writes a file of every closed board whose days are all complete in the archive, unless
// it exists already. It needs memory for a part of one board, and a temporary file. It does
// not read existing files that have the days' present revision.
func (k *Keeper) Keep(ctx context.Context, o Options) (RunReport, error) {
	var report RunReport
	var due []dueBoard
	for _, m := range k.modes(o) {
		of, err := k.listDue(ctx, m, o)
		if err != nil {
			return report, err
		}
		due = append(due, of...)
	}
	report.Boards = len(due)
	aside, err := newScratch()
	if err != nil {
		return report, err
	}
	defer aside.remove()
	for i, b := range due {
		if err := k.keep(ctx, b, o, aside, &report); err != nil {
			return report, fmt.Errorf("keep %s: %w", fileOf(b.board), err)
		}
		o.step(i+1, len(due))
	}
	return report, nil
}

// dueBoard is a closed board, with the revision of its days.
type dueBoard struct {
	board    game.Board
	revision string
}

// listDue lists a mode's closed boards whose days are all complete, by their last days.
func (k *Keeper) listDue(ctx context.Context, m *game.Mode, o Options) ([]dueBoard, error) {
	today := k.Game.Today(k.Now())
	days, err := k.Archive.Days.Between(ctx, m.Name, beginning, today)
	if err != nil {
		return nil, err
	}
	revisions, err := k.Archive.Days.Revisions(ctx, m.Name, beginning, today)
	if err != nil {
		return nil, err
	}
	of := map[game.Period][]archive.ArchivedDay{}
	for _, d := range days {
		for _, p := range append(k.Game.PeriodsOf(d.Date), game.Day.Of(d.Date)) {
			if p.Kind() != game.AllTime && o.within(p) && k.Game.Closed(p, k.Now()) {
				of[p] = append(of[p], d)
			}
		}
	}
	var due []dueBoard
	for p, days := range of {
		if slices.ContainsFunc(days, func(d archive.ArchivedDay) bool { return !d.Complete }) {
			continue
		}
		sum := sha256.New()
		for _, d := range days {
			sum.Write([]byte(revisions[d.Date]))
		}
		due = append(due, dueBoard{game.BoardOf(m, p, game.Scope{}), hex.EncodeToString(sum.Sum(nil))})
	}
	slices.SortFunc(due, func(a, b dueBoard) int {
		p, q := a.board.Period, b.board.Period
		return cmp.Or(cmp.Compare(p.Last().Midnight().Unix(), q.Last().Midnight().Unix()), cmp.Compare(p.Kind(), q.Kind()))
	})
	return due, nil
}

// beginning is before every day in the archive.
var beginning = game.NewDate(1, 1, 1)

func (k *Keeper) keep(ctx context.Context, due dueBoard, o Options, aside scratch, report *RunReport) error {
	name := fileOf(due.board)
	kept, err := k.Files.Head(ctx, name)
	there := err == nil
	if err != nil && !errors.Is(err, ErrNotFound) {
		return err
	}
	if there && kept.Words[wordRevision] == due.revision {
		report.Same++
		return nil
	}
	if err := aside.Empty(); err != nil {
		return err
	}
	head, err := Write(aside, k.Game.Name, due.board, func(each func([]game.Result) error) error {
		return k.Archive.Boards.Each(ctx, due.board, each)
	})
	if err != nil {
		return err
	}
	same := false
	if there {
		if same, err = k.same(ctx, due.board, kept, head); err != nil {
			return err
		}
		if !same && !o.Replace {
			report.Differ = append(report.Differ, name)
			return nil
		}
	}
	size, err := aside.size()
	if err != nil {
		return err
	}
	if err := k.put(ctx, name, aside, size, head, due.revision); err != nil {
		return err
	}
	switch {
	case same: // with the new words, the next run need not read the file
		report.Same++
		return nil
	case there:
		report.Replaced = append(report.Replaced, name)
	default:
		report.Written++
	}
	report.Rows += head.Rows
	report.Bytes += size
	return nil
}

// same reports whether the stored file has the rows of head: by its words or, if it has none,
// by its contents.
func (k *Keeper) same(ctx context.Context, b game.Board, kept Object, head Head) (bool, error) {
	if hash := kept.Words[wordRowsHash]; hash != "" {
		return hash == head.SHA256, nil
	}
	aside, err := newScratch()
	if err != nil {
		return false, err
	}
	defer aside.remove()
	file, err := k.fetch(ctx, b, aside)
	if err != nil {
		if isDamage(err) {
			return false, nil
		}
		return false, err
	}
	return file.Head == head, nil
}

// put stores a file, and then asks for it: if a store claims to have a file that it does not
// have, or has only a part of, that shows while the archive still has the rows.
func (k *Keeper) put(ctx context.Context, name string, aside scratch, size int64, head Head, revision string) error {
	hash, err := hashOf(aside)
	if err != nil {
		return err
	}
	words := map[string]string{wordRows: strconv.FormatInt(head.Rows, 10), wordRowsHash: head.SHA256, wordSHA256: hash, wordRevision: revision}
	if err := k.Files.Put(ctx, name, Content{Body: aside, Size: size, SHA256: hash}, words); err != nil {
		return err
	}
	kept, err := k.Files.Head(ctx, name)
	if err != nil {
		return fmt.Errorf("the store accepted the file, and does not have it: %w", err)
	}
	if kept.Size != size || kept.Words[wordSHA256] != hash {
		return fmt.Errorf("the store accepted %d bytes of hash %s, and has %d of %q", size, hash, kept.Size, kept.Words[wordSHA256])
	}
	return nil
}
