package bands

import (
	"context"
	"errors"
	"fmt"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/rdb"
	"github.com/framedle/leaderboards/upstash"
)

// putScript replaces a player's score in a home, if it is still the one that the caller has
// seen.
//
// KEYS: home
// ARGV: player, score it had, score it gets or ""
// Answer: {calls}
var putScript = rdb.NewScript(`
local stands = call('ZSCORE', KEYS[1], ARGV[1])
if not stands or tonumber(stands) ~= tonumber(ARGV[2]) then return answer() end
if ARGV[3] == '' then
  call('ZREM', KEYS[1], ARGV[1])
else
  call('ZADD', KEYS[1], ARGV[3], ARGV[1])
end
return answer()
`)

// Put replaces a player's entry by a worse one, or by none, after the score was removed from
// the board that it came from. Nothing else makes a home worse. If the entry is not the one
// that the caller has seen, Put leaves it.
//
// Put writes the bands before the home. A process that settles the player in between puts the
// old entry back into the bands, and Put finds that when it looks again. A call that was cut
// off has to be made again.
//
// Cost: 1 billed command for the home and 1 for each band, twice, and up to 4.
//
// Errors: ErrNoBands.
func Put(ctx context.Context, s *Bands, b Board, player string, had float64, gets rdb.Place) error {
	for range mostSettling {
		v, err := s.view(ctx, b)
		if err != nil {
			return err
		}
		look, err := s.lookFor(ctx, b, v, player)
		if err != nil {
			return err
		}
		if v.Filling != nil && !look.home.Found { // the homes are not filled yet: the one band is right
			look.home = look.found[0]
		}
		w, homes := s.wave(), s.wave()
		for i, band := range look.bands {
			f := look.found[i]
			if f.Found && f.Stored == had {
				w.add(band.Database, take(band.Key, player), nil)
			}
		}
		if look.home.Found && look.home.Stored == had {
			to := ""
			if gets.Found {
				to = game.FormatStored(gets.Stored)
			}
			home := v.home(b, player)
			homes.add(home.Database, putScript.Command([]string{home.Key}, player, game.FormatStored(had), to).Idempotent(), nil)
		}
		if len(w.names)+len(homes.names) == 0 {
			return nil
		}
		if _, err := w.run(ctx); err != nil {
			return rdb.Wrap("take an entry out of its band", err)
		}
		if _, err := homes.run(ctx); err != nil {
			return rdb.Wrap("take an entry back at home", err)
		}
		if !gets.Found {
			continue
		}
		enter := s.wave()
		for _, place := range v.places(b, gets.Stored) {
			enter.add(place.Database, b.put(place.Key, Entry{player, gets.Stored}), nil)
		}
		if _, err := enter.run(ctx); err != nil {
			return rdb.Wrap("put an entry into its band", err)
		}
	}
	return fmt.Errorf("the entry of %q on %s changes all the time; do it again", player, b.Key)
}

// Wipe deletes everything that a board of bands has in the databases that this process knows.
// It needs no layout, which may be lost too: it finds keys by their numbers.
//
// Cost: 1 billed command for each database.
func Wipe(ctx context.Context, s *Bands, b Board) error {
	w := s.wave()
	keys := wiped(b)
	for _, name := range s.dbs.names {
		w.add(name, upstash.Cmd(append([]string{"DEL"}, keys...)...).Idempotent(), nil)
	}
	_, err := w.run(ctx)
	s.forget(b)
	return rdb.Wrap("delete the bands of "+b.Key, err)
}

// mostBands is how many bands a board may have over time: a number is never used again.
const mostBands = 1000

// wiped are all keys that a board may have.
func wiped(b Board) []string {
	keys := []string{game.BandsKey(b.Key), game.BandCountsKey(b.Key), game.BandTurnKey(b.Key), game.BandLooseKey(b.Key), game.BandCarriedKey(b.Key), b.Key}
	for n := range mostHomes {
		keys = append(keys, game.BandHomesKey(b.Key, n))
	}
	for n := range int64(mostBands) {
		keys = append(keys, game.BandKey(b.Key, n))
	}
	return keys
}

// Kept reports whether a board is kept in bands.
//
// Cost: that of a layout, see [Bands.Rank]; 1 billed command every 10 s for a board that is not
// kept in bands.
func Kept(ctx context.Context, s *Bands, b Board) (bool, error) {
	_, err := s.view(ctx, b)
	if errors.Is(err, ErrNoBands) {
		return false, nil
	}
	return err == nil, err
}

// Each reads all players with their scores, home by home. If a player's score changes
// meanwhile, it may show the player twice.
//
// Cost: 1 billed command for every 10,000 players and for each home.
//
// Errors: ErrNoBands.
func Each(ctx context.Context, s *Bands, b Board, page func([]Entry) error) error {
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
				return rdb.Wrap("read "+set.Key, err)
			}
			if at = next; at == "0" {
				break
			}
		}
	}
	return nil
}
