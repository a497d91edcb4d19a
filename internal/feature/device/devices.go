// Package device has the endpoints of anonymous players. They make a device, and let a
// signed-in player claim what a device has played. It also tells other endpoints whether a
// device was claimed, and whether it may take a name now.
//
// It must not know routes, other endpoints or boards. Package claim moves what a device has
// played to its new owner.
package device

import (
	"context"
	"time"

	"github.com/framedle/leaderboards/internal/api/gate"
	"github.com/framedle/leaderboards/internal/feature/device/claim"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/platform/auth"
	"github.com/framedle/leaderboards/internal/profiles"
)

// History stores what others see of players where it outlives Redis.
type History interface {
	// KeepProfile keeps what others see of a player.
	KeepProfile(ctx context.Context, player string, p game.Profile, at time.Time) error
}

// Endpoints are the endpoints of anonymous players, each named after its route.
type Endpoints struct {
	Game *game.Game
	Now  func() time.Time
	Gate *gate.Keeper

	Tokens   *auth.Devices
	Claims   *claim.Service
	Claimed  Claimed
	Profiles *profiles.Profiles
	History  History // nil without Postgres
}
