package rdb

import (
	"context"

	"github.com/framedle/leaderboards/upstash"
)

// Exists reports whether a key is in Redis. 1 billed command.
func (db *DB) Exists(ctx context.Context, key string) (bool, error) {
	reply, err := db.Redis.Do(ctx, upstash.Cmd("EXISTS", key))
	if err != nil {
		return false, Wrap("look for "+key, err)
	}
	n, err := reply.Int64()
	return n > 0, err
}

// ReadBoard reads a whole board as it is, into stored scores by player.
// Cost: 1 billed command for every 20,000 players.
func (db *DB) ReadBoard(ctx context.Context, key string) (map[string]float64, error) {
	all, err := db.Scan(ctx, key)
	return all, Wrap("read "+key, err)
}
