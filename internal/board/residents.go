package board

import (
	"context"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/upstash"
)

// putCountries queues which countries players belong to; those without one stay
// where they are.
func (s *Store) putCountries(p *pipeline, of map[string]string) {
	if !s.countries {
		return
	}
	command := []string{"ZADD", game.CountriesKey}
	for player, country := range of {
		if country != "" {
			command = append(command, itoa(game.CountryNumber(country)), player)
		}
	}
	if len(command) > 2 {
		p.add(upstash.Cmd(command...).Idempotent(), nil)
	}
}

// moveTo queues that a player belongs to a country, or to none.
func (s *Store) moveTo(p *pipeline, player, country string) {
	if country == "" {
		p.add(upstash.Cmd("ZREM", game.CountriesKey, player).Idempotent(), nil)
		return
	}
	s.putCountries(p, map[string]string{player: country})
}

// Countries reads whose country is which, by player.
//
// Cost: 1 billed command for every 20,000 players.
func (s *Store) Countries(ctx context.Context) (map[string]game.Scope, error) {
	byNumber := map[float64]game.Scope{}
	of := map[string]game.Scope{}
	err := s.scanMembers(ctx, game.CountriesKey, func(page []member) error {
		for _, m := range page {
			scope, ok := byNumber[m.stored]
			if !ok {
				var err error
				if scope, err = game.CountryScope(game.CountryOf(int64(m.stored))); err != nil {
					return err
				}
				byNumber[m.stored] = scope
			}
			of[m.player] = scope
		}
		return nil
	})
	return of, wrap("read the countries", err)
}
