package closing

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lifecycle"
)

// sink writes days to the archive for jobs, with the name of the Redis that they read. So a
// Redis that has been lost meanwhile, or came after a loss, removes nothing from the archive
// that only the archive has.
type sink struct {
	c      *Closing
	source string // the name
	moves  *moves
}

func (c *Closing) sink(ctx context.Context) (sink, error) {
	source, err := c.Store.Notices.Source(ctx)
	return sink{c, source, &moves{}}, err
}

// BeginDay implements [lifecycle.DayArchive].
func (s sink) BeginDay(ctx context.Context, mode string, d game.Date) (lifecycle.DayWriter, error) {
	began := s.c.Now()
	day, err := s.c.Archive.Days.Begin(ctx, mode, d, s.source)
	if err != nil {
		return nil, err
	}
	return &writer{day: day, sink: s, began: began, of: game.DayName{Mode: mode, Date: d}}, nil
}

// beginSaving begins to save a day that is read from a moment on.
func (s sink) beginSaving(ctx context.Context, mode string, d game.Date, from time.Time) (*writer, error) {
	day, err := s.c.Archive.Days.BeginSaving(ctx, mode, d, s.source, from)
	if err != nil {
		return nil, err
	}
	return &writer{day: day, sink: s, began: from, of: game.DayName{Mode: mode, Date: d}}, nil
}

// writer writes one day. It holds the newest page back until it has made sure, after that page
// was read, that Redis is still the one that the day began with: in a Redis that was lost in
// between, a page looks as if hardly anybody had played. For most days that is one command.
type writer struct {
	day  *archive.DayWrite
	sink sink
	// began is before anything was read: profiles are no newer than that. For a player who was
	// erased or renamed since, the archive keeps what it has.
	began time.Time
	held  []game.Result

	of    game.DayName
	whole bool // the board has at least the players that the archive has
}

// Put implements [lifecycle.DayWriter].
func (w *writer) Put(ctx context.Context, results []game.Result) error {
	if len(w.held) > 0 {
		if err := w.release(ctx, true); err != nil {
			return err
		}
	}
	w.held = slices.Clone(results)
	return nil
}

// Finish implements [lifecycle.DayWriter].
func (w *writer) Finish(ctx context.Context) error {
	_, err := w.finish(ctx)
	return err
}

func (w *writer) finish(ctx context.Context) (archive.DayReport, error) {
	if err := w.release(ctx, false); err != nil {
		return archive.DayReport{}, err
	}
	report, err := w.day.Finish(ctx, w.sink.c.Now())
	if err != nil {
		return report, fmt.Errorf("finish the day: %w", err)
	}
	return report, nil
}

// release writes the page that is held back. more says that further pages follow.
func (w *writer) release(ctx context.Context, more bool) error {
	page, err := w.sink.checkPage(ctx, w.of, w.held)
	if err != nil {
		return err
	}
	w.held = page
	if err := w.check(ctx, more); err != nil {
		return err
	}
	for some := range slices.Chunk(w.held, archive.MostRows) {
		if err := w.put(ctx, some); err != nil {
			return err
		}
	}
	w.held = nil
	return nil
}

// check refuses a day whose board has lost players, before anything is written: the archive
// would drop these players, and would take worse scores from those who have played again.
//
// Cost: 1 billed command for a board of more than a page that was larger.
func (w *writer) check(ctx context.Context, more bool) error {
	has := int64(len(w.held))
	if w.whole || !w.sink.c.Repairs || w.day.Had() <= has {
		w.whole = true
		return nil
	}
	if more {
		var err error
		if has, err = (boards{w.sink.c}).count(ctx, w.of); err != nil {
			return err
		}
	}
	short, err := boards{w.sink.c}.short(ctx, w.of, has)
	if err == nil && short {
		err = &ShortError{w.of}
	}
	w.whole = err == nil
	return err
}

func (w *writer) put(ctx context.Context, results []game.Result) error {
	var profiles []game.PlayerProfile
	for _, r := range results {
		if r.Profile != (game.Profile{}) {
			profiles = append(profiles, game.PlayerProfile{Player: r.Player, Profile: r.Profile, UpdatedAt: w.began})
		}
	}
	if err := w.sink.c.Archive.Profiles.Put(ctx, profiles); err != nil {
		return err
	}
	return w.day.Put(ctx, results)
}
