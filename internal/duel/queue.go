package duel

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/upstash"
)

// Queue brings players together who wait for an opponent. It is safe for
// concurrent use.
type Queue struct {
	duels   *Store
	redis   *upstash.Client
	rules   game.DuelQueue
	now     func() time.Time
	waiting waitingRoom
}

// Queue is where players find each other for duels of a Store.
func (s *Store) Queue() *Queue { return s.queue }

// joinScript puts a player into the queue, or says that the player was seen,
// and finds who waits near by.
//
// KEYS: queue, queued, match of the player, ratings
// ARGV: player, now, start, cap, nearest, away
// Answer: {calls, "matched", duel} or {calls, "queued", since, rating, player, rating, times…}
var joinScript = upstash.NewScript(`
local match = redis.call('GET', KEYS[3])
if match then return {1, 'matched', match} end
local player, now = ARGV[1], tonumber(ARGV[2])
local rating = redis.call('ZSCORE', KEYS[4], player) or ARGV[3]
local since = ARGV[2]
local was = redis.call('HGET', KEYS[2], player)
if was then
  local joined, seen = string.match(was, '^(%d+) (%d+)$')
  if joined and now - tonumber(seen) <= tonumber(ARGV[6]) then since = joined end
end
redis.call('HSET', KEYS[2], player, since .. ' ' .. ARGV[2])
redis.call('ZADD', KEYS[1], rating, player)
local cap = tonumber(ARGV[4])
local near = redis.call('ZRANGEBYSCORE', KEYS[1], rating, string.format('%.17g', rating + cap),
  'WITHSCORES', 'LIMIT', 0, ARGV[5])
local below = redis.call('ZREVRANGEBYSCORE', KEYS[1], '(' .. rating, string.format('%.17g', rating - cap),
  'WITHSCORES', 'LIMIT', 0, ARGV[5])
for i = 1, #below do near[#near + 1] = below[i] end
local query = {'HMGET', KEYS[2]}
for i = 1, #near, 2 do query[#query + 1] = near[i] end
local times = redis.call(unpack(query))
local answer = {8, 'queued', since, rating}
for i = 1, #near, 2 do
  answer[#answer + 1] = near[i]
  answer[#answer + 1] = near[i + 1]
  answer[#answer + 1] = times[(i + 1) / 2] or ''
end
return answer
`, innerCalls)

// Place is where a player stands in the queue.
type Place struct {
	Since  time.Time
	Rating float64
	Window float64 // how far an opponent's rating may be off by now
}

// Join looks for an opponent: it answers with the duel where there is one, else
// with the place in the queue. It is asked again every few seconds; who stops
// asking leaves the queue. A player whom the queue has given a duel gets that
// one until it is over.
//
// Cost: 9 billed commands in 1 round trip for who comes; then, where this process
// knows that nobody can have come near enough, 1, and 2 where the player was last
// seen a while ago; 2 round trips and 21 commands for who finds an opponent.
func (q *Queue) Join(ctx context.Context, player, mode string) (game.Duel, Place, error) {
	if place, waits, err := q.stillWaits(ctx, player, mode); err != nil || waits {
		return game.Duel{}, place, err
	}
	for {
		d, place, near, err := q.join(ctx, player, mode)
		if err != nil || d.ID != "" {
			return d, place, err
		}
		d, again, err := q.meet(ctx, player, mode, place, near.now)
		if err != nil {
			return d, place, err
		}
		if again {
			continue
		}
		if d.ID == "" {
			q.waiting.note(player, mode, place, q.now(), near.next)
		}
		return d, place, nil
	}
}

// join answers with the duel that was found for the player, or with who is near.
func (q *Queue) join(ctx context.Context, player, mode string) (game.Duel, Place, nearby, error) {
	now := q.now()
	match := game.DuelMatchKey(mode, player)
	for {
		reply, err := q.redis.Do(ctx, joinScript.Command(
			[]string{game.DuelQueueKey(mode), game.DuelQueuedKey(mode), match, game.DuelKey},
			player, millis(now), game.FormatStored(q.duels.rules.Start), game.FormatStored(q.rules.Cap), itoa(nearest),
			strconv.FormatInt(q.rules.Away.Milliseconds(), 10),
		).Idempotent())
		if err != nil {
			return game.Duel{}, Place{}, nearby{}, fmt.Errorf("join the queue: %w", err)
		}
		texts, err := reply.Strings()
		if err != nil {
			return game.Duel{}, Place{}, nearby{}, err
		}
		if len(texts) == 3 && texts[1] == "matched" {
			d, err := q.duels.Duel(ctx, strings.Clone(texts[2]))
			if err == nil && d.State == game.DuelReady {
				return d, Place{}, nearby{}, nil
			}
			if err != nil && !errors.Is(err, ErrUnknown) {
				return game.Duel{}, Place{}, nearby{}, err
			}
			if _, err := q.redis.Do(ctx, upstash.Cmd("DEL", match).Idempotent()); err != nil {
				return game.Duel{}, Place{}, nearby{}, fmt.Errorf("forget a duel that is over: %w", err)
			}
			continue
		}
		place, near, err := q.queued(player, texts, now)
		return game.Duel{}, place, near, err
	}
}

// queued reads joinScript's answer, without the player and who has gone away.
func (q *Queue) queued(player string, texts []string, now time.Time) (Place, nearby, error) {
	if len(texts) < 4 || (len(texts)-4)%3 != 0 {
		return Place{}, nearby{}, fmt.Errorf("the queue answered %d values", len(texts))
	}
	p := parser{}
	place := Place{Since: p.time(texts[2]), Rating: p.number(texts[3])}
	place.Window = q.rules.WindowAfter(now.Sub(place.Since))
	var near []waiter
	for i := 4; i < len(texts); i += 3 {
		joined, seen, ok := strings.Cut(texts[i+2], " ")
		if texts[i] == player || !ok {
			continue
		}
		w := waiter{player: strings.Clone(texts[i]), rating: p.number(texts[i+1]), since: p.time(joined), seen: p.time(seen)}
		if now.Sub(w.seen) <= q.rules.Away {
			near = append(near, w)
		}
	}
	return place, q.within(place, near, now), p.err
}

// Leave takes a player out of the queue. A duel that was found stays.
//
// Cost: 2 billed commands in 1 round trip.
func (q *Queue) Leave(ctx context.Context, player, mode string) error {
	q.waiting.forget(player, mode)
	result, err := q.redis.Pipeline(ctx,
		upstash.Cmd("HDEL", game.DuelQueuedKey(mode), player).Idempotent(),
		upstash.Cmd("ZREM", game.DuelQueueKey(mode), player).Idempotent(),
	)
	if err == nil {
		err = result.Err()
	}
	if err != nil {
		return fmt.Errorf("leave the queue: %w", err)
	}
	return nil
}
