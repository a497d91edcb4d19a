package bands

import (
	"context"
	"fmt"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/redis"
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
	last := redis.Place{}
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
				return Standing{}, redis.Wrap("settle a player", err)
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
func (s *Bands) standBy(ctx context.Context, b Board, player string, home redis.Place) (Standing, error) {
	v, err := s.view(ctx, b)
	if err != nil {
		return Standing{}, err
	}
	at := home
	i := v.bandIndex(b, home.Stored)
	if err := s.ask(ctx, v.Bands[i].Database, b.ahead(v.Bands[i].Key, home.Stored), redis.IntInto(&at.Position)); err != nil {
		return Standing{}, redis.Wrap("rank the player in the band", err)
	}
	return v.standing(i, at), s.loosen(ctx, b, player)
}

// look is all that is known of one player at a moment.
type look struct {
	s      *Bands
	b      Board
	v      *view
	player string
	home   redis.Place
	bands  []Band // in which the player may be,
	found  []redis.Place
}

func (s *Bands) lookFor(ctx context.Context, b Board, v *view, player string) (*look, error) {
	l := &look{s: s, b: b, v: v, player: player, bands: v.all()}
	l.found = make([]redis.Place, len(l.bands))
	asks := s.wave()
	for i, band := range l.bands {
		asks.add(band.Database, upstash.Cmd("ZSCORE", band.Key, player), redis.ScoreInto(&l.found[i]))
	}
	home := v.home(b, player)
	asks.add(home.Database, upstash.Cmd("ZSCORE", home.Key, player), redis.ScoreInto(&l.home))
	_, err := asks.run(ctx)
	return l, redis.Wrap("look for a player in all bands", err)
}

// mend returns the commands that make the bands agree with the home.
func (l *look) mend() *wave {
	w, home := l.s.wave(), l.v.home(l.b, l.player)
	var best redis.Place
	for _, f := range l.found {
		if f.Found && (!best.Found || l.b.Better(f.Stored, best.Stored)) {
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
		its := band.isIn(places)
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
			return redis.Wrap("take a player out of all bands", err)
		}
	}
	return nil
}

// loosen notes players to be settled later.
func (s *views) loosen(ctx context.Context, b Board, players ...string) error {
	if len(players) == 0 {
		return nil
	}
	args := []string{"ZADD", game.BandLooseKey(b.Key)}
	for _, player := range players {
		args = append(args, redis.Itoa(s.set.Now().UnixMilli()), player)
	}
	_, err := s.dbs.first().Do(ctx, upstash.Cmd(args...).Idempotent())
	return err
}

// loosenPatience is how long a failed write may take to note its players as loose.
const loosenPatience = 2 * time.Second

// loosenAside notes the players of a failed write, whose context may be over. If that fails,
// nothing is lost: [Bands.Sweep] finds players who are in a wrong band.
func (s *views) loosenAside(ctx context.Context, b Board, players ...string) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), loosenPatience)
	defer cancel()
	_ = s.loosen(ctx, b, players...)
}

// tightenedScript forgets a loose player, unless the player was left loose again.
//
// KEYS: the loose players
// ARGV: player, Unix milliseconds
// Answer: {calls}
var tightenedScript = redis.NewScript(`
local since = call('ZSCORE', KEYS[1], ARGV[1])
if since and tonumber(since) <= tonumber(ARGV[2]) then call('ZREM', KEYS[1], ARGV[1]) end
return answer()
`)

// Tighten settles players who were left loose so long ago that no write of that time can still
// be on its way.
//
// Cost: 1 billed command, and for each player that of [Bands.Settle] and 1.
func (s *Bands) Tighten(ctx context.Context, b Board, most int) (settled int, err error) {
	client, loose := s.dbs.first(), game.BandLooseKey(b.Key)
	long := redis.Itoa(s.set.Now().Add(-s.set.Grace).UnixMilli())
	reply, err := client.Do(ctx, upstash.Cmd("ZRANGE", loose, "-inf", long, "BYSCORE", "LIMIT", "0", redis.Itoa(int64(most))))
	if err != nil {
		return 0, redis.Wrap("read who is loose", err)
	}
	players, err := reply.Strings()
	if err != nil {
		return 0, err
	}
	for _, player := range players {
		if _, err := s.Settle(ctx, b, player); err != nil && !isNotOn(err) {
			return settled, err
		}
		if _, err := client.Do(ctx, tightenedScript.Command([]string{loose}, player, long).Idempotent()); err != nil {
			return settled, redis.Wrap("forget who was loose", err)
		}
		settled++
	}
	return settled, nil
}

// putScript replaces a player's score in a home, if it is still the one that the caller has
// seen.
//
// KEYS: home
// ARGV: player, score it had, score it gets or ""
// Answer: {calls}
var putScript = redis.NewScript(`
local current = call('ZSCORE', KEYS[1], ARGV[1])
if not current or tonumber(current) ~= tonumber(ARGV[2]) then return answer() end
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
func (s *Bands) Put(ctx context.Context, b Board, player string, had float64, gets redis.Place) error {
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
			return redis.Wrap("take an entry out of its band", err)
		}
		if _, err := homes.run(ctx); err != nil {
			return redis.Wrap("take an entry back at home", err)
		}
		if !gets.Found {
			continue
		}
		enter := s.wave()
		for _, place := range v.places(b, gets.Stored) {
			enter.add(place.Database, b.put(place.Key, Entry{player, gets.Stored}), nil)
		}
		if _, err := enter.run(ctx); err != nil {
			return redis.Wrap("put an entry into its band", err)
		}
	}
	return fmt.Errorf("the entry of %q on %s changes all the time; do it again", player, b.Key)
}
