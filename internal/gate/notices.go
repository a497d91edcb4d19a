package gate

import "context"

// Bans know who may not play.
type Bans interface {
	IsBanned(ctx context.Context, player string) (bool, error)
	// MayPlay refuses players who are banned.
	MayPlay(ctx context.Context, players ...string) error
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
