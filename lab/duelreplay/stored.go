package duelreplay

import (
	"context"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/upstash"
)

// Stored reads the ratings of a product as its Redis holds them, with all digits.
func Stored(ctx context.Context, redis *upstash.Client) (map[string]float64, error) {
	reply, err := redis.Do(ctx, upstash.Cmd("ZRANGE", game.DuelKey, "0", "-1", "WITHSCORES"))
	if err != nil {
		return nil, err
	}
	items, err := reply.Array()
	if err != nil {
		return nil, err
	}
	ratings := make(map[string]float64, len(items)/2)
	for i := 0; i+1 < len(items); i += 2 {
		player, err := items[i].Text()
		if err != nil {
			return nil, err
		}
		if ratings[player], err = items[i+1].Float64(); err != nil {
			return nil, err
		}
	}
	return ratings, nil
}
