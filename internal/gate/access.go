package gate

import (
	"net/http"
	"strings"

	"github.com/framedle/leaderboards/internal/problem"
)

// Access says who may call a route.
type Access int

const (
	Anybody           Access = iota
	AnybodyOrMe              // who says "me" in the path is a player or a device
	AnyPlayer                // a player who has signed in, or a device
	SignedIn                 // a player who has signed in
	Renamer                  // the same; or a device, where devices may take a name
	Befriender               // a player who has signed in, where there is a database
	Claimant                 // the same, where devices may play
	Newcomer                 // anybody, or a device that has its token renewed, where devices may play
	PlayerOrServer           // a player who has signed in, or a game server
	AnyPlayerOrServer        // a device too
	GameServer
	Operator
	Clerk
)

// admit finds out who is calling a route, and whether they may. The body is as it
// was sent. Befriending says whether there is a database of friends. The operator has
// been let in before.
func (c credentials) admit(r *http.Request, may Access, body []byte, befriending bool) (Caller, error) {
	switch may {
	case Anybody:
		return c.whoever(r), nil
	case AnybodyOrMe:
		if r.PathValue("player") == "me" {
			return asPlayer(r, c.anyone)
		}
		return c.whoever(r), nil
	case AnyPlayer:
		return asPlayer(r, c.anyone)
	case SignedIn:
		return asPlayer(r, c.player)
	case Renamer:
		if c.game.DeviceNames {
			return asPlayer(r, c.anyone)
		}
		return asPlayer(r, c.player)
	case Befriender:
		who, err := asPlayer(r, c.player)
		if err == nil && !befriending {
			err = problem.NoFriends()
		}
		return who, err
	case Claimant:
		if !c.takeDevices() {
			return Caller{}, problem.NoDevices()
		}
		return asPlayer(r, c.player)
	case Newcomer:
		if !c.takeDevices() {
			return Caller{}, problem.NoDevices()
		}
	case PlayerOrServer:
		return c.playerOrServer(r, body, c.player)
	case AnyPlayerOrServer:
		return c.playerOrServer(r, body, c.anyone)
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

// whoever asks where nobody has to say who they are: the owner of the token, where one
// is sent and holds.
func (c credentials) whoever(r *http.Request) Caller {
	if r.Header.Get("Authorization") == "" {
		return Caller{}
	}
	who, err := asPlayer(r, c.anyone)
	if err != nil {
		return Caller{}
	}
	return who
}

// admitOperator lets only the operator in.
func (c credentials) admitOperator(r *http.Request) error {
	if strings.TrimSpace(r.Header.Get("Authorization")) == "" {
		return missing("send the operator's token (Authorization: Bearer …)")
	}
	if err := c.operator(r); err != nil {
		if _, player := c.player(r); player == nil {
			return problem.Forbidden("a player may not do this; it takes the operator's token")
		}
		return err
	}
	return nil
}
