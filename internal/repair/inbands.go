package repair

import (
	"context"
	"errors"

	"github.com/framedle/leaderboards/internal/bands"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/rdb"
	"github.com/framedle/leaderboards/internal/rollup"
)

// All time in bands holds the best of all days, and nothing beside it says what rolled-up
// days were. So what stands when one of them is taken out follows from the archive.

// bandsRework sets right what a removal changes of boards in bands.
type bandsRework struct{ r *removal }

// list learns which modes keep all time in bands.
func (w bandsRework) list(ctx context.Context) (err error) {
	for _, t := range w.r.modes {
		if t.allTime, err = w.r.s.Rollup.Banded.AllTimeInBands(ctx, t.mode); err != nil {
			return err
		}
	}
	return nil
}

// settle makes an entry that is better than what is left the given one. One that is not
// as good yet is carried there. Where nothing is on its way any more, what a split has
// copied while the entry was removed is found too.
func (w bandsRework) settle(ctx context.Context, in *rollup.InBands, entry rdb.Place) error {
	if w.r.after {
		if _, err := in.Settle(ctx, in.Board, w.r.player); err != nil && !errors.Is(err, bands.ErrNotOnBoard) {
			return err
		}
	}
	stands, err := in.Get(ctx, w.r.player)
	if err != nil || !stands.Found || entry.Found && !in.Better(stands.Stored, entry.Stored) {
		return err
	}
	if err := bands.Put(ctx, in.Bands, in.Board, w.r.player, stands.Stored, entry); err != nil {
		return err
	}
	w.r.report.Boards++
	w.forget(in.Board.Key)
	return nil
}

// forget has this process ask anew for a board that has changed.
func (w bandsRework) forget(key string) {
	w.r.s.Windows.Forget(key)
	w.r.s.Totals.Forget(key)
}

// bandsErasure takes a player off boards in bands.
type bandsErasure struct{ r *erasure }

// find lists the boards of all time in bands that the player is on, as what they are
// made from: whoever is on one may be on what months and seasons hold of rolled-up days.
func (w bandsErasure) find(ctx context.Context) (found []spot, err error) {
	for _, m := range w.r.s.DB.Game.Modes {
		in, err := w.r.s.Rollup.Banded.AllTimeInBands(ctx, m)
		if err != nil {
			return nil, err
		}
		if in == nil {
			continue
		}
		at, err := in.Get(ctx, w.r.player)
		if err != nil {
			return nil, err
		}
		if at.Found {
			ever := game.AllTime.Of(w.r.today)
			found = append(found, spot{key: game.RolledUpKey(in.Board.Key), mode: m, period: ever, rolledUp: true})
		}
	}
	return found, nil
}

// takeOff removes the player from all time in bands, after the days.
func (w bandsErasure) takeOff(ctx context.Context) error {
	for _, m := range w.r.s.DB.Game.Modes {
		in, err := w.r.s.Rollup.Banded.AllTimeInBands(ctx, m)
		if err != nil {
			return err
		}
		if in == nil {
			continue
		}
		if err := in.Remove(ctx, in.Board, w.r.player); err != nil {
			return err
		}
		bandsRework{w.r.removal}.forget(in.Board.Key)
	}
	return nil
}
