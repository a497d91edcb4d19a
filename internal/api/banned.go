package api

import (
	"context"

	"github.com/framedle/leaderboards/internal/gate"
	"github.com/framedle/leaderboards/internal/notices"
	"github.com/framedle/leaderboards/internal/ops"
)

// Writable says when nothing may be written.
type Writable interface {
	MayWrite(ctx context.Context) error
}

// Bans know who may not play.
type Bans interface {
	IsBanned(ctx context.Context, player string) (bool, error)
}

// Notices say who may play, and when nothing may be written.
type Notices interface {
	Writable
	Bans
	ops.Notices
	gate.Halts
}

// mayPlay refuses players who are banned: with their scores go their duels, what
// they ask of others and how they are shown. They may still read, leave, decline,
// block, and erase themselves.
func mayPlay(r *gate.Request, bans Bans, players ...string) error {
	for _, player := range players {
		banned, err := bans.IsBanned(r.Context(), player)
		if err != nil {
			return err
		}
		if banned {
			return notices.ErrBanned
		}
	}
	return nil
}
