// Package devices has the endpoints of anonymous players: they are made here, and players
// who have signed in claim what theirs have played. Other endpoints ask it whether a device
// has been claimed, and whether it may be named now.
//
// It must not know routes, other endpoints or boards: what becomes of what a device has
// played is the work of package claim.
package devices

import (
	"context"
	"io"
	"time"

	"github.com/framedle/leaderboards/internal/auth"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/gate"
	"github.com/framedle/leaderboards/internal/profiles"
)

// Tokens makes anonymous players, and verifies their tokens.
type Tokens interface {
	Issue(random io.Reader) (auth.Device, error)
	Verify(token string) (auth.Device, error)
}

// Profiles keeps what others see of players.
type Profiles interface {
	ChangeProfile(ctx context.Context, player string, change profiles.ProfileChange) (game.Profile, error)
	KeepProfile(ctx context.Context, player string, said game.Profile) error
}

// History keeps what others see of players where it outlives Redis.
type History interface {
	// KeepProfile keeps what others see of a player.
	KeepProfile(ctx context.Context, player string, p game.Profile, at time.Time) error
}

// Config is what the endpoints are made of.
type Config struct {
	Game *game.Game
	Now  func() time.Time
	Gate *gate.Keeper

	Tokens   Tokens
	Claims   Claims
	Claimed  Claimed
	Profiles Profiles
	History  History // nil: none
}

// Endpoints are those of anonymous players, each named as its route is.
type Endpoints struct {
	PostDevice, PostClaim gate.Endpoint
}

// New makes the endpoints.
func New(c Config) Endpoints {
	of := claims{c.Game, c.Now, c.Gate, c.Tokens, c.Claims, c.Claimed, c.Profiles, c.History}
	return Endpoints{PostDevice: issuing{c.Gate, c.Tokens}.postDevice, PostClaim: of.postClaim}
}
