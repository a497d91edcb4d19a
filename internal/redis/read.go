package redis

import (
	"context"
	"slices"

	"github.com/framedle/leaderboards/upstash"
)

// Exists reports whether a key is in Redis. 1 billed command.
func (db *DB) Exists(ctx context.Context, key string) (bool, error) {
	n, err := CountThere(ctx, db.Redis, key)
	return n > 0, Wrap("look for "+key, err)
}

// CountThere counts how many of some keys are in Redis. 1 billed command, none without keys.
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

// thereAtOnce is how many keys one command looks for at most.
const thereAtOnce = 1000

// FindExisting lists those of some keys that exist.
//
// Cost: 1 billed command for every 1,000 keys if none or all of these exist; else some more for
// each that exists.
func FindExisting(ctx context.Context, redis *upstash.Client, keys []string) (there []string, err error) {
	for some := range slices.Chunk(keys, thereAtOnce) {
		found, err := thereOf(ctx, redis, some)
		if err != nil {
			return nil, err
		}
		there = append(there, found...)
	}
	return there, nil
}

// thereEach is how many keys are asked about one by one, in one round trip.
const thereEach = 16

// thereOf halves the keys until all or none of a part exist, or there are few.
func thereOf(ctx context.Context, redis *upstash.Client, keys []string) ([]string, error) {
	n, err := CountThere(ctx, redis, keys...)
	switch {
	case err != nil || n == 0:
		return nil, err
	case n == int64(len(keys)):
		return keys, nil
	case len(keys) <= thereEach:
		each := make([]int64, len(keys))
		var p Pipeline
		for i, key := range keys {
			p.Add(upstash.Cmd("EXISTS", key), IntInto(&each[i]))
		}
		_, err := p.Run(ctx, redis)
		var there []string
		for i, n := range each {
			if n > 0 {
				there = append(there, keys[i])
			}
		}
		return there, err
	}
	half := len(keys) / 2
	first, err := thereOf(ctx, redis, keys[:half])
	if err != nil || int64(len(first)) == n {
		return first, err
	}
	second, err := thereOf(ctx, redis, keys[half:])
	return slices.Concat(first, second), err
}

// Field reads a field of a hash; "" if it does not exist. 1 billed command.
func Field(ctx context.Context, redis *upstash.Client, key, field string) (string, error) {
	reply, err := redis.Do(ctx, upstash.Cmd("HGET", key, field))
	if err != nil {
		return "", err
	}
	return Text(reply)
}

// EachThere visits boards of which many may not exist, such as one day's boards of all modes.
// After the first empty board it asks once whether any of the rest exists, and ends if none
// does.
//
// Cost: at most 1 billed command, besides the cost of the visits.
func EachThere(ctx context.Context, redis *upstash.Client, keys []string, visit func(i int) (empty bool, err error)) error {
	looked := false
	for i := range keys {
		empty, err := visit(i)
		if err != nil {
			return err
		}
		rest := keys[i+1:]
		if !empty || looked || len(rest) < 2 {
			continue
		}
		looked = true
		if n, err := CountThere(ctx, redis, rest...); err != nil || n == 0 {
			return Wrap("look for boards", err)
		}
	}
	return nil
}

// ReadBoard reads a whole board, which may change meanwhile, into stored scores by player.
// Cost: 1 billed command for every 20,000 players.
func (db *DB) ReadBoard(ctx context.Context, key string) (map[string]float64, error) {
	all := map[string]float64{}
	err := db.ScanMembers(ctx, key, func(page []Member) error {
		for _, m := range page {
			all[m.Player] = m.Stored
		}
		return nil
	})
	return all, Wrap("read "+key, err)
}
