package gate

import "context"

// Bans knows which players are banned.
type Bans interface {
	IsBanned(ctx context.Context, player string) (bool, error)
	// MayPlay refuses players who are banned.
	MayPlay(ctx context.Context, players ...string) error
}

// Writable says when nothing may be written.
type Writable interface {
	MayWrite(ctx context.Context) error
}

// Notices says who is banned, and when nothing may be written.
type Notices interface {
	Bans
	Writable
}

// Halts says when nothing may be written, as far as the process knows without asking Redis.
type Halts interface {
	// Halted returns why nothing may be written; nil: writes are allowed.
	Halted() error
}
