package api

import (
	"log/slog"
	"time"

	"github.com/framedle/leaderboards/internal/answers"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/gate"
)

// kernel is what the handlers of every resource have: the game and its clock, what lets
// their requests in, and where it is told that one went wrong.
type kernel struct {
	game     *game.Game
	now      func() time.Time
	log      *slog.Logger
	problems answers.Problems
	gate     *gate.Keeper
}
