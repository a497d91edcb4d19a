package duel

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

// openScript makes a duel that is under way, unless a duel with its id exists. If the duel
// should be hidden from the opponent, the opponent's list drops it when it is read.
//
// KEYS: duel, due, open challenges of a, list of a[, list of b]
// ARGV: id, state, until, made at, seconds to live, fields and values…
// Answer: {calls, 1 if it was made}
var openScript = redis.NewScript(`
if call('EXISTS', KEYS[1]) == 1 then return answer(0) end
call('HSET', KEYS[1], unpack(ARGV, 6))
call('EXPIRE', KEYS[1], ARGV[5])
call('ZADD', KEYS[2], ARGV[3], ARGV[1])
if ARGV[2] == 'waiting' then
  call('RPUSH', KEYS[3], ARGV[3] .. ' ' .. ARGV[1])
  call('EXPIRE', KEYS[3], ARGV[5])
end
for i = 4, #KEYS do
  call('ZADD', KEYS[i], ARGV[4], ARGV[1])
  call('EXPIRE', KEYS[i], ARGV[5])
end
return answer(1)
`)

// open restores duels that were under way. The next Keep ends those whose time is over, as if
// Redis had never lost them.
func (r *restore) open(ctx context.Context) error {
	return r.k.history.EachOpen(ctx, func(page []Duel) error {
		for some := range slices.Chunk(page, drainPage) {
			if r.dryRun {
				absent, err := r.absent(ctx, some)
				if err != nil {
					return err
				}
				r.report.Open += absent
				continue
			}
			if err := r.makeOpen(ctx, some); err != nil {
				return fmt.Errorf("restore duels under way: %w", err)
			}
		}
		return nil
	})
}

func (r *restore) makeOpen(ctx context.Context, some []Duel) error {
	cmds := make([]upstash.Command, len(some))
	for i, d := range some {
		keys := []string{game.DuelRecordKey(d.ID), game.DuelsDueKey, game.DuelsOpenKey(d.Players[0])}
		for _, player := range d.Players {
			if player != "" && player != Erased {
				keys = append(keys, game.DuelsOfKey(player))
			}
		}
		left := max(time.Hour, d.CreatedAt.Add(life(r.k.rules)).Sub(r.k.now())) // leaves time for Keep to see it
		cmds[i] = openScript.Command(keys, append([]string{
			d.ID, string(d.State), redis.Millis(d.Until), redis.Millis(d.CreatedAt), redis.Seconds(left),
		}, record(d)...)...).Idempotent()
	}
	result, err := r.k.redis.Pipeline(ctx, cmds...)
	if err == nil {
		err = result.Err()
	}
	if err != nil {
		return err
	}
	for _, reply := range result.Replies {
		made, err := redis.Count(reply, "whether a duel was made")
		if err != nil {
			return err
		}
		r.report.Open += int(made)
	}
	return nil
}
