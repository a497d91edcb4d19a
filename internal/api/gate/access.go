package gate

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/framedle/leaderboards/internal/api/problem"
	"github.com/framedle/leaderboards/internal/platform/auth"
)

// Access says who may call a route.
type Access int

const (
	Public            Access = iota
	PublicOrMe               // a request for "me" in the path needs a player or a device
	AnyPlayer                // a player who has signed in, or a device
	SignedIn                 // a player who has signed in
	ProfileEditor            // also a device, if devices may take names
	NoFriends                // nobody: there is no database of friends
	DeviceClaimer            // a player who has signed in, in games with devices
	DeviceIssuer             // anybody, or a device that renews its token, in games with devices
	PlayerOrServer           // a player who has signed in, or a game server
	AnyPlayerOrServer        // also a device
	GameServer
	Clerk
	Reader        // an operator of any role
	Moderator     // an operator who may decide about players
	Administrator // an operator who may do everything
)

// Role is what a route for operators needs them to be; NoRole for all other routes.
func (a Access) Role() auth.Role {
	switch a {
	case Reader:
		return auth.Read
	case Moderator:
		return auth.Moderate
	case Administrator:
		return auth.Administer
	}
	return auth.NoRole
}

// admit finds out who calls a route, and refuses callers who may not. The body is as it was
// sent, because signatures are made of it. The operator has been admitted before.
func (c credentials) admit(r *http.Request, access Access, body []byte) (Caller, error) {
	switch access {
	case Public:
		return c.optionalCaller(r), nil
	case PublicOrMe:
		if r.PathValue("player") == "me" {
			return asPlayer(r, c.anyCaller)
		}
		return c.optionalCaller(r), nil
	case AnyPlayer:
		return asPlayer(r, c.anyCaller)
	case SignedIn:
		return asPlayer(r, c.player)
	case ProfileEditor:
		if c.Game.DeviceNames {
			return asPlayer(r, c.anyCaller)
		}
		return asPlayer(r, c.player)
	case NoFriends:
		if _, err := asPlayer(r, c.player); err != nil {
			return Caller{}, err
		}
		return Caller{}, problem.NoFriends()
	case DeviceClaimer:
		if !c.takeDevices() {
			return Caller{}, problem.NoDevices()
		}
		return asPlayer(r, c.player)
	case DeviceIssuer:
		if !c.takeDevices() {
			return Caller{}, problem.NoDevices()
		}
	case PlayerOrServer:
		return c.playerOrServer(r, body, c.player)
	case AnyPlayerOrServer:
		return c.playerOrServer(r, body, c.anyCaller)
	case GameServer:
		who, err := c.playerOrServer(r, body, c.player)
		if err == nil && !who.IsServer() {
			err = problem.Forbidden("only a game server may send a batch; sign the request (" + SignatureHeader + ")")
		}
		return who, err
	case Clerk:
		return Caller{}, c.clerk(r, body)
	}
	return Caller{}, nil
}

// optionalCaller finds the caller of a route that needs no credential: the owner of the token,
// if the request has a valid one.
func (c credentials) optionalCaller(r *http.Request) Caller {
	if r.Header.Get("Authorization") == "" {
		return Caller{}
	}
	who, err := asPlayer(r, c.anyCaller)
	if err != nil {
		return Caller{}
	}
	return who
}

// admitOperator lets only operators in who may do what a role may.
func (c credentials) admitOperator(r *http.Request, needed auth.Role) (auth.Operator, error) {
	if strings.TrimSpace(r.Header.Get("Authorization")) == "" {
		return auth.Operator{}, missing("send the operator's token (Authorization: Bearer …)")
	}
	who, err := c.operator(r)
	if err != nil {
		if _, player := c.player(r); player == nil {
			return auth.Operator{}, problem.Forbidden("operator token required")
		}
		return auth.Operator{}, err
	}
	return who, lacks(who, needed)
}

// lacks refuses an operator who may not do what a role may.
func lacks(who auth.Operator, needed auth.Role) error {
	if who.Role < needed {
		return problem.Forbidden(fmt.Sprintf("%s has the role %s; this needs %s", who.Actor(), who.Role, needed))
	}
	return nil
}
