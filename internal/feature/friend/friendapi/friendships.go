// Package friendapi has the endpoints of a player's friends: requests, invites and blocks,
// and how other players are shown to the caller. Package friend knows the rules; this package
// reads requests and writes answers.
//
// It does not know routes, other endpoints or boards: friends are ranked elsewhere.
package friendapi

import (
	"context"
	"time"

	"github.com/framedle/leaderboards/internal/api/gate"
	"github.com/framedle/leaderboards/internal/control"
	"github.com/framedle/leaderboards/internal/feature/friend"
	"github.com/framedle/leaderboards/internal/game"
)

// Friends changes and reads friendships.
type Friends interface {
	Act(ctx context.Context, action friend.Action, player, other string) (friend.Outcome, error)
	Relations(ctx context.Context, player string) (friend.Relations, error)
	Invite(ctx context.Context, player string, uses int) (code string, expires time.Time, err error)
	Redeem(ctx context.Context, player, code string) (outcome friend.Outcome, other string, err error)
}

// Names reads the profiles of players.
type Names interface {
	Names(ctx context.Context, players []string) (map[string]game.Profile, error)
}

// Endpoints are the endpoints of a player's friends, each named as its route.
type Endpoints struct {
	Gate    *gate.Keeper
	Friends Friends // nil: there is no database
	Names   Names
	Notices *control.Notices
	Codes   Codes // at least one
}
