package api

import (
	"github.com/framedle/leaderboards/internal/gate"
	"github.com/framedle/leaderboards/internal/ops"
)

// Notices say who may play, and when nothing may be written.
type Notices interface {
	gate.Notices
	ops.Notices
	gate.Halts
}
