package duel

import (
	"context"
	"fmt"
	"strings"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/rdb"
	"github.com/framedle/leaderboards/upstash"
)

// drain takes players off the queues who have stopped asking, and counts them.
// Where nobody waits anywhere, that is one command.
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
			p := rdb.Fields{}
			_, seen, _ := strings.Cut(pairs[i+1], " ")
			if q.now().Sub(p.Time(seen)) > q.rules.Away {
				away = append(away, pairs[i])
			}
		}
		if len(away) == 0 {
			continue
		}
		result, err := q.redis.Pipeline(ctx,
			upstash.Cmd(append([]string{"HDEL", game.DuelQueuedKey(mode)}, away...)...).Idempotent(),
			upstash.Cmd(append([]string{"ZREM", game.DuelQueueKey(mode)}, away...)...).Idempotent())
		if err == nil {
			err = result.Err()
		}
		if err != nil {
			return off, fmt.Errorf("clear the queue: %w", err)
		}
		off += len(away)
	}
	return off, nil
}

// queuesOf are the modes that have a queue; the empty one is for no mode in particular.
func queuesOf(g *game.Game) []string {
	modes := []string{""}
	for _, m := range g.Modes {
		modes = append(modes, m.Name)
	}
	return modes
}
