package closing

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lifecycle"
)

// SaveReport is what a run of the job that archives open days did.
type SaveReport struct {
	Days    int   `json:"days"`              // of modes
	Results int64 `json:"results"`           // entries read
	Written int64 `json:"written"`           // rows that were new or changed
	Posted  int64 `json:"posted"`            // submissions taken from the outbox
	Audited int64 `json:"audited,omitempty"` // of these, those whose outcome was recorded
	// Elsewhere is the number of days of modes that the archive has from a lost Redis.
	Elsewhere int64    `json:"elsewhere,omitempty"`
	Short     []string `json:"short,omitempty"` // boards of days that have lost players, see [ShortError]
	Busy      bool     `json:"busy"`            // another run was at work all the time: nothing was done
	Spent
}

// Save archives the present state of days that still take scores, and of those that have ended
// and are not closed, so that a lost Redis loses no more than what was played since. If the
// game has an outbox, Save takes that to the archive instead.
//
// Cost: 5 billed commands, those of reading each open day, and 1 for each mode that was played
// on it; 2 more if a day has ended and is not closed; if something was removed within 20
// minutes, what reading the open days costs once more; in games with devices 1 more, and once
// one was claimed some more.
func (c *Closing) Save(ctx context.Context) (SaveReport, error) { return c.save(ctx, false) }

// SaveWhole is Save that archives the groups of open days too, which otherwise are archived as
// their days close. The next Save leaves them out again.
//
// Cost: that of Save, 1 billed command for each mode with groups, and 1 for each group's day.
func (c *Closing) SaveWhole(ctx context.Context) (SaveReport, error) { return c.save(ctx, true) }

func (c *Closing) save(ctx context.Context, groups bool) (SaveReport, error) {
	var report SaveReport
	if c.Archive == nil {
		return report, ErrNoArchive
	}
	var err error
	report.Spent, report.Busy, err = c.scheduled(ctx, "save", func(ctx context.Context) error {
		return errors.Join(lifecycle.Each(c.Features, func(f lifecycle.Saver) error { return f.Save(ctx) }), saving{c: c, report: &report, groups: groups}.run(ctx))
	})
	return report, err
}

// saving archives days that are not closed.
type saving struct {
	c      *Closing
	report *SaveReport
	into   sink
	groups bool // archives groups too
}

func (s saving) run(ctx context.Context) (err error) {
	if s.into, err = s.c.sink(ctx); err != nil {
		return err
	}
	if s.report.Elsewhere, err = s.c.Archive.Days.Elsewhere(ctx, s.into.source); err != nil {
		return err
	}
	if s.c.Game.Outbox {
		return s.drain(ctx)
	}
	ended, err := s.c.Store.Rollup.Calendar.EndedOpen(ctx)
	if err != nil {
		return err
	}
	var refused error
	if len(ended) > 0 {
		// A run that closes these days archives them, and mostly has by now.
		_, refused = s.c.Store.DB.WithLock(ctx, "daily", func(ctx context.Context) error {
			ended, err := s.c.Store.Rollup.Calendar.EndedOpen(ctx)
			return errors.Join(err, s.days(ctx, ended))
		})
		if refused != nil && !errors.Is(refused, archive.ErrOtherSource) {
			return refused
		}
	}
	return errors.Join(refused, s.days(ctx, s.c.Game.OpenDates(s.c.Now())), s.into.giveWritten(ctx))
}

func (s saving) days(ctx context.Context, days []game.Date) error {
	var refused error
	for _, d := range days {
		err := s.day(ctx, d)
		if errors.Is(err, archive.ErrSuperseded) { // a closing was faster, or a result was removed meanwhile
			err = s.day(ctx, d)
		}
		if err != nil {
			err = fmt.Errorf("archive %s so far: %w", d, err)
		}
		if err != nil && !errors.Is(err, archive.ErrOtherSource) {
			return err
		}
		refused = errors.Join(refused, err)
	}
	return refused
}

// drain takes the outbox to the archive, page by page, and to features that record submissions.
// An entry leaves the outbox after the archive has it, and
// the archive keeps it once.
//
// Cost: 2 billed commands for every 1,000 entries.
func (s saving) drain(ctx context.Context) error {
	for !lifecycle.OutOfTime(ctx) {
		list, entries, err := s.c.Store.Boards.Outbox.Read(ctx)
		if err != nil || len(entries) == 0 {
			return err
		}
		for some := range slices.Chunk(list, archive.MostRows) {
			added, err := s.c.Archive.Submissions.Put(ctx, some, s.into.source)
			if err != nil {
				return err
			}
			s.report.Posted += added
			err = lifecycle.Each(s.c.Features, func(f lifecycle.Recorder) error {
				recorded, err := f.Record(ctx, some)
				s.report.Audited += recorded
				return err
			})
			if err != nil {
				return err
			}
		}
		if err := s.c.Store.Boards.Outbox.Drop(ctx, entries); err != nil {
			return err
		}
	}
	return nil
}
