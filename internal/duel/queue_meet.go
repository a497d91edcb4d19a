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
	"github.com/framedle/leaderboards/upstash"
)

// nearest is how many waiting players on either side are looked at.
const nearest = 32

// waiter is somebody in the queue.
type waiter struct {
	player      string
	rating      float64
	since, seen time.Time
}

// nearby are those who wait: who is near enough now, and when the next of them
// will be, as far as anybody has come yet; zero: never.
type nearby struct {
	now  []waiter
	next time.Time
}

// within sorts those near enough, the nearest first, and of two equally near the
// one who waits longer. The wider window of the two counts: else whoever has
// waited long would wait until others have, too.
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

// takeScript makes a duel of two players who both still wait.
//
// KEYS: duel, due, played, list of a, list of b, queue, queued, match of a, match of b
// ARGV: id, a, b, mode, now, until, seconds to live, seconds of the match, stake…
var takeScript = upstash.NewScript(header+stake+`
if f[1] ~= '' then return answer('new') end
local there = call('ZMSCORE', KEYS[6], ARGV[2], ARGV[3])
if not there[1] or not there[2] then return answer('gone') end
call('HDEL', KEYS[7], ARGV[2], ARGV[3])
call('ZREM', KEYS[6], ARGV[2], ARGV[3])
set(1, 'ready')
set(2, ARGV[2])
set(3, ARGV[3])
set(4, ARGV[4])
set(5, ARGV[5])
set(6, ARGV[6])
stake(KEYS[3], ARGV[9], ARGV[10], ARGV[11])
call('ZADD', KEYS[2], ARGV[6], ARGV[1])
call('ZADD', KEYS[4], ARGV[5], ARGV[1])
call('ZADD', KEYS[5], ARGV[5], ARGV[1])
call('SET', KEYS[8], ARGV[1], 'EX', ARGV[8])
call('SET', KEYS[9], ARGV[1], 'EX', ARGV[8])
local done = answer('new')
redis.call('EXPIRE', KEYS[1], ARGV[7])
done[1] = done[1] + 1
return done
`, innerCalls)

// meet takes the first opponent who may be met and still waits. It reports
// again when the player has been taken meanwhile.
func (q *Queue) meet(ctx context.Context, player, mode string, place Place, near []waiter) (d game.Duel, again bool, err error) {
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
			id, player, w.player, mode, millis(now), millis(now.Add(q.duels.rules.Timeout)), seconds(q.duels.life()), seconds(q.duels.rules.Timeout),
		}, q.duels.stake()...)
		reply, err := q.redis.Do(ctx, takeScript.Command(keys, args...).Idempotent())
		if err != nil {
			return d, false, fmt.Errorf("make a duel from the queue: %w", err)
		}
		verdict, made, err := answered(id, reply)
		if err != nil {
			return d, false, err
		}
		if verdict == "new" {
			return made, false, nil
		}
		again = true // one of the two has left or was taken; asking anew tells which
	}
	return d, again, nil
}
