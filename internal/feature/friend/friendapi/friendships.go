// Package friendapi has the endpoints of a player's friends: requests, invites and blocks,
// and how other players are shown to the caller. Package friend knows the rules; this package
// reads requests and writes answers.
//
// It does not know other endpoints or boards: friends are ranked elsewhere.
package friendapi

import (
	"context"
	"time"

	"github.com/framedle/leaderboards/internal/api/gate"
	"github.com/framedle/leaderboards/internal/api/limit"
	"github.com/framedle/leaderboards/internal/api/route"
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

// Routes are the routes of a player's friends.
func (f Endpoints) Routes() []route.Route {
	befriend := gate.SignedIn
	if f.Friends == nil {
		befriend = gate.NoFriends
	}
	return []route.Route{
		{Function: "friends", Pattern: "GET /v1/friends", Auth: befriend, Limit: limit.Boards, Price: route.UpTo(2), Serve: gate.NoQuery(f.GetFriends)},
		{Function: "friends", Pattern: "POST /v1/friends/requests", Auth: befriend, Limit: limit.Boards, Body: gate.Required,
			Price: route.UpTo(8), Steady: 5, Keyed: true, BlockedInMaintenance: true, Serve: gate.NoQuery(f.PostRequest)},
		{Function: "friends", Pattern: "POST /v1/friends/requests/{player}/accept", Auth: befriend, Limit: limit.Boards, Body: gate.NoFields,
			Price: route.UpTo(12), Steady: 8, Keyed: true, BlockedInMaintenance: true, Serve: f.PostAccept},
		{Function: "friends", Pattern: "DELETE /v1/friends/requests/{player}", Auth: befriend, Limit: limit.Boards, Body: gate.NoFields,
			Price: route.UpTo(8), Steady: 6, BlockedInMaintenance: true, Serve: f.Ending(friend.Drop)},
		{Function: "friends", Pattern: "DELETE /v1/friends/{player}", Auth: befriend, Limit: limit.Boards, Body: gate.NoFields,
			Price: route.UpTo(8), Steady: 6, BlockedInMaintenance: true, Serve: f.Ending(friend.Remove)},
		{Function: "friends", Pattern: "PUT /v1/friends/blocks/{player}", Auth: befriend, Limit: limit.Boards, Body: gate.NoFields,
			Price: route.UpTo(8), Steady: 7, BlockedInMaintenance: true, Serve: f.Ending(friend.Block)},
		{Function: "friends", Pattern: "DELETE /v1/friends/blocks/{player}", Auth: befriend, Limit: limit.Boards, Body: gate.NoFields,
			Price: route.UpTo(8), Steady: 6, BlockedInMaintenance: true, Serve: f.Ending(friend.Unblock)},
		{Function: "friends", Pattern: "POST /v1/friends/invites", Auth: befriend, Limit: limit.Boards, Body: gate.Optional,
			Price: route.UpTo(3), Keyed: true, BlockedInMaintenance: true, Serve: gate.NoQuery(f.PostInvite)},
		{Function: "friends", Pattern: "POST /v1/friends/invites/{code}/accept", Auth: befriend, Limit: limit.Boards, Body: gate.NoFields,
			Price: route.UpTo(10), Steady: 6, Keyed: true, BlockedInMaintenance: true, Serve: f.PostInviteAccept},
	}
}
