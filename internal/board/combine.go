package board

import (
	"context"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/upstash"
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
// 10,000 of them, 1 for every 5,000 of the board, and 4.
func (s *Store) combineInto(ctx context.Context, b Board, sources []string) error {
	var players int64
	var p pipeline
	large, err := s.large(ctx, b.Key, sources)
	switch {
	case err != nil:
		return err
	case len(sources) == 0:
		p.add(upstash.Cmd("DEL", b.Key).Idempotent(), nil)
	case large:
		all, err := s.unite(ctx, b.Mode.Aggregate, sources)
		if err != nil {
			return err
		}
		players = int64(len(all))
		if err := s.replace(ctx, b.Key, all); err != nil {
			return err
		}
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
	s.windows.forget(b.Key)
	return nil
}

// unionInto unites sources in a scratch key of one's own.
func (s *Store) unionInto(ctx context.Context, scratch string, a game.Aggregate, sources []string) error {
	large, err := s.large(ctx, "", sources)
	if err != nil {
		return err
	}
	if large {
		all, err := s.unite(ctx, a, sources)
		if err != nil {
			return err
		}
		return s.writeMembers(ctx, scratch, all)
	}
	var p pipeline
	p.add(union(scratch, aggregateWord(a), sources...), nil)
	p.add(upstash.Cmd("EXPIRE", scratch, itoa(scratchSeconds)).Idempotent(), nil)
	_, err = p.run(ctx, s.redis)
	return err
}

// large tells whether uniting the sources could hold Redis up: the board as it
// was, where the process remembers its size, or the source in the middle, for
// as many as there are.
func (s *Store) large(ctx context.Context, board string, sources []string) (bool, error) {
	if len(sources) == 0 {
		return false, nil
	}
	middle := sources[len(sources)/2]
	players, known := s.totals.last(board)
	if !known {
		players, known = s.totals.last(middle)
	}
	if !known {
		var p pipeline
		p.add(upstash.Cmd("ZCARD", middle), intInto(&players))
		if _, err := p.run(ctx, s.redis); err != nil {
			return false, err
		}
	}
	return players*int64(len(sources)) > unionBound, nil
}

// unite reads the sources, oldest first, and combines them.
func (s *Store) unite(ctx context.Context, a game.Aggregate, sources []string) (map[string]float64, error) {
	all := map[string]float64{}
	for i, source := range sources {
		seen := map[string]float64{}
		take := func(page []member) error {
			for _, m := range page {
				seen[m.player] = m.stored
			}
			return nil
		}
		if err := s.scanMembers(ctx, source, take); err != nil {
			return nil, err
		}
		if i == 0 {
			all = seen
			continue
		}
		for player, stored := range seen {
			if old, had := all[player]; had {
				stored = combined(a, old, stored)
			}
			all[player] = stored
		}
	}
	return all, nil
}

// replace puts a board in place of the one that is there, in one step.
func (s *Store) replace(ctx context.Context, key string, all map[string]float64) error {
	if len(all) == 0 {
		_, err := s.redis.Do(ctx, upstash.Cmd("UNLINK", key).Idempotent())
		return err
	}
	scratch := s.scratch(key)
	if err := s.writeMembers(ctx, scratch, all); err != nil {
		return err
	}
	_, err := s.redis.Do(ctx, replaceScript.Command([]string{key, scratch}).Idempotent())
	return err
}

// replaceScript takes a scratch key for a board's own. The old board is let go
// in the background, since a large one takes long to free. Sent twice, it
// changes nothing.
//
// KEYS: board, scratch. Answer: {calls}
var replaceScript = upstash.NewScript(`
if redis.call('EXISTS', KEYS[2]) == 0 then return {1} end
redis.call('UNLINK', KEYS[1])
redis.call('RENAME', KEYS[2], KEYS[1])
redis.call('PERSIST', KEYS[1])
return {4}
`, firstInt)
