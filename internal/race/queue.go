package race

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/rdb"
	"github.com/framedle/leaderboards/upstash"
)

const (
	// nearest is how many races on either side of a rating are looked at.
	nearest = 4
	// queueTries is how often the queue is looked at anew in one request, where
	// those who wait are quicker than it.
	queueTries = 8
)

// findScript names the races that wait near a player's rating, and opens one
// where there is none but those that the process has looked at already: so of two
// who come at once, one finds the other's.
//
// ARGV: …, mode, size, until, how far off a race may be, how many on either side,
// "open" or "": whether one may be opened, its text or empty, races looked at…
// Answer: {calls, "near", rating, race, its opener's rating…}, or that of a race
var findScript = rdb.NewScript(header + seating + `
local mode, size, ends, cap, most, may, text = ARGV[17], ARGV[18], ARGV[19], tonumber(ARGV[20]), ARGV[21], ARGV[22], ARGV[23]
if race.state then return says('new') end
if overtaken() then return says('again') end
local rating = ratingOf(player)
local passed = {}
for i = 24, #ARGV do passed[ARGV[i]] = true end
local near = {calls, 'near', rating}
local function look(found)
  for i = 1, #found, 2 do
    if not passed[found[i]] then
      near[#near + 1] = found[i]
      near[#near + 1] = found[i + 1]
    end
  end
end
look(call('ZRANGEBYSCORE', open, rating, string.format('%.17g', rating + cap), 'WITHSCORES', 'LIMIT', 0, most))
look(call('ZREVRANGEBYSCORE', open, '(' .. rating, string.format('%.17g', rating - cap), 'WITHSCORES', 'LIMIT', 0, most))
if #near > 3 or may == '' then
  near[1] = calls
  return near
end
make(mode, size, rating, ends, text)
return says('new')
`)

// near is a race of the queue.
type near struct {
	id  string
	off float64 // from the player's rating
}

// Queue has a player join a race of the mode that waits, the nearest by rating, or
// opens one. Asked again it answers with the race that the player is in. Errors:
// ErrUnknown where the game has no races, ErrElsewhere.
//
// Cost: 14 billed commands in 2 round trips for who opens a race; 14 in 4 for who
// joins one, 3 more where that starts it and 2 for a provisional K, and that of
// Options.MayMeet for each race that is near; 1 more for each race that was looked at in
// vain, and for who has raced before. Asked again 2 in 2, and what See costs more; 6
// more for who waits alone, at most every 2 s.
func (s *Store) Queue(ctx context.Context, player, mode string) (game.Race, error) {
	if s.off() {
		return game.Race{}, ErrUnknown
	}
	q := &queueing{s: s, player: player, mode: mode, id: s.newID()}
	for range queueTries {
		r, done, err := q.try(ctx)
		if err != nil || done {
			return r, err
		}
	}
	return game.Race{}, ErrFull
}

// queueing is one request for a race of the queue.
type queueing struct {
	s                *Store
	player, mode, id string
	passed           []string // races that were looked at in vain
}

// try is one look at the queue; done is false where it has changed meanwhile.
func (q *queueing) try(ctx context.Context) (r game.Race, done bool, err error) {
	last, under, err := q.s.last(ctx, q.player)
	if err != nil {
		return r, false, err
	}
	if under {
		if last.Mode != q.mode {
			return r, false, ErrElsewhere
		}
		r, err := q.stay(ctx, last)
		return r, err != nil || r.ID != "", err
	}
	return q.seek(ctx, last.ID, true)
}

// stay answers with the race that the player is in, unless the player waits alone
// and there is another now: then the player leaves it.
func (q *queueing) stay(ctx context.Context, r game.Race) (game.Race, error) {
	s := q.s
	seat := r.Seats[r.Seat(q.player)]
	if now := s.now(); s.due(r, now) || r.State == game.RaceWaiting && now.Sub(seat.SeenAt) >= seenEvery {
		ticked, err := s.tick(ctx, r, q.player)
		if err != nil || ticked.Seat(q.player) < 0 {
			return game.Race{}, err
		}
		r = ticked
	}
	if r.State != game.RaceWaiting || !r.Open || len(r.Seats) > 1 || s.now().Sub(r.CreatedAt) < seenEvery {
		return r, nil
	}
	q.passed = append(q.passed, r.ID)
	found, err := q.find(ctx, r.ID, false)
	if err != nil || len(found.near) == 0 {
		return r, err
	}
	better, err := q.which(ctx, found.near)
	if err != nil {
		return r, err
	}
	// Only for one who has waited longer: else two would change places for ever.
	older := func(o game.Race) bool {
		return cmp.Or(o.CreatedAt.Compare(r.CreatedAt), cmp.Compare(o.ID, r.ID)) < 0
	}
	if !slices.ContainsFunc(better, older) {
		return r, nil
	}
	_, err = s.leave(ctx, r, q.player, "alone")
	return game.Race{}, err
}

