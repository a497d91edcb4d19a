package race

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/upstash"
)

// seenEvery is the least time between two notes that a player, who waits or sends progress,
// is still there. It must be well below the least value of Rules.Silent.
const seenEvery = 2 * time.Second

// See reads a race for a player who is in it, or who may join it. First it makes the changes
// that are due by the clock. Errors: ErrUnknown, also if the race has somebody whom the
// player may not meet.
//
// Cost: 1 billed command in 1 round trip, and that of Options.MayMeet for a race that the
// player is not in. 3 more in 1 for a player who waits, at most every 2 s; up to 7 more if it
// starts or decides the race.
func (s *Store) See(ctx context.Context, id, player string) (Race, error) {
	r, err := s.race(ctx, id)
	if err != nil {
		return Race{}, err
	}
	at := r.Seat(player)
	if at < 0 {
		if r.State != Waiting {
			return Race{}, ErrUnknown
		}
		if err := s.know(ctx, r, player); err != nil {
			return Race{}, err
		}
	}
	now := s.now()
	waits := r.State == Waiting && at >= 0
	if waits && now.Sub(r.Seats[at].SeenAt) >= seenEvery || s.isDue(r, now) {
		return s.tick(ctx, r, player)
	}
	return r, nil
}

// Look reads a race for all players in it. First it makes the changes that are due by the
// clock. Errors: ErrUnknown.
//
// Cost: that of See.
func (s *Store) Look(ctx context.Context, id string) (Race, error) {
	r, err := s.race(ctx, id)
	if err == nil && s.isDue(r, s.now()) {
		return s.tick(ctx, r, "")
	}
	return r, err
}

// Next is the next moment at which the clock changes a race, if nothing else does.
func (s *records) Next(r Race) time.Time {
	next := r.Until
	sooner := func(at time.Time) {
		if at.After(s.now()) && at.Before(next) {
			next = at
		}
	}
	if !r.PairedAt.IsZero() {
		sooner(r.PairedAt.Add(s.rules.Wait))
	}
	sooner(r.StartsAt)
	for _, seat := range r.Seats {
		if seat.Score == nil && !seat.Left && !seat.SeenAt.IsZero() {
			sooner(seat.SeenAt.Add(s.rules.Silent))
		}
	}
	return next
}

// isDue reports whether the clock has changed a race: whether tick in header would change it.
func (s *records) isDue(r Race, now time.Time) bool {
	switch r.State {
	case Waiting:
		for _, seat := range r.Seats {
			if now.Sub(seat.SeenAt) > s.rules.Silent {
				return true
			}
		}
		return !r.PairedAt.IsZero() && now.Sub(r.PairedAt) >= s.rules.Wait || now.UnixMilli() > r.Until.UnixMilli()
	case Started:
		for _, seat := range r.Seats {
			silent := !seat.SeenAt.IsZero() && now.Sub(seat.SeenAt) > s.rules.Silent
			if seat.Score == nil && !seat.Left && !silent {
				return now.UnixMilli() > r.Until.UnixMilli()
			}
		}
		return true
	}
	return false
}

// race reads a race as it is stored in Redis.
func (s *records) race(ctx context.Context, id string) (Race, error) {
	if s.off() {
		return Race{}, ErrUnknown
	}
	found, err := s.read(ctx, []string{id})
	if err == nil && found[0].ID == "" {
		err = ErrUnknown
	}
	if err != nil {
		return Race{}, err
	}
	return found[0], nil
}

// know returns ErrUnknown if a race has somebody whom the player may not meet.
func (s *Store) know(ctx context.Context, r Race, player string) error {
	var others []string
	for _, seat := range r.Seats {
		if seat.Player != Erased {
			others = append(others, seat.Player)
		}
	}
	if len(others) == 0 {
		return nil
	}
	err := s.mayMeet(ctx, player, others...)
	if errors.Is(err, ErrRefused) {
		return ErrUnknown
	}
	return err
}

// read reads races in one round trip. A race that does not exist has an empty id.
func (s *records) read(ctx context.Context, ids []string) ([]Race, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	cmds := make([]upstash.Command, len(ids))
	for i, id := range ids {
		cmds[i] = upstash.Cmd("HGETALL", RecordKey(id))
	}
	result, err := s.redis.Pipeline(ctx, cmds...)
	if err == nil {
		err = result.Err()
	}
	if err != nil {
		return nil, fmt.Errorf("read races: %w", err)
	}
	races := make([]Race, len(ids))
	for i, reply := range result.Replies {
		pairs, err := reply.Strings()
		if err == nil {
			races[i], err = raceOf(ids[i], pairs)
		}
		if err != nil {
			return nil, fmt.Errorf("read the race %s: %w", ids[i], err)
		}
	}
	return races, nil
}

// last is the player's latest race. under reports whether it keeps the player from another
// race: it waits, or awaits the player's result. If Redis no longer has the race, only its id
// is set.
func (s *records) last(ctx context.Context, player string) (r Race, under bool, err error) {
	reply, err := s.redis.Do(ctx, upstash.Cmd("ZREVRANGE", game.RacesOfKey(player), "0", "0"))
	if err != nil {
		return r, false, fmt.Errorf("look for a player's race: %w", err)
	}
	ids, err := reply.Strings()
	if err != nil || len(ids) == 0 {
		return r, false, err
	}
	id := ids[0]
	found, err := s.read(ctx, []string{id})
	if err != nil {
		return r, false, err
	}
	r, r.ID = found[0], id
	return r, s.holds(r, player), nil
}

// holds reports whether a race keeps a player from another race.
func (s *records) holds(r Race, player string) bool {
	at, now := r.Seat(player), s.now()
	if at < 0 || now.UnixMilli() > r.Until.UnixMilli() {
		return false
	}
	seat := r.Seats[at]
	silent := !seat.SeenAt.IsZero() && now.Sub(seat.SeenAt) > s.rules.Silent
	switch r.State {
	case Waiting:
		return !silent
	case Started:
		return seat.Score == nil && !seat.Left && !silent
	}
	return false
}
