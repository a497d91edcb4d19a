// Package device has the endpoints of anonymous players. They make a device, and let a
// signed-in player claim what a device has played. It also reports to other endpoints whether a
// device was claimed, and whether it may take a name now.
//
// It must not know other endpoints or boards. Package lifecycle moves what a device has played to
// its new owner.
package device

import (
	"context"
	"time"

	"github.com/framedle/leaderboards/internal/api/gate"
	"github.com/framedle/leaderboards/internal/api/limit"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/platform/auth"
	"github.com/framedle/leaderboards/internal/player"
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
	Gate *gate.Guard

	Tokens   *auth.Devices
	Claims   *Claims
	Claimed  ClaimedDevices
	Profiles *player.Profiles
	History  History // nil without Postgres
}

// Routes are the routes of anonymous players.
func (e Endpoints) Routes() []gate.Route {
	return []gate.Route{
		{Function: "me", Pattern: "POST /v1/devices", Auth: gate.DeviceIssuer, Limit: limit.Devices, Body: gate.EmptyAllowed,
			Serve: gate.NoQuery(e.PostDevice)},
		// Price: 633 for a device with one day in framedle and its open weeks and months.
		{Function: "me", Pattern: "POST /v1/me/claim", Auth: gate.DeviceClaimer, Limit: limit.Devices, Body: gate.Required,
			Price: gate.UpTo(700), Steady: 26, Keyed: true, BlockedInMaintenance: true, Serve: gate.NoQuery(e.PostClaim)},
	}
}
