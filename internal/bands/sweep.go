package bands

import (
	"cmp"
	"context"
	"slices"

	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

// Drift is how many more entries the bands have than the homes have players. Such entries were
// left by writes that were cut off, or are those of writes on their way. No rank is too large
// by more than this. While a board's homes are filled, Drift means nothing.
//
// Cost: 1 billed command for each band and each home, in 1 round trip.
//
// Errors: ErrNoBands.
func (s *Bands) Drift(ctx context.Context, b Board) (int64, error) {
	v, err := s.view(ctx, b)
	if err != nil {
		return 0, err
	}
	inBands, inHomes := make([]int64, len(v.Bands)), make([]int64, v.Homes)
	w := s.wave()
	for i, band := range v.Bands {
		w.add(band.Database, b.count(band), redis.IntInto(&inBands[i]))
	}
	for n := range inHomes {
		home := v.share(b, n)
		w.add(home.Database, upstash.Cmd("ZCARD", home.Key), redis.IntInto(&inHomes[n]))
	}
	if _, err := w.run(ctx); err != nil {
		return 0, redis.Wrap("count bands and homes", err)
	}
	drift := int64(0)
	for _, n := range inBands {
		drift += n
	}
	for _, n := range inHomes {
		drift -= n
	}
	return drift, nil
}

// Swept is how far a sweep has come; the zero value is its beginning.
type Swept struct {
	Set    int    // sorted sets that are done: the bands come first, then the homes
	Cursor string // in the next set; empty: its beginning
	Found  int    // players who were settled
	Done   bool
}

// sweptAtOnce is about how many entries one step of a sweep looks at.
const sweptAtOnce = 10_000

// Sweep looks through bands and homes for players who are in a band with a score that their
// home does not have, or who are missing in the band of their home's score, and settles each.
// It takes steps steps and returns how far it has come. Other requests go on meanwhile.
//
// Cost for each step: 1 billed command, and 1 for each home or band that its players
// are in.
//
// Errors: ErrNoBands.
func (s *Bands) Sweep(ctx context.Context, b Board, at Swept, steps int) (Swept, error) {
	for ; steps > 0 && !at.Done; steps-- {
		v, err := s.view(ctx, b)
		if err != nil {
			return at, err
		}
		if at, err = (sweeping{s, b, v}).step(ctx, at); err != nil {
			return at, redis.Wrap("sweep the bands of "+b.Key, err)
		}
	}
	return at, nil
}

// sweeping is one step of a sweep.
type sweeping struct {
	s *Bands
	b Board
	v *view
}

func (w sweeping) step(ctx context.Context, at Swept) (Swept, error) {
	s, b, v := w.s, w.b, w.v
	sets := slices.Clip(v.all())
	bands := len(sets)
	for n := range v.Homes {
		sets = append(sets, v.share(b, n))
	}
	if at.Set >= len(sets) {
		at.Done = true
		return at, nil
	}
	set := sets[at.Set]
	next, entries, err := s.scan(ctx, set, cmp.Or(at.Cursor, "0"))
	if err != nil {
		return at, err
	}
	if at.Set < bands { // what a split has left in the old band belongs to the new one
		entries = slices.DeleteFunc(entries, func(e Entry) bool { return !set.isIn(v.places(b, e.Stored)) })
	}
	current, err := w.currentPlaces(ctx, entries, at.Set < bands)
	if err != nil {
		return at, err
	}
	for i, e := range entries {
		if current[i].Found && current[i].Stored == e.Stored {
			continue
		}
		if _, err := s.Settle(ctx, b, e.Player); err != nil && !isNotOn(err) {
			return at, err
		}
		at.Found++
	}
	if at.Cursor = next; next == "0" {
		at.Set, at.Cursor = at.Set+1, ""
	}
	return at, nil
}

// currentPlaces reads what the players of a band's entries have in their homes, or those of a
// home's entries in the bands that their scores belong to.
func (w sweeping) currentPlaces(ctx context.Context, entries []Entry, atHome bool) ([]redis.Place, error) {
	players, current := make([]string, len(entries)), make([]redis.Place, len(entries))
	for i, e := range entries {
		players[i] = e.Player
	}
	asks := w.s.wave()
	if atHome {
		w.v.askScores(w.b, asks, players, current)
	} else {
		byBand := gathered[int]{}
		for i, e := range entries {
			byBand.add(w.v.Bands[w.v.bandIndex(w.b, e.Stored)], i)
		}
		for _, g := range byBand.groups {
			w.v.askShare(asks, g.Band, g.all, players, current)
		}
	}
	_, err := asks.run(ctx)
	return current, err
}

// scan reads the next entries of a sorted set. It returns where to go on, "0" at the end.
func (s *views) scan(ctx context.Context, set Band, from string) (next string, entries []Entry, err error) {
	err = s.ask(ctx, set.Database, upstash.Cmd("ZSCAN", set.Key, from, "COUNT", redis.Itoa(sweptAtOnce)), func(r upstash.Reply) error {
		parts, err := redis.Values(r, 2, "a cursor with members")
		if err != nil {
			return err
		}
		if err := entriesInto(&entries)(parts[1]); err != nil {
			return err
		}
		next, err = parts[0].Text()
		return err
	})
	return next, entries, err
}

// Each reads all players with their scores, home by home. If a player's score changes
// meanwhile, it may show the player twice.
//
// Cost: 1 billed command for every 10,000 players and for each home.
//
// Errors: ErrNoBands.
func (s *Bands) Each(ctx context.Context, b Board, page func([]Entry) error) error {
	v, err := s.view(ctx, b)
	if err != nil {
		return err
	}
	sets := []Band{v.Bands[0]}
	if v.Filling == nil {
		sets = nil
		for n := range v.Homes {
			sets = append(sets, v.share(b, n))
		}
	}
	for _, set := range sets {
		for at := "0"; ; {
			next, entries, err := s.scan(ctx, set, at)
			if err == nil && len(entries) > 0 {
				err = page(entries)
			}
			if err != nil {
				return redis.Wrap("read "+set.Key, err)
			}
			if at = next; at == "0" {
				break
			}
		}
	}
	return nil
}
