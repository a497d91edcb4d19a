package duel

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/upstash"
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

// See reads a duel for a player: one of the two, or whoever brings the id of an
// open challenge. Errors: ErrUnknown, also where the challenger may not be met.
//
// Cost: that of Duel, and for somebody else's challenge that of MayDuel.
func (s *Store) See(ctx context.Context, id, player string) (game.Duel, error) {
	d, err := s.Duel(ctx, id)
	if err != nil {
		return game.Duel{}, err
	}
	if open := d.State == game.DuelWaiting && d.Players[1] == ""; d.Place(player) < 0 && !open {
		return game.Duel{}, ErrUnknown
	}
	if err := s.mayKnow(ctx, d, player); err != nil {
		return game.Duel{}, err
	}
	return d, nil
}

// mayKnow returns ErrUnknown where a duel is a challenge, waiting or run out, by
// somebody whom the player may not meet.
func (s *Store) mayKnow(ctx context.Context, d game.Duel, player string) error {
	if d.K != 0 || d.Players[0] == player {
		return nil
	}
	apart, err := s.apart(ctx, player, d.Players[0])
	if err == nil && apart {
		return ErrUnknown
	}
	return err
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

// behind reports whether a duel comes after the place.
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
// Cost: 1 billed command and 1 for each duel, in 2 round trips, and that of
// MayDuel for each challenge by somebody else; what Redis does not have is asked
// of the history.
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
	if hidden, err := s.hide(ctx, player, found); err != nil {
		return nil, err
	} else if hidden {
		return s.Of(ctx, player, after, limit)
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

// hide takes the challenges off a player's list that the player may not know of
// any more, and reports whether there were any.
func (s *Store) hide(ctx context.Context, player string, found []game.Duel) (bool, error) {
	off := []string{"ZREM", game.DuelsOfKey(player)}
	for _, d := range found {
		err := s.mayKnow(ctx, d, player)
		if errors.Is(err, ErrUnknown) {
			off = append(off, d.ID)
		} else if err != nil {
			return false, err
		}
	}
	if len(off) == 2 {
		return false, nil
	}
	if _, err := s.redis.Do(ctx, upstash.Cmd(off...).Idempotent()); err != nil {
		return false, fmt.Errorf("take challenges off a list: %w", err)
	}
	return true, nil
}
