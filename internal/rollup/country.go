package rollup

import (
	"context"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/rdb"
	"github.com/framedle/leaderboards/upstash"
)

// The boards of countries and regions are not written: each is what the board of all
// players holds of those whose country it is, or is of the region. So a submission costs
// nothing for them, a score that is removed leaves them too, and who moves takes all scores
// along.

// countries makes the boards of countries and regions.
type countries struct{ ru *Rollup }

// derive makes a board by country from that of all players.
//
// Cost: 7 billed commands in 1 round trip, and 1 where the process does not know
// the size of everybody's board, besides refreshing that. Above 100,000 players:
// 1 for every 20,000 of all players twice, 1 for every 10,000 of the country, and 5.
// A region costs 1 more in another round trip, and is large above 10,000 players.
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
	if large || c.isLargeRegion(b, everybody) {
		return c.deriveLarge(ctx, b, everybody)
	}
	country := c.ru.db.Scratch(b.Key)
	pick := []string{"ZRANGESTORE", country, game.CountriesKey}
	if b.Scope.Kind() == game.Region {
		if pick, err = c.pickRegion(ctx, b, everybody, country); err != nil {
			return err
		}
	} else {
		number := rdb.Itoa(game.CountryNumber(b.Scope.ID()))
		pick = append(pick, number, number, "BYSCORE")
	}
	var players int64
	p := rdb.Pipeline{Atomic: true}
	p.Add(upstash.Cmd(pick...).Idempotent(), nil)
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
	err := c.ru.db.ScanMembers(ctx, game.CountriesKey, func(page []rdb.Member) error {
		for _, m := range page {
			if b.Scope.HasCountry(game.CountryOf(int64(m.Stored))) {
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

// isLargeRegion reports whether a region's players may be too many for one command. The
// size of everybody's board is known by now.
func (c countries) isLargeRegion(b, everybody game.Board) bool {
	players, _ := c.ru.totals.Last(everybody.Key)
	return b.Scope.Kind() == game.Region && players > rdb.WritePage
}

// pickRegion reads the countries of all players of a board, and returns the command that
// puts those of the region into a scratch key. The numbers of a continent's countries are
// spread over the alphabet, so no range of them is a region. Scores are not read: who is
// removed meanwhile is not back on the board.
func (c countries) pickRegion(ctx context.Context, b, everybody game.Board, scratch string) ([]string, error) {
	var players []rdb.Member
	var p rdb.Pipeline
	p.Add(upstash.Cmd("ZINTER", "2", everybody.Key, game.CountriesKey, "WEIGHTS", "0", "1", "WITHSCORES"), rdb.MembersInto(&players))
	if _, err := p.Run(ctx, c.ru.db.Redis); err != nil {
		return nil, err
	}
	pick := []string{"ZADD", scratch}
	for _, m := range players {
		if b.Scope.HasCountry(game.CountryOf(int64(m.Stored))) {
			pick = append(pick, "0", m.Player)
		}
	}
	if len(pick) == 2 {
		return []string{"UNLINK", scratch}, nil // a board of nobody
	}
	return pick, nil
}
