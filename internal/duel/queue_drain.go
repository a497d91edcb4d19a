package duel

import (
	"context"
	"fmt"
	"strings"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/upstash"
)

// drainQueues removes who has gone away. Where nobody waits anywhere, that is
// one command.
func (s *Store) drainQueues(ctx context.Context, did *Drained) error {
	waits := []string{"EXISTS"}
	for _, mode := range s.queues() {
		waits = append(waits, game.DuelQueuedKey(mode))
	}
	reply, err := s.redis.Do(ctx, upstash.Cmd(waits...))
	if err != nil {
		return fmt.Errorf("look for queues: %w", err)
	}
	if n, err := reply.Int64(); err != nil || n == 0 {
		return err
	}
	for _, mode := range s.queues() {
		reply, err := s.redis.Do(ctx, upstash.Cmd("HGETALL", game.DuelQueuedKey(mode)))
		if err != nil {
			return fmt.Errorf("read the queue: %w", err)
		}
		pairs, err := reply.Strings()
		if err != nil {
			return err
		}
		gone := []string{}
		for i := 0; i+1 < len(pairs); i += 2 {
			p := parser{}
			_, seen, _ := strings.Cut(pairs[i+1], " ")
			if s.now().Sub(p.time(seen)) > s.rules.Queue.Away {
				gone = append(gone, pairs[i])
			}
		}
		if len(gone) == 0 {
			continue
		}
		result, err := s.redis.Pipeline(ctx,
			upstash.Cmd(append([]string{"HDEL", game.DuelQueuedKey(mode)}, gone...)...).Idempotent(),
			upstash.Cmd(append([]string{"ZREM", game.DuelQueueKey(mode)}, gone...)...).Idempotent())
		if err == nil {
			err = result.Err()
		}
		if err != nil {
			return fmt.Errorf("clear the queue: %w", err)
		}
		did.Queue += len(gone)
	}
	return nil
}

// queues are the modes that have a queue; the empty one is for no mode in particular.
func (s *Store) queues() []string {
	modes := []string{""}
	for _, m := range s.game.Modes {
		modes = append(modes, m.Name)
	}
	return modes
}
