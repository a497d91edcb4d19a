package duel

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/redis"
)

// nearest is how many waiting players above and below a rating are read.
const nearest = 32

// waiter is a player in the queue.
type waiter struct {
	player      string
	rating      float64
	since, seen time.Time
}

// nearby are the waiting players whose ratings are near enough now, and when the next of
// those who wait now will be near enough; zero: never.
type nearby struct {
	now  []waiter
	next time.Time
}

// within selects the players who are near enough, the nearest first; of two equally near, the
// one who has waited longer comes first. The wider window of two players decides, so that a
// player who has waited long need not wait until the others have too.
func (q *Queue) within(place Place, near []waiter, now time.Time) (found nearby) {
	off := func(w waiter) float64 { return math.Abs(w.rating - place.Rating) }
	for _, w := range near {
		since := place.Since
		if w.since.Before(since) {
			since = w.since
		}
		reached := since.Add(q.rules.WaitFor(off(w)))
		switch {
		case !reached.After(now):
			found.now = append(found.now, w)
		case off(w) <= q.rules.Cap && (found.next.IsZero() || reached.Before(found.next)):
			found.next = reached
		}
	}
	slices.SortFunc(found.now, func(a, b waiter) int {
		return cmp.Or(cmp.Compare(off(a), off(b)), a.since.Compare(b.since), strings.Compare(a.player, b.player))
	})
	return found
}

// takeScript makes a duel of two players if both still wait.
//
// KEYS: duel, due, played, list of a, list of b, queue, queued, match of a, match of b
// ARGV: id, a, b, mode, now, until, seconds to live, seconds of the match, stake…
var takeScript = redis.NewScript(header + stake + `
local id, a, b, mode, now, ends, life, match_life, k, provisional_duels, provisional_k = unpack(ARGV)
if duel.state ~= '' then return answer('new') end
local queue, queued = KEYS[6], KEYS[7]
local there = call('ZMSCORE', queue, a, b)
if not there[1] or not there[2] then return answer('left') end
call('HDEL', queued, a, b)
call('ZREM', queue, a, b)
set('state', 'ready')
set('a', a)
set('b', b)
set('mode', mode)
set('at', now)
set('until', ends)
stake(KEYS[3], k, provisional_duels, provisional_k)
call('ZADD', KEYS[2], ends, id)
for i = 4, 5 do call('ZADD', KEYS[i], now, id) end
for i = 8, 9 do call('SET', KEYS[i], id, 'EX', match_life) end
save()
call('EXPIRE', KEYS[1], life)
return answer('new')
`)

// meet makes a duel with the first opponent who may be met and still waits. again reports
// that one of the two no longer waits, so the caller has to join again.
func (q *Queue) meet(ctx context.Context, player, mode string, place Place, near []waiter) (d Duel, again bool, err error) {
	for _, w := range near {
		err := q.duels.mayDuel(ctx, player, w.player)
		if errors.Is(err, ErrRefused) {
			continue
		}
		if err != nil {
			return d, false, err
		}
		now := q.now()
		id := q.duels.newID()
		keys := []string{
			game.DuelRecordKey(id), game.DuelsDueKey, game.DuelsPlayedKey, game.DuelsOfKey(player), game.DuelsOfKey(w.player),
			game.DuelQueueKey(mode), game.DuelQueuedKey(mode), game.DuelMatchKey(mode, player), game.DuelMatchKey(mode, w.player),
		}
		args := append([]string{
			id, player, w.player, mode, redis.Millis(now), redis.Millis(now.Add(q.duels.rules.Timeout)), redis.Seconds(life(q.duels.rules)), redis.Seconds(q.duels.rules.Timeout),
		}, stakeOf(q.duels.rules)...)
		reply, err := q.redis.Do(ctx, takeScript.Command(keys, args...).Idempotent())
		if err != nil {
			return d, false, fmt.Errorf("make a duel from the queue: %w", err)
		}
		says, err := answered(id, reply)
		if err != nil {
			return d, false, err
		}
		if says.verdict == "new" {
			return says.duel, false, nil
		}
		again = true // one of the two has left or was taken; joining again finds out which
	}
	return d, again, nil
}
