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
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

const (
	// nearest is how many races above and below a rating are read.
	nearest = 4
	// queueTries is how often one request looks at the queue again, if other players change
	// it meanwhile.
	queueTries = 8
)

// findScript lists the waiting races near a player's rating. If the process has looked at all
// of them, the script opens a race in the same step, so that of two concurrent players the
// second finds the first one's race.
//
// ARGV: …, mode, size, until, how far off the rating of a race may be, how many races above and
// below, "open" if a race may be opened or "", its text or "", races looked at…
// Answer: {calls, "near", rating, race, its opener's rating…}, or that of a race
var findScript = redis.NewScript(header + seating + `
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

// near is a race near a player's rating.
type near struct {
	id  string
	off float64 // from the player's rating
}

// Queue lets a player join the nearest waiting race of the mode by rating, or opens one. A
// repeated call returns the race that the player is in. Errors: ErrUnknown if the game has no
// races, ErrElsewhere.
//
// Cost: 14 billed commands in 2 round trips for a player who opens a race; 14 in 4 for one
// who joins, 3 more if that starts the race and 2 for a provisional K, and that of
// Options.MayMeet for each near race; 1 more for each race that was looked at in vain, and
// for a player who has raced before. A repeated call costs 2 in 2, and what See costs more; 6
// more for a player who waits alone, at most every 2 s.
func (s *Store) Queue(ctx context.Context, player, mode string) (Race, error) {
	if s.off() {
		return Race{}, ErrUnknown
	}
	q := &queueing{s: s, player: player, mode: mode, id: s.newID()}
	for range queueTries {
		r, done, err := q.try(ctx)
		if err != nil || done {
			return r, err
		}
	}
	return Race{}, ErrFull
}

// queueing is one request to Queue.
type queueing struct {
	s                *Store
	player, mode, id string
	passed           []string // races that were looked at in vain
}

// try looks at the queue once; done is false if the queue has changed meanwhile.
func (q *queueing) try(ctx context.Context) (r Race, done bool, err error) {
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

// stay returns the race that the player is in. But a player who waits alone leaves if another
// race has opened, and the zero Race is returned.
func (q *queueing) stay(ctx context.Context, r Race) (Race, error) {
	s := q.s
	seat := r.Seats[r.Seat(q.player)]
	if now := s.now(); s.isDue(r, now) || r.State == Waiting && now.Sub(seat.SeenAt) >= seenEvery {
		ticked, err := s.tick(ctx, r, q.player)
		if err != nil || ticked.Seat(q.player) < 0 {
			return Race{}, err
		}
		r = ticked
	}
	if r.State != Waiting || !r.Open || len(r.Seats) > 1 || s.now().Sub(r.CreatedAt) < seenEvery {
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
	// The other race must have waited longer: otherwise two players could swap races for
	// ever.
	older := func(o Race) bool {
		return cmp.Or(o.CreatedAt.Compare(r.CreatedAt), cmp.Compare(o.ID, r.ID)) < 0
	}
	if !slices.ContainsFunc(better, older) {
		return r, nil
	}
	_, err = s.leave(ctx, r, q.player, "alone")
	return Race{}, err
}

// seek joins the first race that accepts the player, or opens one.
func (q *queueing) seek(ctx context.Context, last string, open bool) (Race, bool, error) {
	found, err := q.find(ctx, last, open)
	if err != nil || found.again || found.race.ID != "" {
		return found.race, found.race.ID != "", err
	}
	races, err := q.which(ctx, found.near)
	if err != nil {
		return Race{}, false, err
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
		return Race{}, false, nil
	}
	return Race{}, false, nil
}

// findReply is the answer of findScript.
type findReply struct {
	again bool
	race  Race // the race that was opened
	near  []near
}

func (q *queueing) find(ctx context.Context, last string, open bool) (f findReply, err error) {
	s, may := q.s, ""
	if open {
		may = "open"
	}
	text, err := s.text(q.mode)
	if err != nil {
		return f, err
	}
	args := append(s.seating(q.player, last), q.mode, strconv.Itoa(s.rules.Players), redis.Millis(s.now().Add(s.rules.Invite)),
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
	p := redis.Fields{}
	rating := p.Number(texts[2])
	for i := 3; i+1 < len(texts); i += 2 {
		f.near = append(f.near, near{texts[i], math.Abs(p.Number(texts[i+1]) - rating)})
	}
	return f, p.Err
}

// which reads near races and returns those that the player may join: the nearest first, and
// of two equally near the one that has waited longer. It remembers the others, so that they
// are not read again, and removes those that no longer wait from the queue.
func (q *queueing) which(ctx context.Context, some []near) (may []Race, err error) {
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
		if r.State != Waiting {
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
	slices.SortFunc(may, func(a, b Race) int {
		return cmp.Or(cmp.Compare(off[a.ID], off[b.ID]), a.CreatedAt.Compare(b.CreatedAt), cmp.Compare(a.ID, b.ID))
	})
	if len(stale) > 0 {
		if _, err := s.redis.Do(ctx, upstash.Cmd(append([]string{"ZREM", OpenKey(q.mode)}, stale...)...).Idempotent()); err != nil {
			return nil, fmt.Errorf("clear the queue of races: %w", err)
		}
	}
	return may, nil
}

// LeaveQueue takes a player out of a waiting race; the player stays in a started one.
//
// Cost: 2 billed commands in 2 round trips; for a player who waits 4 more in 1, and 2 if
// nobody is left.
func (s *Store) LeaveQueue(ctx context.Context, player string) error {
	if s.off() {
		return ErrUnknown
	}
	r, under, err := s.last(ctx, player)
	if err != nil || !under || r.State != Waiting {
		return err
	}
	_, err = s.leave(ctx, r, player, "waiting")
	return err
}
