package bands

import (
	"context"
	"errors"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

// ErrNotOnBoard is returned when the player asked for has no entry.
var ErrNotOnBoard = errors.New("the player is not on this board")

func isNotOn(err error) bool { return errors.Is(err, ErrNotOnBoard) }

// Standing is a player's rank on a board of bands.
type Standing struct {
	Stored float64
	// Rank is 1-based: exact in the player's band, with the counts of better bands
	// as they were at Counted.
	Rank    int64
	Total   int64 // never below Rank
	Counted time.Time
}

// Outcome is the player's entry after a submission.
type Outcome struct {
	Status game.Status
	Standing
}

// writing is one submission.
type writing struct {
	s *Bands
	b Board
	v *view
	Entry

	places  []Band // the bands that the score belongs to; it is read from the first
	home    Band
	old     redis.Place // the entry before
	changed int64       // 1 if the home took the score,
	again   bool        // which was sent more than once
	now     redis.Place // the player's place in the first of places
}

// Submit writes one score and returns the player's standing. Known is the player's entry, if
// the process knows it.
//
// Cost: 4 billed commands in 1 round trip, in all databases concerned at once: the home's
// score before, the home, the band and the rank in it. A known entry saves the first of these;
// if it is known to be no worse than the score, 1 command is enough. An improvement that
// crosses an edge costs 1 more, which takes the old entry out: in a second round trip, unless
// the entry was known and both bands and the home lie in one database. A score that is no
// better, of a player whom the process does not know and who is in another band, costs 2 more
// in a second round trip. In the worse half of a band that is being split a score costs 1
// more. Settling what was cut off or overtaken costs that of [Bands.Settle].
//
// Errors: ErrNoBands.
func (s *Bands) Submit(ctx context.Context, b Board, e Entry, known redis.Place) (Outcome, error) {
	v, err := s.view(ctx, b)
	if err != nil {
		return Outcome{}, err
	}
	w := &writing{s: s, b: b, v: v, Entry: e, places: v.places(b, e.Stored), home: v.home(b, e.Player)}
	if known.Found && !b.replaces(e.Stored, known.Stored) {
		switch outcome, err := w.keep(ctx, known.Stored); {
		case err == nil:
			return outcome, nil
		case !isNotOn(err):
			return Outcome{}, err
		}
		known = redis.Place{} // it was not the player's entry
	}
	outcome, err := w.write(ctx, known)
	if err != nil {
		w.s.loosenAside(ctx, w.b, w.Player)
	}
	return outcome, redis.Wrap("write the score to its band", err)
}

// keep answers for a score that is no better than the player's known entry.
func (w *writing) keep(ctx context.Context, current float64) (Outcome, error) {
	standing, err := w.s.standAt(ctx, w.b, w.v, w.Player, current, false)
	return Outcome{game.Kept, standing}, err
}

// write writes the score to its bands and its home at once.
func (w *writing) write(ctx context.Context, known redis.Place) (Outcome, error) {
	sent := w.s.wave()
	var inBand redis.Place
	if w.v.Filling != nil { // the home may not have the player yet
		sent.add(w.places[0].Database, upstash.Cmd("ZSCORE", w.places[0].Key, w.Player), redis.ScoreInto(&inBand))
	}
	for i, place := range w.places {
		sent.add(place.Database, w.b.put(place.Key, w.Entry), nil)
		if i == 0 {
			sent.add(place.Database, w.b.rank(place.Key, w.Player), redis.PlaceInto(&w.now))
		}
	}
	if !known.Found {
		sent.add(w.home.Database, upstash.Cmd("ZSCORE", w.home.Key, w.Player), redis.ScoreInto(&w.old))
	}
	sent.add(w.home.Database, w.b.put(w.home.Key, w.Entry), redis.IntInto(&w.changed))
	var left []Band // the bands that the player has to leave,
	var was string  // the band that the player was read from
	gone := int64(1)
	if known.Found {
		w.old = known
		left, was = w.leaves()
		if len(left) == 1 && left[0].Key == was && left[0].Database == w.places[0].Database && left[0].Database == w.home.Database {
			sent.add(left[0].Database, take(was, w.Player), redis.IntInto(&gone)) // behind the writes
			left = nil
		}
	}
	var err error
	if w.again, err = sent.run(ctx); err != nil {
		return Outcome{}, err
	}
	if inBand.Found && (!w.old.Found || w.b.Better(inBand.Stored, w.old.Stored) || w.b.First) {
		w.old = inBand
	}
	improves := !w.old.Found || w.b.replaces(w.Stored, w.old.Stored)
	switch {
	case w.again, gone == 0, improves && w.changed == 0, improves && !w.now.Found:
		return w.settle(ctx)
	case !improves:
		return w.stay(ctx)
	case !w.old.Found:
		return w.outcome(game.Accepted), nil
	case !known.Found:
		left, was = w.leaves()
	}
	switch stood, err := w.leave(ctx, left, was); {
	case err != nil:
		return Outcome{}, err
	case !stood:
		return w.settle(ctx)
	}
	return w.outcome(game.Improved), nil
}

// leaves are the bands that the player's old score was written to and the new one is not, and
// the band that the old score was read from.
func (w *writing) leaves() (left []Band, was string) {
	old := w.v.places(w.b, w.old.Stored)
	return without(old, w.places), old[0].Key
}

// stay answers for a score that is no better than the player's entry. If it went to another
// band, stay takes it out again.
func (w *writing) stay(ctx context.Context) (Outcome, error) {
	current := w.v.places(w.b, w.old.Stored)
	if current[0].Key == w.places[0].Key && len(without(w.places, current)) == 0 {
		if w.now.Stored != w.old.Stored { // another write has just improved the entry
			return w.settle(ctx)
		}
		return w.outcome(game.Kept), nil
	}
	back := w.s.wave()
	for _, place := range without(w.places, current) {
		back.add(place.Database, take(place.Key, w.Player), nil)
	}
	back.add(current[0].Database, w.b.rank(current[0].Key, w.Player), redis.PlaceInto(&w.now))
	if _, err := back.run(ctx); err != nil {
		return Outcome{}, err
	}
	if !w.now.Found || w.now.Stored != w.old.Stored {
		return w.settle(ctx)
	}
	w.places = current
	return w.outcome(game.Kept), nil
}

// leave takes the player out of bands. It reports whether the player was in the band that the
// old score was read from, if that is one of them.
func (w *writing) leave(ctx context.Context, left []Band, was string) (stood bool, err error) {
	stood = true
	sent := w.s.wave()
	for _, place := range left {
		sent.add(place.Database, take(place.Key, w.Player), func(r upstash.Reply) error {
			n, err := r.Int64()
			stood = stood && (n == 1 || place.Key != was)
			return err
		})
	}
	_, err = sent.run(ctx)
	return stood, err
}

// settle answers for a write that may have crossed another write of the same player, on its way
// or cut off, or that was itself sent twice.
func (w *writing) settle(ctx context.Context) (Outcome, error) {
	w.s.loosenAside(ctx, w.b, w.Player) // another write that is on its way may still arrive later
	current, err := w.s.Settle(ctx, w.b, w.Player)
	if err != nil {
		return Outcome{}, err
	}
	status := game.Kept
	switch {
	case current.Stored != w.Stored, w.changed == 0 && !w.again:
	case !w.old.Found:
		status = game.Accepted
	case w.old.Stored != w.Stored:
		status = game.Improved
	}
	return Outcome{status, current}, nil
}

func (w *writing) outcome(status game.Status) Outcome {
	return Outcome{status, w.v.standing(w.v.bandIndex(w.b, w.now.Stored), w.now)}
}

// standing turns a place in a band into a standing on the board.
func (v *view) standing(band int, at redis.Place) Standing {
	rank := v.above(band) + at.Position + 1
	return Standing{Stored: at.Stored, Rank: rank, Total: max(v.total(), rank), Counted: v.counted()}
}
