package gate

import (
	"context"

	"github.com/framedle/leaderboards/internal/notices"
)

// Bans know who may not play.
type Bans interface {
	IsBanned(ctx context.Context, player string) (bool, error)
}

// MayPlay refuses players who are banned: with their scores go their duels, what
// they ask of others and how they are shown. They may still read, leave, decline,
// block, and erase themselves.
func MayPlay(r *Request, bans Bans, players ...string) error {
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

// Writable says when nothing may be written.
type Writable interface {
	MayWrite(ctx context.Context) error
}

// Notices say who may not play, and when nothing may be written.
type Notices interface {
	Bans
	Writable
}

// Halts say when nothing may be written, as far as that is known without asking.
type Halts interface {
	// Halted is why nothing may be written; nil: it may.
	Halted() error
}
