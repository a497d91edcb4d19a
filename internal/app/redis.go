package app

import (
	"fmt"

	"github.com/framedle/leaderboards/internal/upstash"
)

// redisFrom connects to Upstash over REST or, where REDIS_URL is set, to a
// server of one's own over the Redis protocol.
func redisFrom(getenv func(string) string) (*upstash.Client, error) {
	if url := getenv(envPlainRedis); url != "" {
		if getenv(envRedisURL) != "" {
			return nil, fmt.Errorf("%s and %s are both set: leave out the one that is not meant", envRedisURL, envPlainRedis)
		}
		transport, err := plainRedis(url)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", envPlainRedis, err)
		}
		return upstash.New(upstash.Config{Transport: transport})
	}
	client, err := upstash.New(upstash.Config{URL: unquoted(getenv(envRedisURL)), Token: getenv(envRedisToken)})
	if err != nil {
		return nil, fmt.Errorf("%s, %s: %w", envRedisURL, envRedisToken, err)
	}
	return client, nil
}
