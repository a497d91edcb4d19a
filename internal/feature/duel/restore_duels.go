package duel

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

// restoreScript makes the duels that do not exist. In existing ones it shows players as erased
// who have been erased since: a run that was cut off may have made these duels before the
// erasure.
//
// KEYS: duels
// ARGV: of each: seconds to live, how many arguments follow, fields and values
// Answer: {calls, 1 for each that was made and 0 for each that existed…}
var restoreScript = redis.NewScript(`
local made, at = {}, 1
for i = 1, #KEYS do
  local n = tonumber(ARGV[at + 1])
  made[i] = 1 - call('EXISTS', KEYS[i])
  if made[i] == 1 then
    call('HSET', KEYS[i], unpack(ARGV, at + 2, at + 1 + n))
    call('EXPIRE', KEYS[i], ARGV[at])
  else
    for field = at + 2, at + 1 + n, 2 do
      if ARGV[field + 1] == '` + Erased + `' then call('HSET', KEYS[i], ARGV[field], ARGV[field + 1]) end
    end
  end
  at = at + 2 + n
end
return answer(unpack(made))
`)

// duels restores the duels that Redis would still have, so that a repeated request gets its
// first answer and counts once.
func (r *restore) duels(ctx context.Context) error {
	now := r.k.now()
	return r.k.history.Since(ctx, now.Add(-life(r.k.rules)), func(page []Duel) error {
		for some := range slices.Chunk(page, restoreDuels) {
			if err := r.some(ctx, now, some); err != nil {
				return err
			}
		}
		return nil
	})
}

func (r *restore) some(ctx context.Context, now time.Time, some []Duel) error {
	if r.dryRun {
		absent, err := r.absent(ctx, some)
		r.report.Duels += absent
		return err
	}
	var keys, args []string
	for _, d := range some {
		pairs := record(d)
		keys = append(keys, game.DuelRecordKey(d.ID))
		args = append(args, redis.Seconds(max(time.Second, d.CreatedAt.Add(life(r.k.rules)).Sub(now))), strconv.Itoa(len(pairs)))
		args = append(args, pairs...)
	}
	var made []int64
	reply, err := r.k.redis.Do(ctx, restoreScript.Command(keys, args...).Idempotent())
	if err == nil {
		made, err = redis.Counts(reply, len(some), "whether each duel was made")
	}
	if err != nil {
		return fmt.Errorf("restore duels: %w", err)
	}
	lists := map[string][]string{}
	for i, d := range some {
		// The lists get all duels, also those that existed: they may have been made by an
		// earlier try whose answer was lost.
		for _, player := range d.Players {
			if player != Erased {
				lists[player] = append(lists[player], redis.Millis(d.CreatedAt), d.ID)
			}
		}
		r.report.Duels += int(made[i])
	}
	var cmds []upstash.Command
	for player, entries := range lists {
		key := game.DuelsOfKey(player)
		cmds = append(cmds, upstash.Cmd(append([]string{"ZADD", key}, entries...)...).Idempotent(),
			upstash.Cmd("EXPIRE", key, redis.Seconds(life(r.k.rules))).Idempotent())
	}
	result, err := r.k.redis.Pipeline(ctx, cmds...)
	if err == nil {
		err = result.Err()
	}
	if err != nil {
		return fmt.Errorf("restore the lists of duels: %w", err)
	}
	return nil
}

// absent counts the duels that Redis does not have.
func (r *restore) absent(ctx context.Context, some []Duel) (n int, err error) {
	ids := make([]string, len(some))
	for i, d := range some {
		ids[i] = d.ID
	}
	there, err := r.k.duels.read(ctx, ids)
	for _, d := range there {
		if d.ID == "" {
			n++
		}
	}
	return n, err
}
