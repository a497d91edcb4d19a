package derive

import (
	"context"
	"slices"
	"strings"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

// The boards of countries and regions are not written. Each is made from the board of all
// players: it takes the entries of players from the country or region. So a submission costs
// nothing for them, a score that is removed leaves them too, and a player who moves takes all
// scores along.

// countries makes the boards of countries and regions.
type countries struct{ ru *Rollup }

// rememberResidents is for how many countries a process remembers the number of their players.
const rememberResidents = 300

// derive makes the board of a country or region from that of all players.
//
// Cost: 7 billed commands in 1 round trip, besides refreshing the board of all players; 1 more
// if the process does not know the size of that board, and 1 if it does not know how many
// players the country has. If either is above 100,000: 1 for every 20,000 players of the board,
// 1 for every 10,000 of them, 1 for every 10,000 of the country, and 5. A region costs 1 more
// in another round trip, and is large above 10,000 players of the board.
func (c countries) derive(ctx context.Context, b game.Board, u *refreshRun) error {
	everybody := game.BoardOf(b.Mode, b.Period, game.Scope{})
	from, err := c.ru.refresh(ctx, everybody)
	if err != nil {
		return err
	}
	u.inherit(from)
	large, err := c.isLarge(ctx, b, everybody)
	if err != nil {
		return err
	}
	if large {
		return c.deriveLarge(ctx, b, everybody)
	}
	country := c.ru.db.Scratch(b.Key)
	pick := []string{"ZRANGESTORE", country, game.CountriesKey}
	if b.Scope.Kind() == game.Region {
		if pick, err = c.pickRegion(ctx, b, everybody, country); err != nil {
			return err
		}
	} else {
		number := redis.Itoa(game.CountryNumber(b.Scope.ID()))
		pick = append(pick, number, number, "BYSCORE")
	}
	var players, residents int64
	p := redis.Pipeline{Atomic: true}
	p.Add(upstash.Cmd(pick...).Idempotent(), redis.IntInto(&residents))
	p.Add(upstash.Cmd("ZINTERSTORE", b.Key, "2", everybody.Key, country, "WEIGHTS", "1", "0").Idempotent(), redis.IntInto(&players))
	p.Add(upstash.Cmd("UNLINK", country).Idempotent(), nil)
	if end, ok := c.ru.db.Game.Expires(b.Period); ok {
		p.Add(redis.ExpireBy(c.ru.db, b.Key, end), nil)
	}
	u.mark(&p)
	if _, err := p.Run(ctx, c.ru.db.Redis); err != nil {
		return err
	}
	c.ru.totals.Set(b.Key, players)
	c.ru.windows.Outdate(b.Key)
	if b.Scope.Kind() == game.Country {
		c.ru.residents.Add(b.Scope.ID(), residents)
	}
	return nil
}

// isLarge reports whether making the board in Redis could hold Redis up. That depends on the
// size of the board of all players, which is known by now; for a region on the number of its
// players; for a country on everybody who ever came from there, however few play.
func (c countries) isLarge(ctx context.Context, b, everybody game.Board) (bool, error) {
	large, err := c.ru.Large(ctx, everybody.Key, []string{everybody.Key})
	if err != nil || large {
		return large, err
	}
	if b.Scope.Kind() == game.Region {
		players, _ := c.ru.totals.Last(everybody.Key)
		return players > redis.WritePage, nil
	}
	residents, known := c.ru.residents.Get(b.Scope.ID())
	if !known {
		number := redis.Itoa(game.CountryNumber(b.Scope.ID()))
		if err := c.ru.db.Ask(ctx, upstash.Cmd("ZCOUNT", game.CountriesKey, number, number), redis.IntInto(&residents)); err != nil {
			return false, err
		}
		c.ru.residents.Add(b.Scope.ID(), residents)
	}
	return residents > UnionBound, nil
}

// deriveLarge makes the board in this process, in pages, so that Redis is not held up. It asks
// for the countries of those on the board, who are fewer than all who ever came.
func (c countries) deriveLarge(ctx context.Context, b, everybody game.Board) error {
	all := map[string]float64{}
	err := c.ru.db.ScanMembers(ctx, everybody.Key, func(page []redis.Member) error {
		for some := range slices.Chunk(page, redis.WritePage) {
			if err := c.pickOf(ctx, b.Scope, some, all); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return c.ru.Replace(ctx, b, all)
}

// pickOf adds to all those players who are from the country or region.
func (c countries) pickOf(ctx context.Context, where game.Scope, players []redis.Member, all map[string]float64) error {
	ask := []string{"ZMSCORE", game.CountriesKey}
	for _, m := range players {
		ask = append(ask, m.Player)
	}
	reply, err := c.ru.db.Redis.Do(ctx, upstash.Cmd(ask...))
	if err != nil {
		return err
	}
	numbers, err := redis.Values(reply, len(players), "a country for each player")
	if err != nil {
		return err
	}
	for i, number := range numbers {
		if number.IsNil() {
			continue
		}
		n, err := number.Float64()
		if err != nil {
			return err
		}
		if where.HasCountry(game.CountryOf(int64(n))) {
			all[strings.Clone(players[i].Player)] = players[i].Stored // without a copy, the name would keep the page in memory
		}
	}
	return nil
}

// pickRegion reads the countries of all players of a board, and returns the command that puts
// those of the region into a scratch key. The numbers of a continent's countries are spread
// over the alphabet, so no range of them is a region. It does not read scores, so a player who
// is removed meanwhile does not come back onto the board.
func (c countries) pickRegion(ctx context.Context, b, everybody game.Board, scratch string) ([]string, error) {
	var players []redis.Member
	var p redis.Pipeline
	p.Add(upstash.Cmd("ZINTER", "2", everybody.Key, game.CountriesKey, "WEIGHTS", "0", "1", "WITHSCORES"), redis.MembersInto(&players))
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