// seek joins the first race that will have the player, or opens one.
func (q *queueing) seek(ctx context.Context, last string, open bool) (game.Race, bool, error) {
	found, err := q.find(ctx, last, open)
	if err != nil || found.again || found.race.ID != "" {
		return found.race, found.race.ID != "", err
	}
	races, err := q.which(ctx, found.near)
	if err != nil {
		return game.Race{}, false, err
	}
	for _, r := range races {
		joined, again, err := q.s.join(ctx, r, q.player, last)
		switch {
		case errors.Is(err, ErrFull) || errors.Is(err, ErrUnknown):
			q.passed = append(q.passed, r.ID)
			continue
		case err != nil || !again:
			return joined, true, err
		}
		return game.Race{}, false, nil
	}
	return game.Race{}, false, nil
}

// found is what findScript answers.
type found struct {
	again bool
	race  game.Race // that was opened
	near  []near
}

func (q *queueing) find(ctx context.Context, last string, open bool) (f found, err error) {
	s, may := q.s, ""
	if open {
		may = "open"
	}
	text, err := s.text(q.mode)
	if err != nil {
		return f, err
	}
	args := append(s.seating(q.player, last), q.mode, strconv.Itoa(s.rules.Players), rdb.Millis(s.now().Add(s.rules.Invite)),
		game.FormatStored(s.ratings.Queue.Cap), strconv.Itoa(nearest), may, text)
	reply, err := s.redis.Do(ctx, s.command(findScript, q.id, q.mode, []string{game.RacesOfKey(q.player)}, append(args, q.passed...)...))
	if err != nil {
		return f, fmt.Errorf("look for a race: %w", err)
	}
	texts, err := reply.Strings()
	if err != nil || len(texts) < 2 || texts[1] != "near" {
		says, err := answered(q.id, reply)
		if f.again = says.verdict == "again"; !f.again {
			f.race = says.race
		}
		return f, err
	}
	p := rdb.Fields{}
	rating := p.Number(texts[2])
	for i := 3; i+1 < len(texts); i += 2 {
		f.near = append(f.near, near{texts[i], math.Abs(p.Number(texts[i+1]) - rating)})
	}
	return f, p.Err
}

// which reads races that are near and returns those that the player may join, the
// nearest first, and of two equally near the one that waits longer. The others are
// not looked at again; those that wait no more are taken off the queue.
func (q *queueing) which(ctx context.Context, some []near) (may []game.Race, err error) {
	s, now := q.s, q.s.now()
	ids, off := make([]string, len(some)), map[string]float64{}
	for i, n := range some {
		ids[i], off[n.id] = n.id, n.off
	}
	races, err := s.read(ctx, ids)
	if err != nil {
		return nil, err
	}
	var stale []string
	for i, r := range races {
		if r.State != game.RaceWaiting {
			stale = append(stale, ids[i])
			q.passed = append(q.passed, ids[i])
			continue
		}
		apart := error(nil)
		if off[r.ID] > s.ratings.Queue.WindowAfter(now.Sub(r.CreatedAt)) {
			apart = ErrUnknown
		} else {
			apart = s.know(ctx, r, q.player)
		}
		switch {
		case errors.Is(apart, ErrUnknown):
			q.passed = append(q.passed, r.ID)
		case apart != nil:
			return nil, apart
		default:
			may = append(may, r)
		}
	}
	slices.SortFunc(may, func(a, b game.Race) int {
		return cmp.Or(cmp.Compare(off[a.ID], off[b.ID]), a.CreatedAt.Compare(b.CreatedAt), cmp.Compare(a.ID, b.ID))
	})
	if len(stale) > 0 {
		if _, err := s.redis.Do(ctx, upstash.Cmd(append([]string{"ZREM", game.RacesOpenKey(q.mode)}, stale...)...).Idempotent()); err != nil {
			return nil, fmt.Errorf("clear the queue of races: %w", err)
		}
	}
	return may, nil
}

// LeaveQueue takes a player out of the race that waits; one that has started stays.
//
// Cost: 2 billed commands in 2 round trips; for who waits 4 more in 1, and 2 where nobody
// is left.
func (s *Store) LeaveQueue(ctx context.Context, player string) error {
	if s.off() {
		return ErrUnknown
	}
	r, under, err := s.last(ctx, player)
	if err != nil || !under || r.State != game.RaceWaiting {
		return err
	}
	_, err = s.leave(ctx, r, player, "waiting")
	return err
}
