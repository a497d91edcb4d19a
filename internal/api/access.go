package api

import (
	"net/http"
	"strings"

	"github.com/framedle/leaderboards/internal/problem"
)

// access says who may call a route.
type access int

const (
	anybody           access = iota
	anybodyOrMe              // who says "me" in the path is a player or a device
	anyPlayer                // a player who has signed in, or a device
	signedIn                 // a player who has signed in
	renamer                  // the same; or a device, where devices may take a name
	befriender               // a player who has signed in, where there is a database
	claimant                 // the same, where devices may play
	newcomer                 // anybody, or a device that has its token renewed, where devices may play
	playerOrServer           // a player who has signed in, or a game server
	anyPlayerOrServer        // a device too
	gameServer
	theOperator
	clerk
)

// admit finds out who is calling a route, and whether they may. The body is as it
// was sent. Befriending says whether there is a database of friends. The operator has
// been let in before.
func (c credentials) admit(r *http.Request, may access, body []byte, befriending bool) (caller, error) {
	switch may {
	case anybody:
		return c.whoever(r), nil
	case anybodyOrMe:
		if r.PathValue("player") == "me" {
			return asPlayer(r, c.anyone)
		}
		return c.whoever(r), nil
	case anyPlayer:
		return asPlayer(r, c.anyone)
	case signedIn:
		return asPlayer(r, c.player)
	case renamer:
		if c.game.DeviceNames {
			return asPlayer(r, c.anyone)
		}
		return asPlayer(r, c.player)
	case befriender:
		who, err := asPlayer(r, c.player)
		if err == nil && !befriending {
			err = problem.NoFriends()
		}
		return who, err
	case claimant:
		if !c.takeDevices() {
			return caller{}, problem.NoDevices()
		}
		return asPlayer(r, c.player)
	case newcomer:
		if !c.takeDevices() {
			return caller{}, problem.NoDevices()
		}
	case playerOrServer:
		return c.playerOrServer(r, body, c.player)
	case anyPlayerOrServer:
		return c.playerOrServer(r, body, c.anyone)
	case gameServer:
		who, err := c.playerOrServer(r, body, c.player)
		if err == nil && !who.isServer() {
			err = problem.Forbidden("only a game server may send a batch; sign the request (" + signatureHeader + ")")
		}
		return who, err
	case clerk:
		return caller{}, c.clerk(r, body)
	}
	return caller{}, nil
}

// whoever asks where nobody has to say who they are: the owner of the token, where one
// is sent and holds.
func (c credentials) whoever(r *http.Request) caller {
	if r.Header.Get("Authorization") == "" {
		return caller{}
	}
	who, err := asPlayer(r, c.anyone)
	if err != nil {
		return caller{}
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
