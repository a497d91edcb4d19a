package player

import (
	"context"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

// PutCountries queues writing the countries of players. A player whose country is "" stays in
// the country that Redis has.
func (ps *Profiles) PutCountries(p *redis.Pipeline, of map[string]string) {
	if !ps.RankCountries {
		return
	}
	command := []string{"ZADD", game.CountriesKey}
	for player, country := range of {
		if country != "" {
			command = append(command, redis.Itoa(game.CountryNumber(country)), player)
		}
	}
	if len(command) > 2 {
		p.Add(upstash.Cmd(command...).Idempotent(), nil)
	}
}

// moveTo queues moving a player to a country, or out of every country if it is "".
func (ps *Profiles) moveTo(p *redis.Pipeline, player, country string) {
	if country == "" {
		p.Add(upstash.Cmd("ZREM", game.CountriesKey, player).Idempotent(), nil)
		return
	}
	ps.PutCountries(p, map[string]string{player: country})
}

// Countries reads the country of each player who has one.
//
// Cost: 1 billed command for every 20,000 players.
func (ps *Profiles) Countries(ctx context.Context) (map[string]string, error) {
	byNumber := map[float64]string{}
	of := map[string]string{}
	err := ps.db.ScanMembers(ctx, game.CountriesKey, func(page []redis.Member) error {
		for _, m := range page {
			country, ok := byNumber[m.Stored]
			if !ok {
				country = game.CountryOf(int64(m.Stored))
				if err := game.ValidCountry(country); err != nil {
					return err
				}
				byNumber[m.Stored] = country
			}
			of[m.Player] = country
		}
		return nil
	})
	return of, redis.Wrap("read the countries", err)
}
