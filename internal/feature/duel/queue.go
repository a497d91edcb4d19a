package duel

import (
	"context"
	"fmt"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/upstash"
)

// Queue brings players together who wait for an opponent. It is safe for concurrent use.
type Queue struct {
	duels   *Store
	redis   *upstash.Client
	rules   QueueRules
	now     func() time.Time
	waiting waitingRoom
}

// Queue is the queue for duels of a Store.
func (s *Store) Queue() *Queue { return s.queue }

// Place is a player's place in the queue.
type Place struct {
	Since  time.Time
	Rating float64
	Window float64 // by how much an opponent's rating may differ now
}

// Join looks for an opponent. It returns the duel if it finds one, otherwise the place in the
// queue. Clients call it every few seconds; a player who stops calling leaves the queue. A
// player who got a duel from the queue gets the same one until it is over.
//
// Cost: 9 billed commands in 1 round trip for a new player. Then 1, while this process knows
// that no opponent can be near enough, and 2 if the player was last seen a while ago. 2 round
// trips and 21 commands for a player who finds an opponent.
func (q *Queue) Join(ctx context.Context, player, mode string) (Duel, Place, error) {
	if place, waits, err := q.stillWaits(ctx, player, mode); err != nil || waits {
		return Duel{}, place, err
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
