package duelreplay_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/local"
	"github.com/framedle/leaderboards/upstash"
)

// stored reads the ratings of a product with all their digits.
func stored(t *testing.T, product *local.Product) map[string]float64 {
	redis, err := upstash.New(upstash.Config{URL: product.Secrets.RedisRESTURL, Token: product.Secrets.RedisRESTToken})
	require.NoError(t, err)
	reply, err := redis.Do(t.Context(), upstash.Cmd("ZRANGE", game.DuelKey, "0", "-1", "WITHSCORES"))
	require.NoError(t, err)
	items, err := reply.Array()
	require.NoError(t, err)
	ratings := map[string]float64{}
	for i := 0; i < len(items); i += 2 {
		player, err := items[i].Text()
		require.NoError(t, err)
		ratings[player], err = items[i+1].Float64()
		require.NoError(t, err)
	}
	return ratings
}
