package duel

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

// Mark is a place in a player's duels, newest first: just after the duel with this time and
// id. The zero Mark is the beginning.
type Mark struct {
	At time.Time
	ID string
}

// behind reports whether a duel comes after the place.
func (m Mark) behind(d Duel) bool {
	if order := d.CreatedAt.Compare(m.At); order != 0 {
		return order < 0
	}
	return d.ID < m.ID
}

// sameMoment is how many of a player's duels may be made in the same millisecond without any
// of them being missing from a page.
const sameMoment = 16

// Of lists a player's duels after a mark, newest first, including those that wait for the
// player.
//
// Cost: 1 billed command and 1 for each duel, in 2 round trips, and that of MayDuel for each
// challenge by somebody else; the history is asked for duels that Redis does not have.
func (s *Store) Of(ctx context.Context, player string, after Mark, limit int) ([]Duel, error) {
	if after.At.IsZero() {
		after.At = s.now().Add(time.Hour)
	}
	reply, err := s.redis.Do(ctx, upstash.Cmd("ZREVRANGEBYSCORE", game.DuelsOfKey(player), redis.Millis(after.At), "-inf",
		"LIMIT", "0", strconv.Itoa(limit+sameMoment)))
	if err != nil {
		return nil, fmt.Errorf("list the duels of a player: %w", err)
	}
	ids, err := reply.Strings()
	if err != nil {
		return nil, err
	}
	found, err := s.read(ctx, ids[:min(len(ids), limit+sameMoment)])
	if err != nil {
		return nil, err
	}
	passed := func(d Duel) bool { return d.ID == "" || !after.behind(d) }
	if found = slices.DeleteFunc(found, passed); len(found) > limit {
		found = found[:limit]
	}
	for i, d := range found {
		if overdue(d, s.now()) {
			if found[i], err = s.settle(ctx, d.ID); err != nil {
				return nil, err
			}
		}
	}
	if hidden, err := s.hide(ctx, player, found); err != nil {
		return nil, err
	} else if hidden {
		return s.Of(ctx, player, after, limit)
	}
	if len(found) == limit || s.history == nil {
		return found, nil
	}
	past, err := s.history.Of(ctx, player, after.At, after.ID, limit)
	if err != nil {
		return nil, err
	}
	for _, d := range past {
		if !slices.ContainsFunc(found, func(known Duel) bool { return known.ID == d.ID }) {
			found = append(found, d)
		}
	}
	slices.SortFunc(found, func(a, b Duel) int {
		return -cmp.Or(a.CreatedAt.Compare(b.CreatedAt), strings.Compare(a.ID, b.ID))
	})
	return found[:min(limit, len(found))], nil
}

// hide moves challenges by players whom the player may no longer meet from the player's list
// to those that the player does not see. It reports whether there were any.
func (s *Store) hide(ctx context.Context, player string, found []Duel) (bool, error) {
	unseen, off := []string{"ZADD", game.DuelsUnseenKey(player)}, []string{"ZREM", game.DuelsOfKey(player)}
	for _, d := range found {
		err := s.mayDuel.know(ctx, d, player)
		if errors.Is(err, ErrUnknown) {
			unseen, off = append(unseen, redis.Millis(d.CreatedAt), d.ID), append(off, d.ID)
		} else if err != nil {
			return false, err
		}
	}
	if len(off) == 2 {
		return false, nil
	}
	result, err := s.redis.Pipeline(ctx, upstash.Cmd(unseen...).Idempotent(),
		upstash.Cmd("EXPIRE", game.DuelsUnseenKey(player), redis.Seconds(life(s.rules))).Idempotent(), upstash.Cmd(off...).Idempotent())
	if err == nil {
		err = result.Err()
	}
	if err != nil {
		return false, fmt.Errorf("take challenges off a list: %w", err)
	}
	return true, nil
}

// Newest lists at most most of a player's newest duels in Redis, including those that wait
// for the player. It writes nothing: a duel whose time is over is returned as it is stored,
// until a request for that duel ends it. Challenges that the player may not see are left out.
//
// Cost: 1 billed command and 1 for each duel, in 2 round trips, and that of MayDuel for
// each challenge by somebody else.
func (s *Store) Newest(ctx context.Context, player string, most int) ([]Duel, error) {
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
