package board

import (
	"context"

	"github.com/framedle/leaderboards/upstash"
)

// Exists reports whether a key is in Redis. 1 billed command.
func (s *Store) Exists(ctx context.Context, key string) (bool, error) {
	reply, err := s.redis.Do(ctx, upstash.Cmd("EXISTS", key))
	if err != nil {
		return false, wrap("look for "+key, err)
	}
	n, err := reply.Int64()
	return n > 0, err
}

// ReadBoard reads a whole board as it is, into stored scores by player.
// Cost: 1 billed command for every 20,000 players.
func (s *Store) ReadBoard(ctx context.Context, key string) (map[string]float64, error) {
	all, err := s.scan(ctx, key)
	return all, wrap("read "+key, err)
}
