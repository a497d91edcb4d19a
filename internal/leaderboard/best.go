package leaderboard

import (
	"context"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

// Best refreshes a board and reads its total and its first n entries, as they are stored.
//
// Cost: 2 billed commands in 1 round trip, besides a refresh that is due; on a board in bands
// 1 for each band that the entries are in.
func (s *Store) Best(ctx context.Context, b game.Board, n int64) (total int64, best []redis.Member, err error) {
	in, err := s.ready(ctx, b)
	if err != nil {
		return 0, nil, err
	}
	if in != nil {
		run, err := in.Page(ctx, in.Board, 0, n)
		for _, e := range run.Entries {
			best = append(best, redis.Member(e))
		}
		return run.Total, best, err
	}
	var p redis.Pipeline
	p.Add(redis.RangeCommand(b, 0, n-1), redis.MembersInto(&best))
	p.Add(upstash.Cmd("ZCARD", b.Key), redis.IntInto(&total))
	if _, err := p.Run(ctx, s.DB.Redis); err != nil {
		return 0, nil, redis.Wrap("read the best of "+b.Key, err)
	}
	return max(total, int64(len(best))), best, nil // somebody may have come in between
}

// EntriesAt reads the stored scores at positions of a board; a position past its end has none.
//
// Cost: 1 billed command for each position, in 1 round trip; on a board in bands 1 round trip
// for each.
func (s *Store) EntriesAt(ctx context.Context, b game.Board, positions []int64) ([]redis.Place, error) {
	at := make([]redis.Place, len(positions))
	in, err := s.bandsOf(ctx, b)
	if err != nil {
		return nil, err
	}
	var p redis.Pipeline
	for i, position := range positions {
		if in != nil {
			run, err := in.Page(ctx, in.Board, position, 1)
			if err != nil {
				return nil, err
			}
			if len(run.Entries) > 0 {
				at[i] = redis.Place{Position: position, Stored: run.Entries[0].Stored, Found: true}
			}
			continue
		}
		var one []redis.Member
		p.Add(redis.RangeCommand(b, position, position), func(r upstash.Reply) error {
			err := redis.MembersInto(&one)(r)
			if err == nil && len(one) > 0 {
				at[i] = redis.Place{Position: position, Stored: one[0].Stored, Found: true}
			}
			return err
		})
	}
	_, err = p.Run(ctx, s.DB.Redis)
	return at, redis.Wrap("read positions of "+b.Key, err)
}
