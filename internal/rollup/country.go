package rollup

import (
	"context"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/rdb"
	"github.com/framedle/leaderboards/upstash"
)

// A country's boards are not written: each is what the board of all players
// holds of those whose country it is. So a submission costs nothing for them,
// a score that is removed leaves them too, and who moves takes all scores along.

// countries makes the boards of countries.
type countries struct{ ru *Rollup }

// derive makes a country's board from that of all players.
//
// Cost: 7 billed commands in 1 round trip, and 1 where the process does not know
// the size of everybody's board, besides refreshing that. Above 100,000 players:
// 1 for every 20,000 of all players twice, 1 for every 10,000 of the country, and 5.
func (c countries) derive(ctx context.Context, b game.Board, u *union) error {
	everybody := game.BoardOf(b.Mode, b.Period, game.Scope{})
	from, err := c.ru.refresh(ctx, everybody)
	if err != nil {
		return err
	}
	u.from(from)
	large, err := c.ru.Large(ctx, everybody.Key, []string{everybody.Key})
	if err != nil {
		return err
	}
	if large {
		return c.deriveLarge(ctx, b, everybody)
	}
	number := rdb.Itoa(game.CountryNumber(b.Scope.ID()))
	country := c.ru.db.Scratch(b.Key)
	var players int64
	p := rdb.Pipeline{Atomic: true}
	p.Add(upstash.Cmd("ZRANGESTORE", country, game.CountriesKey, number, number, "BYSCORE").Idempotent(), nil)
	p.Add(upstash.Cmd("ZINTERSTORE", b.Key, "2", everybody.Key, country, "WEIGHTS", "1", "0").Idempotent(), rdb.IntInto(&players))
	p.Add(upstash.Cmd("UNLINK", country).Idempotent(), nil)
	if end, ok := c.ru.db.Game.Expires(b.Period); ok {
		p.Add(upstash.Cmd("EXPIRE", b.Key, rdb.Itoa(c.ru.db.SecondsUntil(end))).Idempotent(), nil)
	}
	u.mark(&p)
	if _, err := p.Run(ctx, c.ru.db.Redis); err != nil {
		return err
	}
	c.ru.totals.Set(b.Key, players)
	c.ru.windows.Outdate(b.Key)
	return nil
}

// deriveLarge does the same here, in pages, so that Redis is not held up.
func (c countries) deriveLarge(ctx context.Context, b, everybody game.Board) error {
	lives := map[string]struct{}{}
	number := float64(game.CountryNumber(b.Scope.ID()))
	err := c.ru.db.ScanMembers(ctx, game.CountriesKey, func(page []rdb.Member) error {
		for _, m := range page {
			if m.Stored == number {
				lives[m.Player] = struct{}{}
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	all := map[string]float64{}
	err = c.ru.db.ScanMembers(ctx, everybody.Key, func(page []rdb.Member) error {
		for _, m := range page {
			if _, ok := lives[m.Player]; ok {
				all[m.Player] = m.Stored
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	if err := c.ru.Replace(ctx, b, all); err != nil {
		return err
	}
	c.ru.totals.Set(b.Key, int64(len(all)))
	return nil
}
