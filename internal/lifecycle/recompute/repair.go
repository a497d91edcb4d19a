// Package recompute removes scores and players, bans players, and moves what a device has played to
// its owner. It corrects what counts in many places. No refresh reads rolled-up days, so it works
// these out again, entry by entry.
package recompute

import (
	"context"

	"github.com/framedle/leaderboards/internal/boardcache"
	"github.com/framedle/leaderboards/internal/control"
	"github.com/framedle/leaderboards/internal/derive"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lifecycle/dayclose"
	"github.com/framedle/leaderboards/internal/lru"
	"github.com/framedle/leaderboards/internal/player"
	"github.com/framedle/leaderboards/internal/redis"
)

// Repair removes scores, erases players, and gives players the plays of claimed devices, on
// every board that they counted for. It is safe for concurrent use.
type Repair struct {
	DB      *redis.DB
	Totals  *boardcache.Totals
	Windows *boardcache.Windows
	Places  *boardcache.Places
	Notices *control.Notices
	Players *player.Profiles
	Rollup  *derive.Rollup
	XP      *player.XP
	Played  *derive.PlayedGroups
	Days    *dayclose.Days

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

// New makes a Repair of its parts.
func New(rp Repair) *Repair {
	rp.erased = lru.New[string, game.Date](boardcache.RememberPlayers)
	rp.Notices.OnLoss(rp.erased.Purge)
	return &rp
}
