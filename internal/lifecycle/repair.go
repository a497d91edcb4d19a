package lifecycle

import (
	"context"

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
