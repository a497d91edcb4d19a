package bands

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/rdb"
	"github.com/framedle/leaderboards/upstash"
)

// Layout reads a board's layout. Errors: ErrNoBands.
func (s *views) Layout(ctx context.Context, b Board) (*Layout, error) {
	v, err := s.read(ctx, b)
	switch {
	case err != nil:
		return nil, err
	case v.Layout == nil:
		return nil, ErrNoBands
	}
	return v.Layout, nil
}

// Birth is what a board of bands begins with.
type Birth struct {
	// Homes is how many homes the players are spread over. It never changes, so it must be
	// enough for the most players that the board may come to have, at [MostInRecord] each.
	Homes int
	// Edges are the worst scores of all bands but the last, best first. None: one band.
	Edges []float64
}

// MostInRecord is how many players fit into one record of Upstash's, which holds 100 MB on
// pay-as-you-go plans.
const MostInRecord = 900_000

// Create makes an empty board of bands. A board that has bands already keeps them.
//
// Errors: those of a layout with wrong edges.
func (s *Bands) Create(ctx context.Context, b Board, birth Birth) error {
	l := s.born(birth)
	l.Bands = nil
	for _, edge := range birth.Edges {
		l.Bands = append(l.Bands, s.newBand(b, l, &edge))
	}
	l.Bands = append(l.Bands, s.newBand(b, l, nil))
	if err := l.check(b); err != nil {
		return err
	}
	redis, err := s.dbs.named(s.dbs.first())
	if err != nil {
		return err
	}
	_, err = redis.Do(ctx, upstash.Cmd(append(s.living(b, "SET", game.BandsKey(b.Key), l.text()), "NX")...).Idempotent())
	s.forget(b)
	return rdb.Wrap("make the bands of "+b.Key, err)
}

func (s *views) born(birth Birth) *Layout {
	return &Layout{Version: 1, Homes: max(birth.Homes, 1), Spread: s.dbs.names, Next: 1}
}

// newBand takes the next number for a band.
func (s *views) newBand(b Board, l *Layout, from *float64) Band {
	key := game.BandKey(b.Key, l.Next)
	l.Next++
	return Band{Key: key, Database: choose(s.dbs.names, key), From: from}
}

// changeScript replaces a layout, if it is still the one that the new one was made from.
//
// KEYS: layout
// ARGV: old layout, new layout, Unix milliseconds of its expiry or ""
// Answer: {calls, 1 or 0}
var changeScript = rdb.NewScript(`
local stands = call('GET', KEYS[1])
if stands == ARGV[2] then return answer(1) end
if (stands or '') ~= ARGV[1] then return answer(0) end
if ARGV[3] == '' then call('SET', KEYS[1], ARGV[2]) else call('SET', KEYS[1], ARGV[2], 'PXAT', ARGV[3]) end
return answer(1)
`)

// errChanged is returned when another process has changed the layout first.
var errChanged = errors.New("another process has changed the board's layout")

// change replaces a layout; was is the text that the caller has read. Errors: errChanged, if
// the layout has changed since.
func (s *views) change(ctx context.Context, b Board, was string, l *Layout) error {
	if err := l.check(b); err != nil {
		return err
	}
	redis, err := s.dbs.named(s.dbs.first())
	if err != nil {
		return err
	}
	ends := ""
	if !b.Ends.IsZero() {
		ends = rdb.Itoa(b.Ends.UnixMilli())
	}
	reply, err := redis.Do(ctx, changeScript.Command([]string{game.BandsKey(b.Key)}, was, l.text(), ends).Idempotent())
	s.forget(b)
	if err != nil {
		return rdb.Wrap("change the bands of "+b.Key, err)
	}
	if n, err := rdb.Count(reply, "whether it was changed"); err != nil || n != 1 {
		return cmp.Or(err, fmt.Errorf("%s: %w", b.Key, errChanged))
	}
	return nil
}

// Recount makes the next reader of the board count its bands anew.
func Recount(ctx context.Context, s *Bands, b Board) error {
	redis, err := s.dbs.named(s.dbs.first())
	if err != nil {
		return err
	}
	_, err = redis.Do(ctx, upstash.Cmd("DEL", game.BandCountsKey(b.Key)).Idempotent())
	s.forget(b)
	return rdb.Wrap("have the bands counted of "+b.Key, err)
}
