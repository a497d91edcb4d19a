package app

import (
	"errors"
	"fmt"
	"strings"

	"github.com/framedle/leaderboards/upstash"
)

const restURL = "use the URL that the Upstash console shows under REST API, such as https://NAME.upstash.io"

// redisFrom connects to Upstash over REST or, if REDIS_URL is set, to a Redis server over the
// Redis protocol.
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
	url, token := unquoted(getenv(envRedisURL)), unquoted(getenv(envRedisToken))
	var errs []error
	switch scheme, _, _ := strings.Cut(url, "://"); {
	case url == "":
		errs = append(errs, fmt.Errorf("%s is empty: %s", envRedisURL, restURL))
	case scheme == "redis" || scheme == "rediss":
		errs = append(errs, fmt.Errorf("%s is the address for the Redis protocol: %s", envRedisURL, restURL))
	}
	if token == "" {
		errs = append(errs, fmt.Errorf("%s is empty: use the token that the Upstash console shows under REST API, not the read-only one", envRedisToken))
	}
	if len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	client, err := upstash.New(upstash.Config{URL: url, Token: token, TextAnswers: true})
	if err != nil {
		return nil, fmt.Errorf("%s, %s: %w", envRedisURL, envRedisToken, err)
	}
	return client, nil
}
