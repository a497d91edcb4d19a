package closing

import (
	"context"
	"fmt"

	"github.com/framedle/leaderboards/internal/board"
	"github.com/framedle/leaderboards/internal/game"
)

// Saved tells what a run of the job that archives open days did.
type Saved struct {
	Days    int   `json:"days"`    // of modes
	Results int64 `json:"results"` // entries read
	Written int64 `json:"written"` // rows that were new or changed
	Busy    bool  `json:"busy"`    // another run was at work all the time: nothing was done
	Spent
}

// Save archives the days that still take scores as far as they are, so that a
// lost Redis loses no more than what was played since.
//
// Cost: 3 billed commands, 1 for each mode, and for each day that has scores 2,
// with details 3; from 4,000 players on 4 for every 10,000, with details 7.
func (c *Closing) Save(ctx context.Context) (Saved, error) {
	var report Saved
	if c.Archive == nil {
		return report, ErrNoArchive
	}
	spent, err := c.metered(ctx, func(ctx context.Context) error {
		ran, err := c.Store.Exclusively(ctx, "save", func(ctx context.Context) error { return c.save(ctx, &report) })
		report.Busy = !ran && err == nil
		return err
	})
	report.Spent = spent
	return report, err
}

func (c *Closing) save(ctx context.Context, report *Saved) error {
	view, err := c.Store.Survey(ctx)
	if err != nil {
		return err
	}
	for _, d := range c.Game.OpenDates(c.Now()) {
		for _, m := range c.Store.Played(view, d) {
			if err := c.saveDay(ctx, m, d, report); err != nil {
				return fmt.Errorf("archive %s of %s so far: %w", d, m.Name, err)
			}
		}
	}
	return nil
}

func (c *Closing) saveDay(ctx context.Context, m *game.Mode, d game.Date, report *Saved) error {
	sink := sink{c.Archive, c.Now}
	day, err := c.Archive.BeginDay(ctx, m.Name, d)
	if err != nil {
		return err
	}
	err = c.Store.ReadOpen(ctx, m, d, func(page []board.Result) error {
		report.Results += int64(len(page))
		return writer{day, sink}.Put(ctx, page)
	})
	if err != nil {
		return err
	}
	done, err := day.Finish(ctx, false, c.Now())
	report.Days++
	report.Written += done.Written
	return err
}
