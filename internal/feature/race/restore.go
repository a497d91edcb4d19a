package race

import (
	"context"
	"fmt"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

// restoreScript makes a race that does not exist, and puts it on its players' lists.
//
// KEYS: race, lists of its players
// ARGV: seconds that the race lives, seconds that a list lives, id, when the race was made,
// fields and values…
// Answer: {calls, 1 if it was made}
var restoreScript = redis.NewScript(`
local made = 1 - call('EXISTS', KEYS[1])
if made == 1 then
  call('HSET', KEYS[1], unpack(ARGV, 5))
  call('EXPIRE', KEYS[1], ARGV[1])
end
for i = 2, #KEYS do
  call('ZADD', KEYS[i], ARGV[4], ARGV[3])
  call('EXPIRE', KEYS[i], ARGV[2])
end
return answer(made)
`)

// Restore restores from the history the races that Redis would still have, so that repeated
// requests get their first answers. It counts them. Races that were under way when Redis was
// lost are void. With dryRun it only counts.
//
// Cost: for each race 4 billed commands, and 2 for each of its players; 1 for each with
// dryRun.
func (k *Keeper) Restore(ctx context.Context, dryRun bool) (made int, err error) {
	s := k.s
	if s.off() || s.history == nil {
		return 0, nil
	}
	now := s.now()
	err = s.history.Since(ctx, now.Add(-s.rules.Keep), func(page []Race) error {
		var cmds []upstash.Command
		for _, r := range page {
			if dryRun {
				cmds = append(cmds, upstash.Cmd("EXISTS", RecordKey(r.ID)))
				continue
			}
			keys := []string{RecordKey(r.ID)}
			for _, seat := range r.Seats {
				if seat.Player != Erased {
					keys = append(keys, game.RacesOfKey(seat.Player))
				}
			}
			left := max(time.Minute, r.CreatedAt.Add(s.rules.Keep).Sub(now))
			cmds = append(cmds, restoreScript.Command(keys, append([]string{
				redis.Seconds(left), redis.Seconds(s.rules.Keep), r.ID, redis.Millis(r.CreatedAt),
			}, record(r)...)...).Idempotent())
		}
		result, err := s.redis.Pipeline(ctx, cmds...)
		if err == nil {
			err = result.Err()
		}
		if err != nil {
			return fmt.Errorf("restore races: %w", err)
		}
		for _, reply := range result.Replies {
			n, err := restored(reply, dryRun)
			if err != nil {
				return err
			}
			made += n
		}
		return nil
	})
	return made, err
}

// restored is 1 if a race was made, or would be.
func restored(r upstash.Reply, dryRun bool) (int, error) {
	if dryRun {
		there, err := r.Int64()
		return int(1 - there), err
	}
	made, err := redis.Count(r, "whether a race was made")
	return int(made), err
}
