package bands

import (
	"context"

	"github.com/framedle/leaderboards/internal/rdb"
	"github.com/framedle/leaderboards/upstash"
)

// mostSettling is how often Settle looks at a player at most, if the entry changes every time.
const mostSettling = 8

// Settle makes the bands agree with what the home says of a player, from any state, and returns
// the player's standing. It may run any number of times, late, and while others write:
//
//   - A score in a band that is better than the home's is one that its writer did not bring to
//     the home. Settle writes it there.
//   - A score in a band that is not the home's is taken out: the home is past it.
//   - A score of the home that its band does not have is put there. The player may improve
//     meanwhile, so Settle looks at everything once more.
//
// Cost: 1 billed command for the home and 1 for each band, in 1 round trip, until nothing is
// left to do: twice as much if something was.
//
// Errors: ErrNotOnBoard, ErrNoBands.
func (s *Bands) Settle(ctx context.Context, b Board, player string) (Standing, error) {
	last := rdb.Place{}
	for range mostSettling {
		v, err := s.view(ctx, b)
		if err != nil {
			return Standing{}, err
		}
		if v.Filling != nil { // the homes are not filled yet: the one band is right
			return s.standAt(ctx, b, v, player, 0, false)
		}
		look, err := s.lookFor(ctx, b, v, player)
		if err != nil {
			return Standing{}, err
		}
		last = look.home
		switch mend := look.mend(); {
		case len(mend.names) > 0:
			if _, err := mend.run(ctx); err != nil {
				return Standing{}, rdb.Wrap("settle a player", err)
			}
		case !look.home.Found:
			return Standing{}, ErrNotOnBoard
		default:
			standing, err := s.standAt(ctx, b, v, player, look.home.Stored, false)
			if err == nil || !isNotOn(err) {
				return standing, err
			}
		}
	}
	if !last.Found {
		return Standing{}, ErrNotOnBoard
	}
	return s.standBy(ctx, b, player, last)
}

// standBy answers for a player whose entry changes all the time: with the standing of the score
// at home. It notes the player as loose, to be settled later.
func (s *Bands) standBy(ctx context.Context, b Board, player string, home rdb.Place) (Standing, error) {
	v, err := s.view(ctx, b)
	if err != nil {
		return Standing{}, err
	}
	at := home
	i := v.of(b, home.Stored)
	w := s.wave()
	w.add(v.Bands[i].Database, b.ahead(v.Bands[i].Key, home.Stored), rdb.IntInto(&at.Position))
	if _, err := w.run(ctx); err != nil {
		return Standing{}, rdb.Wrap("rank the player in the band", err)
	}
	return v.standing(i, at), s.loosen(ctx, b, player)
}

// look is all that is known of one player at a moment.
type look struct {
	s      *Bands
	b      Board
	v      *view
	player string
	home   rdb.Place
	bands  []Band // in which the player may be,
	found  []rdb.Place
}

func (s *Bands) lookFor(ctx context.Context, b Board, v *view, player string) (*look, error) {
	l := &look{s: s, b: b, v: v, player: player, bands: v.all()}
	l.found = make([]rdb.Place, len(l.bands))
	asks := s.wave()
	for i, band := range l.bands {
		asks.add(band.Database, upstash.Cmd("ZSCORE", band.Key, player), rdb.ScoreInto(&l.found[i]))
	}
	home := v.home(b, player)
	asks.add(home.Database, upstash.Cmd("ZSCORE", home.Key, player), rdb.ScoreInto(&l.home))
	_, err := asks.run(ctx)
	return l, rdb.Wrap("look for a player in all bands", err)
}

// mend returns the commands that make the bands agree with the home.
func (l *look) mend() *wave {
	w, home := l.s.wave(), l.v.home(l.b, l.player)
	var best rdb.Place
	for _, f := range l.found {
		if f.Found && (!best.Found || l.b.better(f.Stored, best.Stored)) {
			best = f
		}
	}
	if best.Found && (!l.home.Found || l.b.replaces(best.Stored, l.home.Stored)) {
		w.add(home.Database, l.b.put(home.Key, Entry{l.player, best.Stored}), nil)
		return w // and look again
	}
	if !l.home.Found {
		return w
	}
	places := l.v.places(l.b, l.home.Stored)
	for i, band := range l.bands {
		its := len(without([]Band{band}, places)) == 0
		switch f := l.found[i]; {
		case its && (!f.Found || f.Stored != l.home.Stored):
			if f.Found && l.b.First { // under First, put would keep the score that is there
				w.add(band.Database, take(band.Key, l.player), nil)
			}
			w.add(band.Database, l.b.put(band.Key, Entry{l.player, l.home.Stored}), nil)
		case !its && f.Found:
			w.add(band.Database, take(band.Key, l.player), nil)
		}
	}
	return w
}

// Remove takes a player off the board, and out of the home last: a call that fails has to be
// made again, and then still finds the player there. Settling takes out anything that is left.
//
// Cost: 1 billed command for the home and 1 for each band, in 2 round trips.
func (s *Bands) Remove(ctx context.Context, b Board, player string) error {
	v, err := s.view(ctx, b)
	if err != nil {
		return err
	}
	home := v.home(b, player)
	for _, sets := range [][]Band{v.all(), {home}} {
		w := s.wave()
		for _, set := range sets {
			w.add(set.Database, take(set.Key, player), nil)
		}
		if _, err := w.run(ctx); err != nil {
			return rdb.Wrap("take a player out of all bands", err)
		}
	}
	return nil
}
