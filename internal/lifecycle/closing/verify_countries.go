package closing

import (
	"context"
	"maps"
	"slices"

	"github.com/framedle/leaderboards/internal/derive"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lifecycle"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

// countries compares the boards of countries and regions with those of all players, from which
// they are made. They are as old as the last look, so they may lack players and scores. But
// they must not have a player who is not on the board of all players, nor a score that no play
// can have changed into the one there: both are left of a score that was taken out.
//
// Cost: 1 billed command for the mode; 2 for each of its days, weeks, months and seasons, and
// for all time; 1 for every 10,000 players that the boards of countries and regions have; 256
// more for a board of more than 50,000 players. If something differs, those of a refresh, and
// the same again, and 256.
func (v *verify) countries(ctx context.Context, m *game.Mode) error {
	if !game.RanksByCountry(m) {
		return nil
	}
	index, _, err := v.c.Store.Rollup.Calendar.Indexes(ctx, m)
	if err != nil {
		return err
	}
	for _, p := range periodsOf(v.game, m, index.Dates) {
		b := game.BoardOf(m, p, game.Scope{})
		if v.c.Store.Rollup.Frozen(b) {
			continue
		}
		if err := v.byCountry(ctx, b); err != nil {
			return err
		}
	}
	return nil
}

// periodsOf are the periods of which a mode has boards after it was played on some dates.
func periodsOf(g *game.Game, m *game.Mode, dates []game.Date) (all []game.Period) {
	seen := map[game.Period]bool{}
	for _, d := range dates {
		for _, p := range append(game.BoardsOf(g, m, d), game.Day.Of(d)) {
			if !seen[p] {
				seen[p], all = true, append(all, p)
			}
		}
	}
	return all
}

// byCountry compares what is made from one board of all players.
func (v *verify) byCountry(ctx context.Context, everybody game.Board) error {
	c := byCountry{v, everybody, scopesByCountry(everybody.Mode)}
	wrong, players, err := c.wrong(ctx)
	v.Boards++
	v.Entries += players
	if err != nil || len(wrong) == 0 {
		return err
	}
	// A card may have put a player onto a country's board before the board of all players is
	// made again, and a score may just be taken out.
	if everybody.Period.Kind() != game.Day {
		if err := v.c.Store.Rollup.DeriveClosed(ctx, everybody.Mode, []game.Board{everybody}); err != nil {
			return err
		}
	}
	if wrong, _, err = c.wrong(ctx); err != nil || len(wrong) == 0 {
		return err
	}
	return c.tell(ctx, wrong)
}

// scopesByCountry are all countries and regions of which a mode keeps boards.
func scopesByCountry(m *game.Mode) (all []game.Scope) {
	known := map[game.Scope]bool{}
	for number := range int64(26 * 26) {
		for _, scope := range game.ScopesOf(m, game.CountryOf(number)) {
			if !known[scope] {
				known[scope], all = true, append(all, scope)
			}
		}
	}
	return all
}

// byCountry are the boards that are made from one of all players.
type byCountry struct {
	*verify
	everybody game.Board
	scopes    []game.Scope
}

func (c byCountry) key(scope game.Scope) string {
	return game.BoardKey(c.everybody.Mode.Name, c.everybody.Period, scope)
}

// unitedAtOnce is how many players a board of all players may have for Redis to unite those of
// its countries with one command.
const unitedAtOnce = derive.UnionBound / 2

// wrong returns what the boards have that they must not have, by player, and how many players
// they have.
func (c byCountry) wrong(ctx context.Context) (wrong map[string]redis.Place, players int64, err error) {
	var size int64
	var found []redis.Member
	db := c.c.Store.DB
	var p redis.Pipeline
	p.Add(upstash.Cmd("ZCARD", c.everybody.Key), redis.IntInto(&size))
	if _, err := p.Run(ctx, db.Redis); err != nil {
		return nil, 0, err
	}
	wrong = map[string]redis.Place{}
	compare := func(page []redis.Member) error {
		players += int64(len(page))
		return c.among(ctx, page, wrong)
	}
	if size <= unitedAtOnce {
		args := []string{"ZUNION", redis.Itoa(int64(len(c.scopes)))}
		for _, scope := range c.scopes {
			args = append(args, c.key(scope))
		}
		how := "MAX" // of two entries, shows the one that a removal may have left
		if falls(c.everybody) {
			how = "MIN"
		}
		err := db.Ask(ctx, upstash.Cmd(append(args, "AGGREGATE", how, "WITHSCORES")...), redis.MembersInto(&found))
		for page := range slices.Chunk(found, redis.WritePage) {
			if err == nil {
				err = compare(page)
			}
		}
		return wrong, players, err
	}
	for _, scope := range c.scopes {
		err := db.ScanMembers(ctx, c.key(scope), func(page []redis.Member) error {
			for some := range slices.Chunk(page, redis.WritePage) {
				if err := compare(some); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return nil, 0, err
		}
	}
	return wrong, players, nil
}

// among adds to wrong those of some entries that are wrong, with what the board of all players
// has of the player.
func (c byCountry) among(ctx context.Context, page []redis.Member, wrong map[string]redis.Place) error {
	if len(page) == 0 {
		return nil
	}
	places := make([]redis.Place, len(page))
	if err := c.c.Store.DB.Ask(ctx, redis.ScoresOf(c.everybody.Key, page), redis.PlacesInto(places)); err != nil {
		return err
	}
	for i, at := range places {
		if c.isWrong(page[i].Stored, at) {
			wrong[page[i].Player] = at
		}
	}
	return nil
}

// isWrong reports whether plays cannot have made an entry of the board of all players from what
// a country's board has.
func (c byCountry) isWrong(stored float64, at redis.Place) bool {
	m := c.everybody.Mode
	has, should := m.Decode(stored), m.Decode(at.Stored)
	return !at.Found || has > should && !falls(c.everybody) || has < should && !rises(c.everybody)
}

// tell reports what is wrong, by board.
func (c byCountry) tell(ctx context.Context, wrong map[string]redis.Place) error {
	players := slices.Sorted(maps.Keys(wrong))
	page := make([]redis.Member, len(players))
	for i, player := range players {
		page[i].Player = player
	}
	for _, scope := range c.scopes {
		for some := range slices.Chunk(page, redis.WritePage) {
			places := make([]redis.Place, len(some))
			if err := c.c.Store.DB.Ask(ctx, redis.ScoresOf(c.key(scope), some), redis.PlacesInto(places)); err != nil {
				return err
			}
			for i, has := range places {
				if should := wrong[some[i].Player]; has.Found && c.isWrong(has.Stored, should) {
					c.Report(lifecycle.Difference{Key: c.key(scope), Player: some[i].Player, Redis: lifecycle.Text(has.Stored, true), Postgres: lifecycle.Text(should.Stored, should.Found)})
				}
			}
		}
	}
	return nil
}

// rises reports whether a player's entry of a board may become more by playing.
func rises(b game.Board) bool {
	m := b.Mode
	day := m.Policy == game.Latest || m.Policy == game.Sum || m.Policy == game.Best && m.Order == game.Desc
	return day || b.Period.Kind() != game.Day && (m.Aggregate != game.Min || m.Decay != nil)
}

// falls reports whether a player's entry of a board may become less by playing.
func falls(b game.Board) bool {
	m := b.Mode
	day := m.Policy == game.Latest || m.Policy == game.Sum && m.Min < 0 || m.Policy == game.Best && m.Order == game.Asc
	if b.Period.Kind() == game.Day {
		return day
	}
	switch m.Aggregate {
	case game.Max:
		return day || m.Decay != nil
	case game.Sum:
		return day || m.Min < 0 || m.Decay != nil
	}
	return true
}
