package duel

import (
	"context"
	"fmt"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

// Duel reads a duel. If the duel's time is over, Duel ends it first. Errors: ErrUnknown.
//
// Cost: 1 billed command in 1 round trip; up to 8 in 2 for a duel that has to be ended.
func (s *Store) Duel(ctx context.Context, id string) (Duel, error) {
	found, err := s.read(ctx, []string{id})
	if err != nil {
		return Duel{}, err
	}
	d := found[0]
	if d.ID == "" {
		return Duel{}, ErrUnknown
	}
	if overdue(d, s.now()) {
		return s.settle(ctx, id)
	}
	return d, nil
}

// See reads a duel for a player: one of the two, or anybody who has the id of an open
// challenge. Errors: ErrUnknown, also if the player may not meet the challenger.
//
// Cost: that of Duel, and for somebody else's challenge that of MayDuel.
func (s *Store) See(ctx context.Context, id, player string) (Duel, error) {
	d, err := s.Duel(ctx, id)
	if err != nil {
		return Duel{}, err
	}
	if !IsVisible(d, player) {
		return Duel{}, ErrUnknown
	}
	if err := s.mayDuel.know(ctx, d, player); err != nil {
		return Duel{}, err
	}
	return d, nil
}

// IsVisible reports whether a player may read a duel: one of the two may, and anybody while it is
// an open challenge, whose id is its invitation.
func IsVisible(d Duel, player string) bool {
	return d.Place(player) >= 0 || d.State == Waiting && d.Players[1] == ""
}

// know returns ErrUnknown for a challenge, waiting or expired, by somebody whom the player
// may not meet.
func (may mayDuel) know(ctx context.Context, d Duel, player string) error {
	if d.K != 0 || d.Players[0] == player {
		return nil
	}
	apart, err := may.apart(ctx, player, d.Players[0])
	if err == nil && apart {
		return ErrUnknown
	}
	return err
}

func overdue(d Duel, now time.Time) bool {
	return (d.State == Waiting || d.State == Ready) && now.UnixMilli() > d.Until.UnixMilli()
}

// read reads duels in one round trip. A duel that does not exist has an empty id.
func (s *Store) read(ctx context.Context, ids []string) ([]Duel, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	cmds := make([]upstash.Command, len(ids))
	for i, id := range ids {
		cmds[i] = upstash.Cmd(append([]string{"HMGET", game.DuelRecordKey(id)}, names...)...)
	}
	result, err := s.redis.Pipeline(ctx, cmds...)
	if err == nil {
		err = result.Err()
	}
	if err != nil {
		return nil, fmt.Errorf("read duels: %w", err)
	}
	duels := make([]Duel, len(ids))
	for i, reply := range result.Replies {
		texts, err := redis.Texts(reply, len(names), "the fields of a duel")
		if err != nil {
			return nil, fmt.Errorf("read the duel %s: %w", ids[i], err)
		}
		h, err := hashOf(texts)
		if err == nil && h.state != "" {
			duels[i], err = h.duel(ids[i])
		}
		if err != nil {
			return nil, err
		}
	}
	return duels, nil
}
