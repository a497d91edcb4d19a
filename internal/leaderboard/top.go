package leaderboard

import (
	"context"
	"slices"
	"strings"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

// Top reads the totals and the first entries of boards as they are, without names and without
// refreshing them. A page of the result has no entries if there is no such board.
//
// Cost: 2 billed commands for each board, in 1 round trip.
func (s *Store) Top(ctx context.Context, boards []game.Board, limit int64) ([]game.Page, error) {
	pages := make([]game.Page, len(boards))
	var p redis.Pipeline
	for i, b := range boards {
		pages[i].Board = b
		p.Add(redis.RangeCommand(b, 0, limit-1), redis.EntriesInto(b, &pages[i].Entries))
		p.Add(upstash.Cmd("ZCARD", b.Key), redis.IntInto(&pages[i].Total))
	}
	if _, err := p.Run(ctx, s.DB.Redis); err != nil {
		return nil, redis.Wrap("read the tops of boards", err)
	}
	for i, b := range boards {
		b.RankAmongThemselves(pages[i].Entries)
	}
	return pages, nil
}

// TopsByCountry reads, from a board of all players, the total and the first entries of each
// country and region that the mode ranks: without names, and without refreshing the board.
// Countries has the country of each player.
//
// Cost: 1 billed command for every 20,000 players.
func (s *Store) TopsByCountry(ctx context.Context, b game.Board, countries map[string]string, limit int) ([]game.Page, error) {
	scopes := map[string][]game.Scope{} // by country, as each comes many times
	byScope := map[game.Scope][]game.Entry{}
	err := s.DB.EachMember(ctx, b.Key, func(page []redis.Member) error {
		for _, m := range page {
			country, ok := countries[m.Player]
			if !ok {
				continue
			}
			of, met := scopes[country]
			if !met {
				of = game.ScopesOf(b.Mode, country)
				scopes[country] = of
			}
			for _, scope := range of {
				byScope[scope] = append(byScope[scope], game.Entry{Player: m.Player, Stored: m.Stored, Score: b.Mode.Decode(m.Stored)})
			}
		}
		return nil
	})
	if err != nil {
		return nil, redis.Wrap("read "+b.Key, err)
	}
	pages := make([]game.Page, 0, len(byScope))
	for scope, entries := range byScope {
		b.Sort(entries)
		b.RankAmongThemselves(entries)
		pages = append(pages, game.Page{
			Board: game.BoardOf(b.Mode, b.Period, scope), Total: int64(len(entries)), Entries: entries[:min(len(entries), limit)],
		})
	}
	slices.SortFunc(pages, func(a, b game.Page) int { return strings.Compare(a.Board.Key, b.Board.Key) })
	return pages, nil
}
