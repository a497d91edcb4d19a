package duel

import (
	"context"
	"errors"

	"github.com/framedle/leaderboards/internal/game"
)

// Challenge opens a duel that waits to be accepted: by the opponent, or by
// whoever brings its id where opponent is empty. An opponent who may not be met
// does not get to see it: to the player that is somebody who does not react.
//
// Cost: 7 billed commands in 1 round trip, 8 with an opponent; 4 more where as
// many challenges as may wait were made since this was last looked at, and 5 for
// one too many. Errors: ErrOpen.
func (s *Store) Challenge(ctx context.Context, player, opponent, mode string) (game.Duel, error) {
	return s.ChallengeAs(ctx, s.newID(), player, opponent, mode)
}

// ChallengeAs is Challenge under an id, so that asking again finds the same duel.
// Whoever knows the id of an open challenge can accept it. Errors: ErrOther, also
// where somebody has accepted meanwhile; ErrOpen.
func (s *Store) ChallengeAs(ctx context.Context, id, player, opponent, mode string) (game.Duel, error) {
	made := newDuel{id: id, state: game.DuelWaiting, players: [2]string{player, opponent}, mode: mode}
	if opponent != "" {
		apart, err := s.mayDuel.apart(ctx, player, opponent)
		if err != nil {
			return game.Duel{}, err
		}
		made.unseen = apart
	}
	return s.create(ctx, made)
}

// mayDuel returns ErrRefused where two players may not meet.
type mayDuel func(ctx context.Context, player, other string) error

// apart reports whether two players may not meet.
func (may mayDuel) apart(ctx context.Context, player, other string) (bool, error) {
	err := may(ctx, player, other)
	if errors.Is(err, ErrRefused) {
		return true, nil
	}
	return false, err
}

// Arrange makes a duel of two players that is ready. Under the same id and for
// the same players it is the same duel, as long as it is kept; an empty id is
// replaced by a new one. Errors: ErrOther.
//
// Cost: 7 billed commands in 1 round trip, 9 where a K is provisional; 2 for one
// that exists. Every sixteenth duel of a process takes 4 more.
func (s *Store) Arrange(ctx context.Context, id string, players [2]string, mode string) (game.Duel, error) {
	if id == "" {
		id = s.newID()
	}
	return s.create(ctx, newDuel{id: id, state: game.DuelReady, players: players, mode: mode})
}
