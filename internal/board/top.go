package board

import (
	"context"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/upstash"
)

// Stored is the entry's score as Redis holds it, tie fraction included.
func (e Entry) Stored() float64 { return e.stored }

// Days lists the days that a board's mode and scope are known to have had
// within its period.
//
// Cost: 1 billed command.
func (s *Store) Days(ctx context.Context, b Board) ([]game.Date, error) {
	var index dayIndex
	var p pipeline
	s.askDays(&p, b, &index)
	if _, err := p.run(ctx, s.redis); err != nil {
		return nil, wrap("list the days of "+b.Key, err)
	}
	var dates []game.Date
	for _, d := range index.dates {
		if b.Period.Contains(d) {
			dates = append(dates, d)
		}
	}
	return dates, nil
}

// Top reads the first entries of boards as they are, without names and without
// refreshing them. An entry of the result is empty where there is no board.
//
// Cost: 2 billed commands for each board, in 1 round trip.
func (s *Store) Top(ctx context.Context, boards []Board, limit int64) ([]Page, error) {
	pages := make([]Page, len(boards))
	var p pipeline
	for i, b := range boards {
		pages[i] = s.newPage(b)
		p.add(b.rangeCommand(0, limit-1), entriesInto(b, &pages[i].Entries))
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

// Replace puts a whole board in place of what there is, from stored scores by
// player, and gives it its expiry.
//
// Cost: 1 billed command for every 10,000 players, and 6.
func (s *Store) Replace(ctx context.Context, b Board, all map[string]float64) error {
	if err := s.replace(ctx, b.Key, all); err != nil {
		return wrap("replace "+b.Key, err)
	}
	s.totals.forget(b.Key)
	s.windows.forget(b.Key)
	end, ok := s.game.Expires(b.Period)
	if !ok {
		return nil
	}
	_, err := s.redis.Do(ctx, upstash.Cmd("EXPIRE", b.Key, itoa(s.secondsUntil(end))).Idempotent())
	return wrap("replace "+b.Key, err)
}

// FoldedThrough is the newest day of a mode and scope that has been folded;
// the zero Date where none has.
//
// Cost: 2 billed commands in 1 round trip.
func (s *Store) FoldedThrough(ctx context.Context, m *game.Mode, scope game.Scope) (game.Date, error) {
	global, scoped, err := s.allDays(ctx, m)
	if err != nil {
		return game.Date{}, err
	}
	scoped[game.Scope{}] = global
	var newest game.Date
	if index := scoped[scope]; index != nil {
		for d := range index.folded {
			if d.After(newest) {
				newest = d
			}
		}
	}
	return newest, nil
}
