package duel

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
)

// Rematch challenges the other player of a finished duel. If both players ask, they get one
// duel, which is ready. A challenge to a player who may not be met behaves as in Challenge.
// Errors: ErrUnknown, ErrNotDecided, and those of Accept.
func (s *Store) Rematch(ctx context.Context, id, player string) (Duel, error) {
	old, err := s.Duel(ctx, id)
	if err == nil {
		err = s.mayDuel.know(ctx, old, player)
	}
	if err != nil {
		return Duel{}, err
	}
	return s.rematch(ctx, old, player)
}

func (s *Store) rematch(ctx context.Context, old Duel, player string) (Duel, error) {
	place := old.Place(player)
	if place < 0 || old.Players[1-place] == "" {
		return Duel{}, ErrUnknown
	}
	if old.State == Waiting || old.State == Ready {
		return Duel{}, ErrNotDecided
	}
	other := old.Players[1-place]
	apart, err := s.mayDuel.apart(ctx, player, other)
	if err != nil {
		return Duel{}, err
	}
	// Both players' requests must give the same id. The challenge names its opponent, so the
	// id lets nobody else accept it.
	sum := sha256.Sum256([]byte("rematch\x00" + old.ID))
	next := hex.EncodeToString(sum[:16])
	d, err := s.create(ctx, newDuel{next, Waiting, [2]string{player, other}, old.Mode, apart})
	switch {
	case err == ErrOther && apart: // a waiting challenge by the other player was replaced
		d, err = s.Duel(ctx, next)
	case err == ErrOther:
		d, err = s.Accept(ctx, next, player)
	}
	if err == ErrOver {
		d, err = s.Duel(ctx, next)
	}
	if err == nil && overdue(d, s.now()) {
		d, err = s.settle(ctx, next)
	}
	if err == nil && d.State == Expired {
		return s.rematch(ctx, d, player) // the earlier rematch expired unused
	}
	return d, err
}
