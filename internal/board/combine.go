package board

import (
	"context"
	"slices"
	"strings"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/upstash"
)

// unionBound is how many entries Redis may be asked to unite in one command,
// which holds everybody else up for about 2 µs each. Larger boards are united
// here, and written in pages.
const unionBound = 100_000

// combineInto makes a board hold its sources, oldest first, under the mode's
// aggregate.
//
// Cost: 2 billed commands, and 1 where the process does not know the board's
// size. Where the sources have more than 100,000 entries together: 1 for every
// 20,000 of them, 1 for every 10,000 of the board, and 5.
func (s *Store) combineInto(ctx context.Context, b Board, sources []string) error {
	large, err := s.large(ctx, b.Key, sources)
	if err != nil {
		return err
	}
	if large {
		return s.combineLarge(ctx, b.Mode.Aggregate, []target{{b, sources}})
	}
	var players int64
	var p pipeline
	switch {
	case len(sources) == 0:
		p.add(upstash.Cmd("DEL", b.Key).Idempotent(), nil)
	case b.Mode.Aggregate == game.Last:
		combineLast(&p, b.Key, sources, intInto(&players))
	default:
		p.add(union(b.Key, aggregateWord(b.Mode.Aggregate), sources...), intInto(&players))
	}
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

// target is a board and what it is made of, oldest first.
type target struct {
	board   Board
	sources []string
}

// deriveAll derives several boards of a mode. What is large is read once for
// all of them.
func (s *Store) deriveAll(ctx context.Context, m *game.Mode, boards []Board) error {
	var index dayIndex
	var p pipeline
	p.add(upstash.Cmd("HGETALL", game.DaysKey(m.Name)), daysInto(&index))
	if _, err := p.run(ctx, s.redis); err != nil {
		return err
	}
	var together []target
	for _, b := range boards {
		sources, whole, err := s.sources(ctx, b, index)
		if err != nil {
			return err
		}
		large, err := s.large(ctx, b.Key, sources)
		switch {
		case err != nil:
			return err
		case large && whole && !s.overdue(b, index) && !s.settles(b):
			together = append(together, target{b, sources})
		default: // with what else deriving may find to do
			if _, err := s.derive(ctx, b, index); err != nil {
				return err
			}
		}
	}
	return s.combineLarge(ctx, m.Aggregate, together)
}

// combineLarge makes boards from their sources, each of which is read once. A
// source that several boards have stands in the same order in all of them.
func (s *Store) combineLarge(ctx context.Context, a game.Aggregate, targets []target) error {
	united := make([]map[string]float64, len(targets))
	for i := range targets {
		united[i] = map[string]float64{}
	}
	for _, source := range inOrder(targets) {
		entries, err := s.scan(ctx, source)
		if err != nil {
			return err
		}
		for i, t := range targets {
			if slices.Contains(t.sources, source) {
				addTo(united[i], entries, a)
			}
		}
	}
	for i, t := range targets {
		if err := s.Replace(ctx, t.board, united[i]); err != nil {
			return err
		}
		s.totals.set(t.board.Key, int64(len(united[i])))
	}
	return nil
}

// inOrder lists the sources of all targets, each once: what was folded, then
// days, which have their dates in their names.
func inOrder(targets []target) []string {
	var folded, days []string
	for _, t := range targets {
		for _, source := range t.sources {
			if strings.HasPrefix(source, game.FoldedKey("")) {
				folded = append(folded, source)
			} else {
				days = append(days, source)
			}
		}
	}
	slices.Sort(days)
	return append(folded, slices.Compact(days)...)
}

func addTo(all, newer map[string]float64, a game.Aggregate) {
	for player, stored := range newer {
		if old, had := all[player]; had {
			stored = combined(a, old, stored)
		}
		all[player] = stored
	}
}

// large reports whether uniting the sources could hold Redis up: the board as it
// was, or the largest source whose size the process remembers, for as many as
// there are. Where it remembers none it asks for the one in the middle.
func (s *Store) large(ctx context.Context, board string, sources []string) (bool, error) {
	if len(sources) == 0 {
		return false, nil
	}
	players, known := s.totals.last(board)
	for _, source := range sources {
		size, remembered := s.totals.last(source)
		players, known = max(players, size), known || remembered
	}
	if !known {
		middle := sources[len(sources)/2]
		var p pipeline
		p.add(upstash.Cmd("ZCARD", middle), intInto(&players))
		if _, err := p.run(ctx, s.redis); err != nil {
			return false, err
		}
		s.totals.set(middle, players)
	}
	return players*int64(len(sources)) > unionBound, nil
}

// unite reads the sources, oldest first, and combines them.
func (s *Store) unite(ctx context.Context, a game.Aggregate, sources []string) (map[string]float64, error) {
	all := map[string]float64{}
	for _, source := range sources {
		entries, err := s.scan(ctx, source)
		if err != nil {
			return nil, err
		}
		addTo(all, entries, a)
	}
	return all, nil
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
