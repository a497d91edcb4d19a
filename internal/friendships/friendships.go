// Package friendships has the endpoints of a player's friends: requests, invites and blocks,
// and how other players are shown to the caller. Package friends knows the rules; this package
// reads requests and writes answers.
//
// It does not know routes, other endpoints or boards: friends are ranked elsewhere.
package friendships

import (
	"context"
	"time"

	"github.com/framedle/leaderboards/internal/friends"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/gate"
)

// Friends changes and reads friendships.
type Friends interface {
	Act(ctx context.Context, action friends.Action, player, other string) (friends.Outcome, error)
	Relations(ctx context.Context, player string) (friends.Relations, error)
	Invite(ctx context.Context, player string, uses int) (code string, expires time.Time, err error)
	Redeem(ctx context.Context, player, code string) (outcome friends.Outcome, other string, err error)
}

// Names reads the profiles of players.
type Names interface {
	Names(ctx context.Context, players []string) (map[string]game.Profile, error)
}

// Config is what the endpoints are made of.
type Config struct {
	Gate    *gate.Keeper
	Friends Friends // nil: there is no database
	Names   Names
	Notices gate.Notices
}

// Endpoints are the endpoints of a player's friends, each named as its route.
type Endpoints struct {
	GetFriends, DeleteFriend               gate.Endpoint
	PostRequest, PostAccept, DeleteRequest gate.Endpoint
	PutBlock, DeleteBlock                  gate.Endpoint
	PostInvite, PostInviteAccept           gate.Endpoint
}

// New makes the endpoints.
func New(c Config) Endpoints {
	f := friendships{c.Gate, c.Friends, c.Names, c.Notices}
	return Endpoints{
		GetFriends: f.getFriends, DeleteFriend: f.ending(friends.Remove),
		PostRequest: f.postRequest, PostAccept: f.postAccept, DeleteRequest: f.ending(friends.Drop),
		PutBlock: f.ending(friends.Block), DeleteBlock: f.ending(friends.Unblock),
		PostInvite: f.postInvite, PostInviteAccept: f.postInviteAccept,
	}
}

// friendships are the endpoints of a player's friends.
type friendships struct {
	gate    *gate.Keeper
	friends Friends
	names   Names
	notices gate.Notices
}
