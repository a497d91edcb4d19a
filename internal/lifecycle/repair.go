package lifecycle

import (
	"context"
	"errors"

	"github.com/framedle/leaderboards/internal/bands"
	"github.com/framedle/leaderboards/internal/control"
	"github.com/framedle/leaderboards/internal/derive"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lru"
	"github.com/framedle/leaderboards/internal/player"
	"github.com/framedle/leaderboards/internal/redis"
)

// Repair removes scores, erases players, and gives players the plays of claimed devices, on
// every board that they counted for. It is safe for concurrent use.
type Repair struct {
	DB      *redis.DB
	Totals  *derive.Totals
	Windows *derive.Windows
	Places  *derive.Places
	Notices *control.Notices
	Players *player.Profiles
	Rollup  *derive.Rollup
	XP      *player.XP
	Played  *derive.PlayedGroups
	Days    *Days

	erased *lru.Cache[string, game.Date] // players who may not be erased again on a date
}

// inOrder takes steps one after the other, until one fails.
func inOrder(ctx context.Context, steps ...func(context.Context) error) error {
	for _, step := range steps {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return nil
}

// NewRepair makes a Repair of its parts.
func NewRepair(rp Repair) *Repair {
	rp.erased = lru.New[string, game.Date](derive.RememberPlayers)
	rp.Notices.OnLoss(rp.erased.Purge)
	return &rp
}

// A board of all time in bands has only each player's best score of all days, and nothing else
// in Redis says what the rolled-up days were. So what remains after the removal of one of them
// is worked out from the archive.

// bandsRework corrects boards in bands after a removal.
type bandsRework struct{ *removal }

// list finds out which modes keep all time in bands.
func (w bandsRework) list(ctx context.Context) (err error) {
	for _, t := range w.modes {
		if t.allTime, err = w.rp.Rollup.Banded.AllTimeInBands(ctx, t.mode); err != nil {
			return err
		}
	}
	return nil
}

// settle replaces the player's entry by the given one, the best that remains, if the present
// one is better. If it is worse, it stays: a refresh carries the better one there. Long after the
// removal no write is under way any more: then settle first brings bands and home in line, and
// so finds an old score that a split of bands has copied while the entry was removed.
func (w bandsRework) settle(ctx context.Context, in *derive.InBands, entry redis.Place) error {
	if w.after {
		if _, err := in.Settle(ctx, in.Board, w.player); err != nil && !errors.Is(err, bands.ErrNotOnBoard) {
			return err
		}
	}
	current, err := in.Get(ctx, w.player)
	if err != nil || !current.Found || entry.Found && !in.Board.Better(current.Stored, entry.Stored) {
		return err
	}
	if err := in.Bands.Put(ctx, in.Board, w.player, current.Stored, entry); err != nil {
		return err
	}
	w.report.Boards++
	w.forget(in.Board.Key)
	return nil
}

// forget drops what this process remembers of a board that has changed.
func (w bandsRework) forget(key string) {
	w.rp.Windows.Forget(key)
	w.rp.Totals.Forget(key)
}

// bandsErasure takes a player off boards in bands.
type bandsErasure struct{ *erasure }

// find lists the boards of all time in bands that the player is on, each by the key that its
// rolled-up days would have: the player may also be among the rolled-up days of months and
// seasons.
func (w bandsErasure) find(ctx context.Context) (found []spot, err error) {
	for _, m := range w.rp.DB.Game.Modes {
		in, err := w.rp.Rollup.Banded.AllTimeInBands(ctx, m)
		if err != nil {
			return nil, err
		}
		if in == nil {
			continue
		}
		at, err := in.Get(ctx, w.player)
		if err != nil {
			return nil, err
		}
		if at.Found {
			ever := game.AllTime.Of(w.today)
			found = append(found, spot{key: game.RolledUpKey(in.Board.Key), mode: m, period: ever, rolledUp: true})
		}
	}
	return found, nil
}

// takeOff removes the player from all time in bands, after the days.
func (w bandsErasure) takeOff(ctx context.Context) error {
	for _, m := range w.rp.DB.Game.Modes {
		in, err := w.rp.Rollup.Banded.AllTimeInBands(ctx, m)
		if err != nil {
			return err
		}
		if in == nil {
			continue
		}
		if err := in.Remove(ctx, in.Board, w.player); err != nil {
			return err
		}
		bandsRework{w.removal}.forget(in.Board.Key)
	}
	return nil
}
