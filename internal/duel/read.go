package duel

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/upstash"
)

// Duel reads a duel. One whose time is over is ended first. Errors: ErrUnknown.
//
// Cost: 1 billed command in 1 round trip; up to 8 in 2 for one that has to be
// ended.
func (s *Store) Duel(ctx context.Context, id string) (game.Duel, error) {
	found, err := s.read(ctx, []string{id})
	if err != nil {
		return game.Duel{}, err
	}
	d := found[0]
	if d.ID == "" {
		return game.Duel{}, ErrUnknown
	}
	if s.overdue(d) {
		return s.settle(ctx, id)
	}
	return d, nil
}

func (s *Store) overdue(d game.Duel) bool {
	return (d.State == game.DuelWaiting || d.State == game.DuelReady) && s.now().UnixMilli() > d.Until.UnixMilli()
}

// read reads duels in one round trip; the id of one that does not exist is empty.
func (s *Store) read(ctx context.Context, ids []string) ([]game.Duel, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	cmds := make([]upstash.Command, len(ids))
	for i, id := range ids {
		cmds[i] = upstash.Cmd(append([]string{"HMGET", game.DuelRecordKey(id)}, fields[:]...)...)
	}
	result, err := s.redis.Pipeline(ctx, cmds...)
	if err == nil {
		err = result.Err()
	}
	if err != nil {
		return nil, fmt.Errorf("read duels: %w", err)
	}
	duels := make([]game.Duel, len(ids))
	for i, reply := range result.Replies {
		items, err := reply.Array()
		if err != nil {
			return nil, fmt.Errorf("read the duel %s: %w", ids[i], err)
		}
		texts := make([]string, len(items))
		for j, item := range items {
			if !item.IsNil() {
				texts[j], _ = item.Text()
			}
		}
		if len(texts) != len(fields) || texts[0] == "" {
			continue
		}
		if duels[i], err = parse(ids[i], texts); err != nil {
			return nil, err
		}
	}
	return duels, nil
}

// Mark is a place in a player's duels, newest first: right after the duel that
// was made then. The zero Mark is the beginning.
type Mark struct {
	At time.Time
	ID string
}

// behind tells whether a duel comes after the place.
func (m Mark) behind(d game.Duel) bool {
	if order := d.CreatedAt.Compare(m.At); order != 0 {
		return order < 0
	}
	return d.ID < m.ID
}

// sameMoment is how many of a player's duels may be made in one millisecond
// without a page losing one.
const sameMoment = 16

// Of lists a player's duels after a place, newest first, those that wait for
// the player among them.
//
// Cost: 1 billed command and 1 for each duel, in 2 round trips; what Redis does
// not have is asked of the history.
func (s *Store) Of(ctx context.Context, player string, after Mark, limit int) ([]game.Duel, error) {
	if after.At.IsZero() {
		after.At = s.now().Add(time.Hour)
	}
	reply, err := s.redis.Do(ctx, upstash.Cmd("ZREVRANGEBYSCORE", game.DuelsOfKey(player), millis(after.At), "-inf",
		"LIMIT", "0", itoa(limit+sameMoment)))
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
	gone := func(d game.Duel) bool { return d.ID == "" || !after.behind(d) }
	if found = slices.DeleteFunc(found, gone); len(found) > limit {
		found = found[:limit]
	}
	for i, d := range found {
		if s.overdue(d) {
			if found[i], err = s.settle(ctx, d.ID); err != nil {
				return nil, err
			}
		}
	}
	if len(found) == limit || s.history == nil {
		return found, nil
	}
	past, err := s.history.DuelsOf(ctx, player, after, limit)
	if err != nil {
		return nil, err
	}
	for _, d := range past {
		if !slices.ContainsFunc(found, func(known game.Duel) bool { return known.ID == d.ID }) {
			found = append(found, d)
		}
	}
	slices.SortFunc(found, func(a, b game.Duel) int {
		return -cmp.Or(a.CreatedAt.Compare(b.CreatedAt), strings.Compare(a.ID, b.ID))
	})
	return found[:min(limit, len(found))], nil
}
