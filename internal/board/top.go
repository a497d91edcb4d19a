package board

import (
	"context"
	"slices"
	"strings"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/upstash"
)

// Top reads the first entries of boards as they are, without names and without
// refreshing them. An entry of the result is empty where there is no board.
//
// Cost: 2 billed commands for each board, in 1 round trip.
func (s *Store) Top(ctx context.Context, boards []Board, limit int64) ([]Page, error) {
	pages := make([]Page, len(boards))
	var p pipeline
	for i, b := range boards {
		pages[i] = s.newPage(b)
		p.add(rangeCommand(b, 0, limit-1), entriesInto(b, &pages[i].Entries))
		p.add(upstash.Cmd("ZCARD", b.Key), intInto(&pages[i].Total))
	}
	if _, err := p.run(ctx, s.redis); err != nil {
		return nil, wrap("read the tops of boards", err)
	}
	for i, b := range boards {
		b.rankAmongThemselves(pages[i].Entries)
	}
	return pages, nil
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
		page := s.newPage(BoardOf(b.Mode, b.Period, scope))
		page.Total = int64(len(entries))
		b.order(entries)
		b.rankAmongThemselves(entries)
		page.Entries = entries[:min(len(entries), limit)]
		pages = append(pages, page)
	}
	slices.SortFunc(pages, func(a, b Page) int { return strings.Compare(a.Board.Key, b.Board.Key) })
	return pages, nil
}

// nameOn is name for the entries of a board. Groups have no names here, and one may
// be called as a player is.
func (s *Store) nameOn(ctx context.Context, b Board, entries []Entry, learning bool) error {
	if b.ofTeams() {
		return nil
	}
	return s.name(ctx, entries, learning)
}
