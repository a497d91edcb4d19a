package coldstorage

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/game"
)

// Returned is what a run brought back.
type Returned struct {
	Files   int   `json:"files"`   // of days asked for
	Had     int   `json:"had"`     // days that the archive has complete: left as they are
	Days    int   `json:"days"`    // days that are complete again
	Results int64 `json:"results"` // of these
	Erased  int64 `json:"erased"`  // results left out: their players have been erased since
	// Refused are files that are damaged or of another board. Nothing of them is written.
	Refused []string `json:"refused,omitempty"`
}

// ErrRefused is returned if some files were damaged; the days of the others are back.
var ErrRefused = errors.New("files were rejected")

// Restore brings back to the archive the days that it does not have complete. It checks the
// whole file of a day first. Weeks, months and seasons follow from days. A refused file does
// not keep the others from coming back.
//
// Errors: ErrRefused.
func (k *Keeper) Restore(ctx context.Context, o Options) (Returned, error) {
	var report Returned
	var days []game.DayName
	for _, m := range k.modes(o) {
		of, err := k.keptDays(ctx, m, o, &report)
		if err != nil {
			return report, err
		}
		days = append(days, of...)
	}
	aside, err := newScratch()
	if err != nil {
		return report, err
	}
	defer aside.remove()
	for i, d := range days {
		if err := k.restore(ctx, d, aside, &report); err != nil {
			return report, fmt.Errorf("restore %s of %s: %w", d.Date, d.Mode, err)
		}
		o.step(i+1, len(days))
	}
	if len(report.Refused) > 0 {
		return report, fmt.Errorf("%d %w", len(report.Refused), ErrRefused)
	}
	return report, nil
}

// keptDays lists the days of a mode that have files and are not complete in the archive.
func (k *Keeper) keptDays(ctx context.Context, m *game.Mode, o Options, report *Returned) (days []game.DayName, err error) {
	folder := folderOf(m, game.Day)
	err = k.Files.List(ctx, folder, func(file Object) error {
		key, is := strings.CutPrefix(file.Name, folder+"key=")
		key, named := strings.CutSuffix(key, "/"+fileName)
		date, bad := game.ParseDate(key)
		if !is || !named || bad != nil {
			return nil // not ours
		}
		if o.within(game.Day.Of(date)) {
			days = append(days, game.DayName{Mode: m.Name, Date: date})
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	found := len(days)
	whole, err := k.Archive.Days.Complete(ctx, m.Name, beginning, k.Game.Today(k.Now()).AddDays(1))
	if err != nil {
		return nil, err
	}
	missing := slices.DeleteFunc(days, func(d game.DayName) bool { return whole[d.Date] })
	report.Files += found
	report.Had += found - len(missing)
	return missing, nil
}

func (k *Keeper) restore(ctx context.Context, d game.DayName, aside scratch, report *Returned) error {
	m, ok := k.Game.Mode(d.Mode)
	if !ok {
		return fmt.Errorf("the game has no mode %s", d.Mode)
	}
	b := game.BoardOf(m, game.Day.Of(d.Date), game.Scope{})
	file, err := k.fetch(ctx, b, aside)
	if err != nil {
		if isDamage(err) {
			report.Refused = append(report.Refused, err.Error())
			return nil
		}
		return err
	}
	ends := k.Game.Ends(b.Period)
	run, err := k.Archive.Days.Begin(ctx, m.Name, d.Date, "")
	if err != nil {
		return err
	}
	var erased int64
	err = file.Each(func(page []game.Result) error {
		players := make([]string, len(page))
		for i, r := range page {
			players[i] = r.Player
		}
		gone, err := k.Archive.Results.ErasedSince(ctx, players, ends)
		if err != nil {
			return err
		}
		erased += int64(len(gone))
		stay := slices.DeleteFunc(slices.Clone(page), func(r game.Result) bool { return slices.Contains(gone, r.Player) })
		for some := range slices.Chunk(stay, archive.MostRows) {
			if err := run.Put(ctx, some); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	done, err := run.Finish(ctx, k.Now())
	if err != nil {
		return err
	}
	if !done.Complete || done.Players != file.Head.Rows-erased {
		return fmt.Errorf("the archive has %d results of it, and the file %d, %d of players who were erased", done.Players, file.Head.Rows, erased)
	}
	report.Days++
	report.Results += done.Players
	report.Erased += erased
	return nil
}
