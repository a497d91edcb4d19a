package api

import (
	"context"

	"github.com/framedle/leaderboards/internal/gate"
	"github.com/framedle/leaderboards/internal/ops"
)

// Writable says when nothing may be written.
type Writable interface {
	MayWrite(ctx context.Context) error
}

// Notices say who may play, and when nothing may be written.
type Notices interface {
	Writable
	gate.Bans
	ops.Notices
	gate.Halts
}
