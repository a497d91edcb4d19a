package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"

	"github.com/framedle/leaderboards/internal/api/problem"
	"github.com/framedle/leaderboards/internal/bands"
	"github.com/framedle/leaderboards/internal/derive"
	"github.com/framedle/leaderboards/internal/redis"
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

// BandsFrom are the databases of boards in bands: Redis, and those that the environment names
// in addition; nil if it names none.
func BandsFrom(getenv func(string) string, conn *upstash.Client) (*bands.Databases, error) {
	urls, tokens := getenv(envBandsURLs), getenv(envBandsTokens)
	if urls+tokens == "" || conn == nil {
		return nil, nil
	}
	further, err := redis.Listed{URLs: envBandsURLs, Tokens: envBandsTokens}.Addresses(urls, tokens)
	if err != nil {
		return nil, err
	}
	all := []bands.Database{{Name: derive.MainDatabase, Redis: conn}}
	for _, at := range further {
		if at.Name == derive.MainDatabase {
			return nil, fmt.Errorf("%s calls a database %q, which is the one of %s: use another name", envBandsURLs, at.Name, envRedisURL)
		}
		client, err := upstash.New(upstash.Config{URL: at.URL, Token: at.Token, TextAnswers: true})
		if err != nil {
			return nil, fmt.Errorf("%s: %s: %w", envBandsURLs, at.Name, err)
		}
		all = append(all, bands.Database{Name: at.Name, Redis: client})
	}
	return bands.NewDatabases(all...)
}

// lookAtRedis logs at the start of a process why Redis cannot be used, if so. It runs beside
// the first requests. The process goes on: Redis may come back, and boards are answered from
// the history meanwhile. Functions do not call it, because their processes start far more
// often.
//
// Cost: none; Upstash does not bill PING.
func lookAtRedis(ctx context.Context, conn *upstash.Client, log *slog.Logger) {
	_, err := conn.Do(ctx, upstash.Cmd("PING"))
	switch {
	case err == nil:
	case upstash.KindOf(err) == upstash.KindAuth:
		log.Error(problem.RefusedToken, "error", err.Error())
	default:
		log.Error("Redis does not answer: look at "+envRedisURL+", and whether the database is there", "error", err.Error())
	}
}
