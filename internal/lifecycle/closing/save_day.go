package closing

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lifecycle"
)

// savingDay saves one day of all modes. Which modes were played is known only as they are
// read, so the writing of a mode begins after its first page is read. If something was removed
// recently, that page may still have it: then the mode is read again, after the writing has
// begun.
type savingDay struct {
	s    saving
	date game.Date
	from time.Time // before anything was read

	mode    *game.Mode // whose pages are being read
	writer  *writer    // writes them; nil: the mode is left
	again   map[*game.Mode]*writer
	groups  map[*game.Mode][]game.Board // boards of groups, by mode
	read    map[string]bool             // modes that were played
	refused error                       // modes whose day the archive has from a lost Redis
}

// day archives a day as far as it is. A mode whose day the archive has as it closed is left to
// closings. A mode whose day the archive has from a lost Redis is left too, and reported as an
// error in the end.
//
// Cost: besides that of reading, where something was removed within 20 minutes, what reading
// costs once more.
func (s saving) day(ctx context.Context, d game.Date) error {
	day := savingDay{s: s, date: d, from: s.c.Now(), again: map[*game.Mode]*writer{}, read: map[string]bool{}}
	err := day.run(ctx)
	if err == nil && s.c.Repairs {
		err = s.vanished(ctx, d, day.read)
	}
	return errors.Join(err, day.refused)
}

func (o *savingDay) run(ctx context.Context) error {
	if err := o.listGroups(ctx); err != nil {
		return err
	}
	err := o.s.c.Store.Days.ReadOpen(ctx, o.date, func(m *game.Mode) []game.Board { return o.groups[m] }, func(m *game.Mode, page []game.Result) error {
		if m != o.mode {
			if err := o.finish(ctx); err != nil {
				return err
			}
			if err := o.begin(ctx, m); err != nil {
				return err
			}
		}
		return o.put(ctx, page)
	})
	if err != nil {
		return err
	}
	if err := o.finish(ctx); err != nil {
		return err
	}
	return o.readAgain(ctx)
}

// listGroups lists the boards that groups have of the day, if they are to be saved.
func (o *savingDay) listGroups(ctx context.Context) error {
	o.groups = map[*game.Mode][]game.Board{}
	for _, m := range o.s.c.Game.Modes {
		if !o.s.groups || !game.WritesScopes(m) {
			continue
		}
		boards, err := o.s.c.Store.Restore.GroupsOf(ctx, m, o.date)
		if err != nil {
			return err
		}
		o.groups[m] = boards
	}
	return nil
}

// begin begins to write a mode of which a page was read.
func (o *savingDay) begin(ctx context.Context, m *game.Mode) (err error) {
	o.mode, o.read[m.Name] = m, true
	o.writer, err = o.s.into.beginSaving(ctx, m.Name, o.date, o.from)
	switch {
	case errors.Is(err, archive.ErrClosed):
		return nil
	case errors.Is(err, archive.ErrOtherSource):
		o.refused = errors.Join(o.refused, fmt.Errorf("%s: %w", m.Name, err))
		return nil
	case err == nil && o.writer.day.Removed():
		o.again[m], o.writer = o.writer, nil
	}
	return err
}

func (o *savingDay) put(ctx context.Context, page []game.Result) error {
	if o.writer == nil {
		return nil
	}
	o.s.report.Results += int64(len(page))
	return o.leaveShort(o.writer.Put(ctx, page))
}

func (o *savingDay) finish(ctx context.Context) error {
	if o.writer == nil {
		return nil
	}
	done, err := o.writer.finish(ctx)
	o.s.report.Days++
	o.s.report.Written += done.Written
	return o.leaveShort(err)
}

// leaveShort reports a board that has lost players, and leaves it to the repair.
func (o *savingDay) leaveShort(err error) error {
	var lost *ShortError
	if !errors.As(err, &lost) {
		return err
	}
	o.s.report.Short = append(o.s.report.Short, lost.Key())
	o.writer = nil
	return nil
}

// readAgain reads and writes the modes whose first page may have had what was removed.
func (o *savingDay) readAgain(ctx context.Context) error {
	put := func(page []game.Result) error { return o.put(ctx, page) }
	for _, m := range o.s.c.Game.Modes {
		if o.writer = o.again[m]; o.writer == nil {
			continue
		}
		b := game.BoardOf(m, game.Day.Of(o.date), game.Scope{})
		if err := o.s.c.Store.Days.Read(ctx, &lifecycle.Reading{Board: b, Groups: o.groups[m], Known: lifecycle.ProfileCache{}}, put); err != nil {
			return err
		}
		if err := o.finish(ctx); err != nil {
			return err
		}
	}
	return nil
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
		if short, err = (boards{s.c}).short(ctx, game.DayName{Mode: m.Name, Date: d}, 0); short {
			s.report.Short = append(s.report.Short, game.DayBoardKey(m.Name, d))
		}
	}
	return err
}
