package app

import (
	"fmt"

	"github.com/framedle/leaderboards/internal/bands"
	"github.com/framedle/leaderboards/internal/rdb"
	"github.com/framedle/leaderboards/internal/rollup"
	"github.com/framedle/leaderboards/upstash"
)

// BandsFrom are the databases of boards in bands: Redis, and those that the environment names
// in addition; nil if it names none.
func BandsFrom(getenv func(string) string, redis *upstash.Client) (*bands.Databases, error) {
	urls, tokens := getenv(envBandsURLs), getenv(envBandsTokens)
	if urls+tokens == "" || redis == nil {
		return nil, nil
	}
	further, err := rdb.Listed{URLs: envBandsURLs, Tokens: envBandsTokens}.Addresses(urls, tokens)
	if err != nil {
		return nil, err
	}
	all := []bands.Database{{Name: rollup.MainDatabase, Redis: redis}}
	for _, at := range further {
		if at.Name == rollup.MainDatabase {
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
