package duel

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

// awayScript removes players from a queue, except those who have asked again since they were
// read.
//
// KEYS: queue, queued
// ARGV: player, since and seen as they were read, …
// Answer: {calls, how many}
var awayScript = redis.NewScript(`
local ask, off, seen = {'HMGET', KEYS[2]}, {'ZREM', KEYS[1]}, {'HDEL', KEYS[2]}
for i = 1, #ARGV, 2 do ask[#ask + 1] = ARGV[i] end
local stand = call(unpack(ask))
for i = 1, #stand do
  if stand[i] == ARGV[2 * i] then
    off[#off + 1] = ARGV[2 * i - 1]
    seen[#seen + 1] = ARGV[2 * i - 1]
  end
end
if #off > 2 then
  call(unpack(off))
  call(unpack(seen))
end
return answer(#off - 2)
`)

// drain removes players from the queues who have stopped asking, and counts them. If nobody
// waits anywhere, that is one command.
func (q *Queue) drain(ctx context.Context) (off int, err error) {
	waits := []string{"EXISTS"}
	for _, mode := range queuesOf(q.duels.game) {
		waits = append(waits, game.DuelQueuedKey(mode))
	}
	reply, err := q.redis.Do(ctx, upstash.Cmd(waits...))
	if err != nil {
		return off, fmt.Errorf("look for queues: %w", err)
	}
	if n, err := reply.Int64(); err != nil || n == 0 {
		return off, err
	}
	for _, mode := range queuesOf(q.duels.game) {
		reply, err := q.redis.Do(ctx, upstash.Cmd("HGETALL", game.DuelQueuedKey(mode)))
		if err != nil {
			return off, fmt.Errorf("read the queue: %w", err)
		}
		pairs, err := reply.Strings()
		if err != nil {
			return off, err
		}
		away := []string{}
		for i := 0; i+1 < len(pairs); i += 2 {
			p := redis.Fields{}
			_, seen, _ := strings.Cut(pairs[i+1], " ")
			if q.now().Sub(p.Time(seen)) > q.rules.Away {
				away = append(away, pairs[i], pairs[i+1])
			}
		}
		for some := range slices.Chunk(away, 2*restorePage) {
			reply, err := q.redis.Do(ctx, awayScript.Command([]string{game.DuelQueueKey(mode), game.DuelQueuedKey(mode)}, some...).Idempotent())
			var gone int64
			if err == nil {
				gone, err = redis.Count(reply, "how many have gone")
			}
			if err != nil {
				return off, fmt.Errorf("clear the queue: %w", err)
			}
			off += int(gone)
		}
	}
	return off, nil
}

// queuesOf are the modes that have a queue; the empty one means any mode.
func queuesOf(g *game.Game) []string {
	modes := []string{""}
	for _, m := range g.Modes {
		modes = append(modes, m.Name)
	}
	return modes
}
