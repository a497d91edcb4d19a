package bands

import (
	"cmp"
	"context"

	"github.com/framedle/leaderboards/internal/rdb"
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
		w.add(band.Database, b.count(band), rdb.IntInto(&inBands[i]))
	}
	for n := range inHomes {
		home := v.share(b, n)
		w.add(home.Database, upstash.Cmd("ZCARD", home.Key), rdb.IntInto(&inHomes[n]))
	}
	if _, err := w.run(ctx); err != nil {
		return 0, rdb.Wrap("count bands and homes", err)
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
			return at, rdb.Wrap("sweep the bands of "+b.Key, err)
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
	sets := v.all()[:len(v.all()):len(v.all())]
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
	var wrong []string
	if at.Set < bands {
		wrong, err = w.notAtHome(ctx, set, entries)
	} else {
		wrong, err = w.notInBand(ctx, entries)
	}
	if err != nil {
		return at, err
	}
	for _, player := range wrong {
		if _, err := s.Settle(ctx, b, player); err != nil && !isNotOn(err) {
			return at, err
		}
		at.Found++
	}
	if at.Cursor = next; next == "0" {
		at.Set, at.Cursor = at.Set+1, ""
	}
	return at, nil
}

// scan reads the next entries of a sorted set. It returns where to go on, "0" at the end.
func (s *views) scan(ctx context.Context, set Band, from string) (next string, entries []Entry, err error) {
	redis, err := s.dbs.named(set.Database)
	if err != nil {
		return "", nil, err
	}
	reply, err := redis.Do(ctx, upstash.Cmd("ZSCAN", set.Key, from, "COUNT", rdb.Itoa(sweptAtOnce)))
	if err != nil {
		return "", nil, err
	}
	parts, err := rdb.Values(reply, 2, "a cursor with members")
	if err != nil {
		return "", nil, err
	}
	if err := entriesInto(&entries)(parts[1]); err != nil {
		return "", nil, err
	}
	next, err = parts[0].Text()
	return next, entries, err
}

// notAtHome returns the players of a band who have another score, or none, in their homes. It
// skips entries that a split has left in the old band, since they belong to the new one.
func (w sweeping) notAtHome(ctx context.Context, band Band, entries []Entry) (wrong []string, err error) {
	its := entries[:0]
	for _, e := range entries {
		if len(without([]Band{band}, w.v.places(w.b, e.Stored))) == 0 {
			its = append(its, e)
		}
	}
	players := playersOf(its)
	stands := make([]rdb.Place, len(players))
	asks := w.s.wave()
	w.v.askScores(w.b, asks, players, stands)
	if _, err := asks.run(ctx); err != nil {
		return nil, err
	}
	for i, e := range its {
		if !stands[i].Found || stands[i].Stored != e.Stored {
			wrong = append(wrong, e.Player)
		}
	}
	return wrong, nil
}

// notInBand returns the players of a home who do not have their score in the band that it
// belongs to.
func (w sweeping) notInBand(ctx context.Context, entries []Entry) (wrong []string, err error) {
	players := playersOf(entries)
	byBand := gathered[int]{}
	for i, e := range entries {
		byBand.add(w.v.Bands[w.v.of(w.b, e.Stored)], i)
	}
	stands := make([]rdb.Place, len(players))
	asks := w.s.wave()
	for _, g := range byBand.groups {
		w.v.askShare(asks, g.Band, g.all, players, stands)
	}
	if _, err := asks.run(ctx); err != nil {
		return nil, err
	}
	for i, e := range entries {
		if !stands[i].Found || stands[i].Stored != e.Stored {
			wrong = append(wrong, e.Player)
		}
	}
	return wrong, nil
}

func playersOf(entries []Entry) []string {
	players := make([]string, len(entries))
	for i, e := range entries {
		players[i] = e.Player
	}
	return players
}
