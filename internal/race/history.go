package race

import (
	"context"
	"time"

	"github.com/framedle/leaderboards/internal/game"
)

// History keeps races that have expired from Redis.
type History interface {
	// Put stores races that have started and ended. Races that it already has stay as
	// they are.
	Put(ctx context.Context, races []game.Race) error
	// Since reads the races that were made at a time or later. The slice passed to page
	// is reused.
	Since(ctx context.Context, since time.Time, page func([]game.Race) error) error
}
