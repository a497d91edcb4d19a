package duel

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/upstash"
)

// Newest lists at most most of a player's newest duels in Redis, including those that wait
// for the player. It writes nothing: a duel whose time is over is returned as it is stored,
// until a request for that duel ends it. Challenges that the player may not see are left out.
//
// Cost: 1 billed command and 1 for each duel, in 2 round trips, and that of MayDuel for
// each challenge by somebody else.
func Newest(ctx context.Context, s *Store, player string, most int) ([]game.Duel, error) {
	reply, err := s.redis.Do(ctx, upstash.Cmd("ZREVRANGE", game.DuelsOfKey(player), "0", strconv.Itoa(most-1)))
	if err != nil {
		return nil, fmt.Errorf("list the newest duels of a player: %w", err)
	}
	ids, err := reply.Strings()
	if err != nil {
		return nil, err
	}
	found, err := s.read(ctx, ids)
	if err != nil {
		return nil, err
	}
	known := found[:0]
	for _, d := range found {
		switch err := s.mayDuel.know(ctx, d, player); {
		case d.ID == "", errors.Is(err, ErrUnknown):
		case err != nil:
			return nil, err
		default:
			known = append(known, d)
		}
	}
	return slices.Clip(known), nil
}
