package board

import (
	"context"
	"slices"
	"strings"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/upstash"
)

// A country's boards are not written: each is what the board of all players
// holds of those whose country it is. So a submission costs nothing for them,
// a score that is removed leaves them too, and who moves takes all scores along.

// deriveCountry makes a country's board from that of all players.
//
// Cost: 5 billed commands in 1 round trip, and 1 where the process does not know
// the size of everybody's board, besides refreshing that. Above 100,000 players:
// 1 for every 20,000 of all players twice, 1 for every 10,000 of the country, and 5.
func (s *Store) deriveCountry(ctx context.Context, b Board) error {
	everybody := s.Board(b.Mode, b.Period, game.Scope{})
	if err := s.refresh(ctx, everybody); err != nil {
		return err
	}
	large, err := s.large(ctx, everybody.Key, []string{everybody.Key})
	if err != nil {
		return err
	}
	if large {
		return s.deriveLargeCountry(ctx, b, everybody)
	}
	number := itoa(game.CountryNumber(b.Scope.ID()))
	country := s.scratch(b.Key)
	var players int64
	p := pipeline{atomic: true}
	p.add(upstash.Cmd("ZRANGESTORE", country, game.CountriesKey, number, number, "BYSCORE").Idempotent(), nil)
	p.add(upstash.Cmd("ZINTERSTORE", b.Key, "2", everybody.Key, country, "WEIGHTS", "1", "0").Idempotent(), intInto(&players))
	p.add(upstash.Cmd("UNLINK", country).Idempotent(), nil)
	if end, ok := s.game.Expires(b.Period); ok {
		p.add(upstash.Cmd("EXPIRE", b.Key, itoa(s.secondsUntil(end))).Idempotent(), nil)
	}
	if _, err := p.run(ctx, s.redis); err != nil {
		return err
	}
	s.totals.set(b.Key, players)
	s.windows.outdate(b.Key)
	return nil
}

// deriveLargeCountry does the same here, in pages, so that Redis is not held up.
func (s *Store) deriveLargeCountry(ctx context.Context, b, everybody Board) error {
	lives := map[string]struct{}{}
	number := float64(game.CountryNumber(b.Scope.ID()))
	err := s.scanMembers(ctx, game.CountriesKey, func(page []member) error {
		for _, m := range page {
			if m.stored == number {
				lives[m.player] = struct{}{}
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	all := map[string]float64{}
	err = s.scanMembers(ctx, everybody.Key, func(page []member) error {
		for _, m := range page {
			if _, ok := lives[m.player]; ok {
				all[m.player] = m.stored
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	if err := s.Replace(ctx, b, all); err != nil {
		return err
	}
	s.totals.set(b.Key, int64(len(all)))
	return nil
}

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

// TopsByCountry reads the first entries that a board of all players has for
// each country, without names, as the board is; by country.
//
// Cost: 1 billed command for every 20,000 players.
func (s *Store) TopsByCountry(ctx context.Context, b Board, countries map[string]game.Scope, limit int) ([]Page, error) {
	byCountry := map[game.Scope][]Entry{}
	err := s.eachMember(ctx, b.Key, func(page []member) error {
		for _, m := range page {
			if scope, ok := countries[m.player]; ok {
				byCountry[scope] = append(byCountry[scope], Entry{Player: m.player, stored: m.stored, Score: b.Mode.Decode(m.stored)})
			}
		}
		return nil
	})
	if err != nil {
		return nil, wrap("read "+b.Key, err)
	}
	pages := make([]Page, 0, len(byCountry))
	for scope, entries := range byCountry {
		page := s.newPage(s.Board(b.Mode, b.Period, scope))
		page.Total = int64(len(entries))
		b.order(entries)
		b.rankAmongThemselves(entries)
		page.Entries = entries[:min(len(entries), limit)]
		pages = append(pages, page)
	}
	slices.SortFunc(pages, func(a, b Page) int { return strings.Compare(a.Board.Key, b.Board.Key) })
	return pages, nil
}
