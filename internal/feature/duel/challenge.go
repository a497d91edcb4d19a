package duel

import (
	"context"
	"errors"
)

// Challenge opens a duel that waits until it is accepted: by the opponent or, if opponent is
// empty, by anybody who has its id. An opponent who may not be met does not see the
// challenge; to the player it looks as if the opponent did not react.
//
// Cost: 7 billed commands in 1 round trip, 8 with an opponent. If the player has made as many
// challenges since the open ones were last counted as may wait: 4 more, and 5 for one that is
// refused. Errors: ErrOpen.
func (s *Store) Challenge(ctx context.Context, player, opponent, mode string) (Duel, error) {
	return s.ChallengeAs(ctx, s.newID(), player, opponent, mode)
}

// ChallengeAs is Challenge with a given id, so that a repeated call finds the same duel.
// Anybody who knows the id of an open challenge can accept it. Errors: ErrOther, also if
// somebody has accepted the challenge meanwhile; ErrOpen.
func (s *Store) ChallengeAs(ctx context.Context, id, player, opponent, mode string) (Duel, error) {
	made := newDuel{id: id, state: Waiting, players: [2]string{player, opponent}, mode: mode}
	if opponent != "" {
		apart, err := s.mayDuel.apart(ctx, player, opponent)
		if err != nil {
			return Duel{}, err
		}
		made.unseen = apart
	}
	return s.create(ctx, made)
}

// mayDuel returns ErrRefused if two players may not meet.
type mayDuel func(ctx context.Context, player, other string) error

// apart reports whether two players may not meet.
func (may mayDuel) apart(ctx context.Context, player, other string) (bool, error) {
	err := may(ctx, player, other)
	if errors.Is(err, ErrRefused) {
		return true, nil
	}
	return false, err
}

// Arrange makes a ready duel of two players. The same id and players give the same duel for
// as long as it is kept. An empty id is replaced by a new one. Errors: ErrOther.
//
// Cost: 7 billed commands in 1 round trip, 9 if a K is provisional; 2 for a duel that exists.
// Every sixteenth duel of a process takes 4 more.
func (s *Store) Arrange(ctx context.Context, id string, players [2]string, mode string) (Duel, error) {
	if id == "" {
		id = s.newID()
	}
	return s.create(ctx, newDuel{id: id, state: Ready, players: players, mode: mode})
}
