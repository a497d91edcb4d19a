package friend

import (
	"context"
	"net/http"
	"time"

	"github.com/framedle/leaderboards/internal/api"
	"github.com/framedle/leaderboards/internal/api/gate"
	"github.com/framedle/leaderboards/internal/api/limit"
	"github.com/framedle/leaderboards/internal/api/problem"
	"github.com/framedle/leaderboards/internal/control"
	"github.com/framedle/leaderboards/internal/game"
)

func init() {
	problem.Register("no-request", problem.Kind{Status: http.StatusNotFound, Title: "No such friend request"})
	problem.Register("no-invite", problem.Kind{Status: http.StatusNotFound, Title: "Invite invalid or expired"})
	problem.Register("player-blocked", problem.Kind{Status: http.StatusConflict, Title: "You have blocked this player"})
	problem.Register("list-full", problem.Kind{Status: http.StatusConflict, Title: "List is full"})
}

// Friendships changes and reads friendships.
type Friendships interface {
	Act(ctx context.Context, action Action, player, other string) (Outcome, error)
	Relations(ctx context.Context, player string) (Relations, error)
	Invite(ctx context.Context, player string, uses int) (code string, expires time.Time, err error)
	Inviter(ctx context.Context, player, code string) (inviter string, err error)
	Redeem(ctx context.Context, player, code string) (outcome Outcome, other string, err error)
}

// Names reads the profiles of players.
type Names interface {
	Names(ctx context.Context, players []string) (map[string]game.Profile, error)
}

// Endpoints are the endpoints of a player's friends, each named as its route.
type Endpoints struct {
	Gate     *gate.Guard
	Friends  Friendships // nil: there is no database
	Names    Names
	Profiles api.Profiles
	Lists    *Cache // of everybody's friends, for boards
	Boards   *api.Boards
	Notices  *control.Notices
	Codes    Codes // at least one
}

// Routes are the routes of a player's friends.
func (f Endpoints) Routes() []gate.Route {
	befriend := gate.SignedIn
	if f.Friends == nil {
		befriend = gate.NoFriends
	}
	return []gate.Route{
		{Function: "leaderboard", Pattern: "GET /v1/leaderboards/{mode}/friends", Auth: gate.SignedIn, Limit: limit.Boards,
			Price: api.Look(api.BoardPrice), Steady: 2, Serve: f.GetBoard},
		{Function: "friends", Pattern: "GET /v1/friends", Auth: befriend, Limit: limit.Boards, Price: gate.UpTo(2), Serve: gate.NoQuery(f.GetFriends)},
		{Function: "friends", Pattern: "POST /v1/friends/requests", Auth: befriend, Limit: limit.Boards, Body: gate.Required,
			Price: gate.UpTo(12), Steady: 5, Keyed: true, BlockedInMaintenance: true, Serve: gate.NoQuery(f.PostRequest)},
		{Function: "friends", Pattern: "POST /v1/friends/requests/{player}/accept", Auth: befriend, Limit: limit.Boards, Body: gate.NoFields,
			Price: gate.UpTo(16), Steady: 8, Keyed: true, BlockedInMaintenance: true, Serve: f.PostAccept},
		{Function: "friends", Pattern: "DELETE /v1/friends/requests/{player}", Auth: befriend, Limit: limit.Boards, Body: gate.NoFields,
			Price: gate.UpTo(8), Steady: 6, BlockedInMaintenance: true, Serve: f.Ending(Drop)},
		{Function: "friends", Pattern: "DELETE /v1/friends/{player}", Auth: befriend, Limit: limit.Boards, Body: gate.NoFields,
			Price: gate.UpTo(8), Steady: 6, BlockedInMaintenance: true, Serve: f.Ending(Remove)},
		{Function: "friends", Pattern: "PUT /v1/friends/blocks/{player}", Auth: befriend, Limit: limit.Boards, Body: gate.NoFields,
			Price: gate.UpTo(8), Steady: 7, BlockedInMaintenance: true, Serve: f.Ending(Block)},
		{Function: "friends", Pattern: "DELETE /v1/friends/blocks/{player}", Auth: befriend, Limit: limit.Boards, Body: gate.NoFields,
			Price: gate.UpTo(8), Steady: 6, BlockedInMaintenance: true, Serve: f.Ending(Unblock)},
		{Function: "friends", Pattern: "POST /v1/friends/invites", Auth: befriend, Limit: limit.Boards, Body: gate.Optional,
			Price: gate.UpTo(7), Keyed: true, BlockedInMaintenance: true, Serve: gate.NoQuery(f.PostInvite)},
		{Function: "friends", Pattern: "GET /v1/friends/invites/{code}", Auth: befriend, Limit: limit.Boards, Price: gate.UpTo(3), Steady: 1, Serve: f.GetInvite},
		{Function: "friends", Pattern: "POST /v1/friends/invites/{code}/accept", Auth: befriend, Limit: limit.Boards, Body: gate.NoFields,
			Price: gate.UpTo(14), Steady: 6, Keyed: true, BlockedInMaintenance: true, Serve: f.PostInviteAccept},
	}
}
