package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
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
func redisFrom(ctx context.Context, getenv func(string) string, by Linked) (*upstash.Client, error) {
	if address := unquoted(getenv(envPlainRedis)); address != "" {
		for _, other := range []string{envRedisURL, envRedisToken} {
			if getenv(other) != "" {
				return nil, fmt.Errorf("%s and %s are both set: unset one of them", other, envPlainRedis)
			}
		}
		if by.Redis == nil {
			return nil, fmt.Errorf("%s: this program speaks to Upstash only: use %s and %s, or the program all, which is the whole product", envPlainRedis, envRedisURL, envRedisToken)
		}
		client, err := by.Redis(ctx, address, upstash.Config{})
		if err != nil {
			return nil, fmt.Errorf("%s: %w", envPlainRedis, err)
		}
		return client, nil
	}
	address, token := unquoted(getenv(envRedisURL)), unquoted(getenv(envRedisToken))
	var errs []error
	switch scheme, _, _ := strings.Cut(address, "://"); {
	case address == "":
		errs = append(errs, fmt.Errorf("%s is empty: %s", envRedisURL, restURL))
	case scheme == "redis" || scheme == "rediss":
		errs = append(errs, fmt.Errorf("%s is an address for the Redis protocol: set it as %s, or %s", envRedisURL, envPlainRedis, restURL))
	}
	if token == "" {
		errs = append(errs, fmt.Errorf("%s is empty: use the token that the Upstash console shows under REST API, not the read-only one", envRedisToken))
	}
	if len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	client, err := upstash.New(upstash.Config{URL: address, Token: token, TextAnswers: true})
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

// passwordOf is the password in an address; "" if there is none.
func passwordOf(address string) string {
	u, err := url.Parse(unquoted(address))
	if err != nil || u.User == nil {
		return ""
	}
	password, _ := u.User.Password()
	return password
}

// lookAtRedis logs at the start of a process why Redis cannot be used, if so. It runs beside
// the first requests. The process continues: Redis may come back, and boards are answered from
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
		log.Error("Redis does not answer: look at "+envRedisURL+" or "+envPlainRedis+", and whether the database is there", "error", err.Error())
	}
}
