package duel

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

// joinScript puts a player into the queue, or updates when the player was last seen, and
// finds waiting players with near ratings. It deletes a match that the process has seen to be
// over.
//
// KEYS: queue, queued, match of the player, ratings
// ARGV: player, now, rule of ratings, cap, nearest, away, match that is over or empty
// Answer: {calls, "matched", duel} or {calls, "queued", since, rating, player, rating, times…}
var joinScript = redis.NewScript(redis.Ratings + `
local queue, queued = KEYS[1], KEYS[2]
local player, now, rule, cap, nearest, away, over = unpack(ARGV)
local match = call('GET', KEYS[3])
if match and match == over then
  call('DEL', KEYS[3])
  match = nil
end
if match then return answer('matched', match) end
local rating = string.format('%.17g', (ratingsBy(rule).read(call('ZSCORE', KEYS[4], player))))
local since = now
local was = call('HGET', queued, player)
if was then
  local joined, seen = string.match(was, '^(%d+) (%d+)$')
  if joined and tonumber(now) - tonumber(seen) <= tonumber(away) then since = joined end
end
call('HSET', queued, player, since .. ' ' .. now)
call('ZADD', queue, rating, player)
local near = call('ZRANGEBYSCORE', queue, rating, string.format('%.17g', rating + tonumber(cap)),
  'WITHSCORES', 'LIMIT', 0, nearest)
local below = call('ZREVRANGEBYSCORE', queue, '(' .. rating, string.format('%.17g', rating - tonumber(cap)),
  'WITHSCORES', 'LIMIT', 0, nearest)
for i = 1, #below do near[#near + 1] = below[i] end
local query = {'HMGET', queued}
for i = 1, #near, 2 do query[#query + 1] = near[i] end
local times = call(unpack(query))
local answer = {calls, 'queued', since, rating}
for i = 1, #near, 2 do
  answer[#answer + 1] = near[i]
  answer[#answer + 1] = near[i + 1]
  answer[#answer + 1] = times[(i + 1) / 2] or ''
end
return answer
`)

// joined is the answer of joinScript: the duel that was found for the player; or since when
// and with which rating the player waits, and the near players. These include the player, and
// players who have stopped asking.
type joined struct {
	match  string
	since  time.Time
	rating float64
	near   []waiter
}

func readJoined(r upstash.Reply) (j joined, err error) {
	texts, err := r.Strings()
	if err != nil {
		return j, err
	}
	if len(texts) == 3 && texts[1] == "matched" {
		j.match = strings.Clone(texts[2])
		return j, nil
	}
	if len(texts) < 4 || (len(texts)-4)%3 != 0 {
		return j, fmt.Errorf("the queue answered %d values", len(texts))
	}
	p := redis.Fields{}
	j.since, j.rating = p.Time(texts[2]), p.Number(texts[3])
	for entry := range slices.Chunk(texts[4:], 3) {
		player, rating, times := entry[0], entry[1], entry[2]
		if since, seen, ok := strings.Cut(times, " "); ok {
			j.near = append(j.near, waiter{player: strings.Clone(player), rating: p.Number(rating), since: p.Time(since), seen: p.Time(seen)})
		}
	}
	return j, p.Err
}

// join returns the duel that was found for the player, or the waiting players nearby.
func (q *Queue) join(ctx context.Context, player, mode string) (Duel, Place, nearby, error) {
	now := q.now()
	over := "" // id of a match that this request has seen to be over
	for {
		reply, err := q.redis.Do(ctx, joinScript.Command(
			[]string{game.DuelQueueKey(mode), game.DuelQueuedKey(mode), game.DuelMatchKey(mode, player), game.DuelKey},
			player, redis.Millis(now), redis.RatingRule(q.duels.rules.Start, q.duels.rules.Decay, now), game.FormatStored(q.rules.Cap), strconv.Itoa(nearest),
			strconv.FormatInt(q.rules.Away.Milliseconds(), 10), over,
		).Idempotent())
		if err != nil {
			return Duel{}, Place{}, nearby{}, fmt.Errorf("join the queue: %w", err)
		}
		says, err := readJoined(reply)
		if err != nil {
			return Duel{}, Place{}, nearby{}, err
		}
		if says.match == "" {
			place := Place{Since: says.since, Rating: says.rating, Window: q.rules.WindowAfter(now.Sub(says.since))}
			others := slices.DeleteFunc(says.near, func(w waiter) bool { return w.player == player || now.Sub(w.seen) > q.rules.Away })
			return Duel{}, place, q.within(place, others, now), nil
		}
		d, err := q.duels.Duel(ctx, says.match)
		if err == nil && d.State == Ready {
			return d, Place{}, nearby{}, nil
		}
		if err != nil && !errors.Is(err, ErrUnknown) {
			return Duel{}, Place{}, nearby{}, err
		}
		over = says.match
	}
}
