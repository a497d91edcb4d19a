package closing

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/daily"
	"github.com/framedle/leaderboards/internal/game"
)

// Saved is what a run of the job that archives open days did.
type Saved struct {
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
// Cost: 5 billed commands, those of reading each open day, and 1 for each mode
// that was played on it; 2 more where a day has ended and is not closed; where something
// was removed within 20 minutes, what reading the open days costs once more.
func (c *Closing) Save(ctx context.Context) (Saved, error) {
	var report Saved
	if c.Archive == nil {
		return report, ErrNoArchive
	}
	var err error
	report.Spent, report.Busy, err = c.scheduled(ctx, "save", func(ctx context.Context) error {
		return errors.Join(wallets{c}.save(ctx), saving{c: c, report: &report}.run(ctx))
	})
	return report, err
}

// saving archives days that are not closed.
type saving struct {
	c      *Closing
	report *Saved
	into   sink
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
	return errors.Join(refused, s.days(ctx, s.c.Game.OpenDates(s.c.Now())))
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

// drain takes the outbox to the archive, page by page, and in games with an audit also into
// the record of what submissions did. An entry leaves the outbox after the archive has it, and
// the archive keeps it once.
//
// Cost: 2 billed commands for every 1,000 entries.
func (s saving) drain(ctx context.Context) error {
	for !outOfTime(ctx) {
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
			if s.c.Game.Audit.On() {
				recorded, err := s.c.Archive.ScoreAudit.Record(ctx, some, auditing{s.c.Game, some}.judge)
				if err != nil {
					return err
				}
				s.report.Audited += recorded
			}
		}
		if err := s.c.Store.Boards.Outbox.Drop(ctx, entries); err != nil {
			return err
		}
	}
	return nil
}

// day archives a day as far as it is. A mode whose day the archive has as it closed is left to
// closings. A mode whose day the archive has from a lost Redis is left too, and reported as an
// error in the end. Which modes were played is known only as they are read, so the writing of
// a mode begins after its first page is read. If something was removed recently, that page may
// still have it: then day reads the mode again, after the writing has begun.
//
// Cost: besides that of reading, where something was removed within 20 minutes, what reading
// costs once more.
func (s saving) day(ctx context.Context, d game.Date) error {
	from := s.c.Now()
	var mode *game.Mode
	var day *writer
	var refused error
	again := map[*game.Mode]*writer{} // to be read again: the first page may have had what was removed
	read := map[string]bool{}
	// short reports a board that has lost players, and leaves it to the repair.
	short := func(err error) error {
		var lost *ShortError
		if errors.As(err, &lost) {
			s.report.Short = append(s.report.Short, lost.Key())
			day, err = nil, nil
		}
		return err
	}
	finish := func() error {
		if day == nil {
			return nil
		}
		done, err := day.finish(ctx)
		s.report.Days++
		s.report.Written += done.Written
		return short(err)
	}
	put := func(page []game.Result) error {
		if day == nil {
			return nil
		}
		s.report.Results += int64(len(page))
		return short(day.Put(ctx, page))
	}
	err := s.c.Store.Days.ReadOpen(ctx, d, func(m *game.Mode, page []game.Result) error {
		if m != mode {
			err := finish()
			if err != nil {
				return err
			}
			mode, read[m.Name] = m, true
			day, err = s.into.beginSaving(ctx, m.Name, d, from)
			switch {
			case errors.Is(err, archive.ErrClosed):
				return nil
			case errors.Is(err, archive.ErrOtherSource):
				refused = errors.Join(refused, fmt.Errorf("%s: %w", m.Name, err))
				return nil
			case err != nil:
				return err
			}
			if day.day.Removed() {
				again[m], day = day, nil
			}
		}
		return put(page)
	})
	if err == nil {
		err = finish()
	}
	for _, m := range s.c.Game.Modes {
		if day = again[m]; day == nil || err != nil {
			continue
		}
		b := game.BoardOf(m, game.Day.Of(d), game.Scope{})
		if err = s.c.Store.Days.Read(ctx, &daily.Reading{Board: b, Known: daily.Known{}}, put); err == nil {
			err = finish()
		}
	}
	if err == nil && s.c.Repairs {
		err = s.vanished(ctx, d, read)
	}
	return errors.Join(err, refused)
}

// vanished looks for boards of a day that should be in Redis but are missing completely.
func (s saving) vanished(ctx context.Context, d game.Date, read map[string]bool) error {
	if s.report.Elsewhere > 0 {
		return nil // the whole Redis was lost
	}
	var others []string
	for _, m := range s.c.Game.Modes {
		if !read[m.Name] {
			others = append(others, m.Name)
		}
	}
	standing, err := s.c.Archive.Results.CountStanding(ctx, d, others...)
	for _, m := range s.c.Game.Modes {
		if err != nil || standing[m.Name] == 0 {
			continue
		}
		var short bool
		if short, err = s.into.boards.short(ctx, dayOf{m.Name, d}, 0); short {
			s.report.Short = append(s.report.Short, (&ShortError{m.Name, d}).Key())
		}
	}
	return err
}
