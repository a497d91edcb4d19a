package bands

import (
	"context"
	"slices"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

// Run is a part of a board, best first.
type Run struct {
	Entries  []Entry
	Position int64 // of the first entry, zero-based; as exact as [Standing.Rank]
	Total    int64 // players on the board, never fewer than Position and Entries show
	More     bool  // whether the board has entries after these
	Counted  time.Time
}

// Page reads entries from a position on.
//
// Cost: 1 billed command in 1 round trip for each band that the entries are in.
//
// Errors: ErrNoBands.
func (s *Bands) Page(ctx context.Context, b Board, offset, limit int64) (Run, error) {
	v, err := s.view(ctx, b)
	if err != nil {
		return Run{}, err
	}
	i, first := 0, offset
	for i < len(v.Bands)-1 && first > 0 && first >= v.counts.Players[v.Bands[i].Key] {
		first -= v.counts.Players[v.Bands[i].Key]
		i++
	}
	r := reading{s: s, b: b, v: v, want: limit + 1}
	err = r.down(ctx, i, first)
	return r.run(offset, limit), redis.Wrap("read a page of bands", err)
}

// After reads the entries after a given one, which may have left the board since. It neither
// repeats nor skips players who have not moved.
//
// Cost: 2 billed commands in 1 round trip, and 1 in another for each further band that the
// entries are in; if more than a hundred entries tie with the given one, up to 8 more.
//
// Errors: ErrNoBands.
func (s *Bands) After(ctx context.Context, b Board, last Entry, limit int64) (Run, error) {
	v, err := s.view(ctx, b)
	if err != nil {
		return Run{}, err
	}
	i := v.bandIndex(b, last.Stored)
	r := reading{s: s, b: b, v: v, want: limit + 1}
	ahead, err := r.behind(ctx, i, last)
	if err == nil && !r.full() {
		err = r.down(ctx, i+1, 0)
	}
	return r.run(v.above(i)+ahead, limit), redis.Wrap("read on in bands", err)
}

// Around reads reach entries above and below a player.
//
// Cost: that of [Bands.Rank], and 1 billed command in 1 round trip for each band that the
// entries are in.
//
// Errors: ErrNotOnBoard, ErrNoBands.
func (s *Bands) Around(ctx context.Context, b Board, player string, known redis.Place, reach int64) (Run, Standing, error) {
	for range tries {
		current, err := s.Rank(ctx, b, player, known, false)
		if err != nil {
			return Run{}, Standing{}, err
		}
		v, err := s.view(ctx, b)
		if err != nil {
			return Run{}, Standing{}, err
		}
		i := v.bandIndex(b, current.Stored)
		at := current.Rank - 1 - v.above(i) // in the band
		up := reading{s: s, b: b, v: v, want: reach - min(at, reach)}
		if err := up.up(ctx, i-1); err != nil {
			return Run{}, Standing{}, redis.Wrap("read above a player", err)
		}
		down := reading{s: s, b: b, v: v, want: min(at, reach) + reach + 2, got: up.got}
		down.want += int64(len(up.got))
		if err := down.down(ctx, i, max(0, at-reach)); err != nil {
			return Run{}, Standing{}, redis.Wrap("read around a player", err)
		}
		is := func(e Entry) bool { return e.Player == player }
		if n := slices.IndexFunc(down.got, is); n >= 0 {
			first := max(0, n-int(reach))
			down.got = down.got[first:]
			run := down.run(max(0, current.Rank-1-int64(n-first)), int64(n-first)+reach+1)
			return run, current, nil
		}
		known = redis.Place{} // the player has moved
	}
	return Run{}, Standing{}, ErrNotOnBoard
}

// reading gathers entries from bands.
type reading struct {
	s    *Bands
	b    Board
	v    *view
	want int64
	got  []Entry
}

func (r *reading) full() bool { return int64(len(r.got)) >= r.want }

// add keeps entries of a band. It skips players who have left the band or are already among
// the better entries.
func (r *reading) add(band Band, entries []Entry) {
	for _, e := range entries {
		if r.full() || band.From != nil && !r.b.reaches(e.Stored, *band.From) {
			return
		}
		if !slices.ContainsFunc(r.got, func(had Entry) bool { return had.Player == e.Player }) {
			r.got = append(r.got, e)
		}
	}
}

// down reads from a position in a band, and continues in the bands after it.
func (r *reading) down(ctx context.Context, i int, first int64) error {
	for ; i < len(r.v.Bands) && !r.full(); i++ {
		band := r.v.Bands[i]
		left := r.want - int64(len(r.got))
		var entries []Entry
		if err := r.s.ask(ctx, band.Database, r.b.positions(band.Key, first, first+left-1), entriesInto(&entries)); err != nil {
			return err
		}
		r.add(band, entries)
		first = 0
	}
	return nil
}

// up reads the last entries of a band, and continues in the bands above it; got stays
// best first.
func (r *reading) up(ctx context.Context, i int) error {
	for ; i >= 0 && !r.full(); i-- {
		band := r.v.Bands[i]
		from := game.FormatStored(*band.From) // only the last has none
		var entries []Entry
		if err := r.s.ask(ctx, band.Database, r.b.upwards(band.Key, from, "", r.want-int64(len(r.got))), entriesInto(&entries)); err != nil {
			return err
		}
		slices.Reverse(entries)
		r.got = append(entries, r.got...)
	}
	return nil
}

// tiesAtOnce is how many entries more than a page a first try reads, since entries may tie with
// the given one.
const tiesAtOnce = 100

// behind reads the entries of a band after a given one. It returns how many entries of the
// band come before what it has read.
func (r *reading) behind(ctx context.Context, i int, last Entry) (ahead int64, err error) {
	band, score := r.v.Bands[i], game.FormatStored(last.Stored)
	for size := r.want + tiesAtOnce; ; size *= 4 {
		var entries []Entry
		w := r.s.wave()
		w.add(band.Database, r.b.ahead(band.Key, last.Stored), redis.IntInto(&ahead))
		w.add(band.Database, r.b.downwards(band, score, size), entriesInto(&entries))
		if _, err := w.run(ctx); err != nil {
			return 0, err
		}
		n := 0
		for n < len(entries) && r.b.compare(entries[n], last) <= 0 {
			n++
		}
		if int64(len(entries)-n) >= r.want || int64(len(entries)) < size {
			r.add(band, entries[n:])
			return ahead + int64(n), nil
		}
	}
}

// downwards reads a band from a score on, best first.
func (b Board) downwards(band Band, score string, most int64) upstash.Command {
	low, high := b.bounds(band.From)
	args := []string{"ZRANGE", band.Key, score, low, "BYSCORE", "REV"}
	if b.Order == game.Asc {
		args = []string{"ZRANGE", band.Key, score, high, "BYSCORE"}
	}
	return upstash.Cmd(append(args, "LIMIT", "0", redis.Itoa(most), "WITHSCORES")...)
}

func (r *reading) run(position, limit int64) Run {
	run := Run{Entries: r.got, Position: position, More: int64(len(r.got)) > limit, Counted: r.v.counted()}
	run.Entries = run.Entries[:min(int64(len(run.Entries)), limit)]
	run.Total = max(r.v.total(), position+int64(len(r.got)))
	if len(r.got) == 0 {
		run.Total = r.v.total()
	}
	return run
}
