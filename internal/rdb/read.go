package rdb

import (
	"context"

	"github.com/framedle/leaderboards/upstash"
)

// Exists reports whether a key is in Redis. 1 billed command.
func (db *DB) Exists(ctx context.Context, key string) (bool, error) {
	n, err := CountThere(ctx, db.Redis, key)
	return n > 0, Wrap("look for "+key, err)
}

// CountThere counts which of some keys are in Redis. 1 billed command, none for no
// key.
func CountThere(ctx context.Context, redis *upstash.Client, keys ...string) (int64, error) {
	if len(keys) == 0 {
		return 0, nil
	}
	reply, err := redis.Do(ctx, upstash.Cmd(append([]string{"EXISTS"}, keys...)...))
	if err != nil {
		return 0, err
	}
	return reply.Int64()
}

// ReadBoard reads a whole board as it is, into stored scores by player.
// Cost: 1 billed command for every 20,000 players.
func (db *DB) ReadBoard(ctx context.Context, key string) (map[string]float64, error) {
	all, err := db.Scan(ctx, key)
	return all, Wrap("read "+key, err)
}
