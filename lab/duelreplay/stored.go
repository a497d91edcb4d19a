package duelreplay

import (
	"context"
	"strconv"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/upstash"
)

// Stored reads all ratings from the product's Redis, with all digits.
func Stored(ctx context.Context, redis *upstash.Client) (map[string]float64, error) {
	reply, err := redis.Do(ctx, upstash.Cmd("ZRANGE", game.DuelKey, "0", "-1", "WITHSCORES"))
	if err != nil {
		return nil, err
	}
	rows, err := reply.Strings()
	if err != nil {
		return nil, err
	}
	ratings := make(map[string]float64, len(rows)/2)
	for i := 0; i+1 < len(rows); i += 2 {
		if ratings[rows[i]], err = strconv.ParseFloat(rows[i+1], 64); err != nil {
			return nil, err
		}
	}
	return ratings, nil
}
