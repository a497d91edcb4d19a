package race

import (
	"context"
	"time"

	"github.com/framedle/leaderboards/internal/game"
)

// History keeps races when they have left Redis.
type History interface {
	// PutRaces keeps races that have ended after they had started; those it has stay
	// as they are.
	PutRaces(ctx context.Context, races []game.Race) error
	// RacesSince reads the races that were made at a time or later. The slice is
	// used again.
	RacesSince(ctx context.Context, since time.Time, page func([]game.Race) error) error
}
