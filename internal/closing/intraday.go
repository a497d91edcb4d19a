package closing

import (
	"context"
	"fmt"
	"slices"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/board"
	"github.com/framedle/leaderboards/internal/game"
)

// Saved tells what a run of the job that archives open days did.
type Saved struct {
	Days    int   `json:"days"`    // of modes
	Results int64 `json:"results"` // entries read
	Written int64 `json:"written"` // rows that were new or changed
	Posted  int64 `json:"posted"`  // submissions taken from the outbox
	Busy    bool  `json:"busy"`    // another run was at work all the time: nothing was done
	Spent
}

// Save archives the days that still take scores, and those that have ended and
// are not closed, as far as they are, so that a lost Redis loses no more than what
// was played since. Where the game has an outbox, that is taken to the archive
// instead.
//
// Cost: 4 billed commands, and those of reading each open day; 2 more where a day
// has ended and is not closed.
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
	if c.Game.Outbox {
		return c.drain(ctx, report)
	}
	ended, err := c.Store.EndedOpen(ctx)
	if err != nil {
		return err
	}
	if len(ended) > 0 {
		// Whoever is closing them archives them: two at once would be in each other's way.
		_, err := c.Store.Exclusively(ctx, "daily", func(ctx context.Context) error { return c.saveDays(ctx, ended, report) })
		if err != nil {
			return err
		}
	}
	return c.saveDays(ctx, c.Game.OpenDates(c.Now()), report)
}

func (c *Closing) saveDays(ctx context.Context, days []game.Date, report *Saved) error {
	for _, d := range days {
		if err := c.saveDay(ctx, d, report); err != nil {
			return fmt.Errorf("archive %s so far: %w", d, err)
		}
	}
	return nil
}

// drain takes what is in the outbox to the archive, page by page. An entry
// leaves the outbox after the archive has it, and is kept there once.
//
// Cost: 2 billed commands for every 1,000 entries.
func (c *Closing) drain(ctx context.Context, report *Saved) error {
	for !c.outOfTime(ctx) {
		list, entries, err := c.Store.Outbox(ctx)
		if err != nil || len(entries) == 0 {
			return err
		}
		rows := make([]archive.Submission, len(list))
		for i, p := range list {
			rows[i] = archive.Submission{
				StreamID: p.ID, Mode: p.Mode.Name, Date: p.Date, Player: p.Player, Stored: p.Stored,
				Scopes: p.Scopes, Details: p.Details, At: p.At, Once: p.Once.ID,
			}
		}
		for some := range slices.Chunk(rows, archive.MostRows) {
			added, err := c.Archive.PutSubmissions(ctx, some)
			if err != nil {
				return err
			}
			report.Posted += added
		}
		if err := c.Store.DropPosted(ctx, entries); err != nil {
			return err
		}
	}
	return nil
}

func (c *Closing) saveDay(ctx context.Context, d game.Date, report *Saved) error {
	sink := sink{c.Archive, c.Now}
	var mode *game.Mode
	var day *archive.DayWrite
	finish := func() error {
		if day == nil {
			return nil
		}
		done, err := day.Finish(ctx, false, c.Now())
		report.Days++
		report.Written += done.Written
		return err
	}
	err := c.Store.ReadOpen(ctx, d, func(m *game.Mode, page []board.Result) error {
		if m != mode {
			err := finish()
			if err != nil {
				return err
			}
			mode = m
			if day, err = c.Archive.BeginDay(ctx, m.Name, d); err != nil {
				return err
			}
		}
		report.Results += int64(len(page))
		return writer{day, sink}.Put(ctx, page)
	})
	if err != nil {
		return err
	}
	return finish()
}
