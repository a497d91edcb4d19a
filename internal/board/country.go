package board

import (
	"context"

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
	everybody := BoardOf(b.Mode, b.Period, game.Scope{})
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
