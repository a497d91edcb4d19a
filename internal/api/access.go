package api

import (
	"net/http"
	"strings"
)

// access says who may call a route.
type access int

const (
	anybody           access = iota
	anybodyOrMe              // who says "me" in the path is a player or a device
	anyPlayer                // a player who has signed in, or a device
	signedIn                 // a player who has signed in
	befriender               // the same, where there is a database
	claimant                 // the same, where devices may play
	newcomer                 // anybody, or a device that has its token renewed, where devices may play
	playerOrServer           // a player who has signed in, or a game server
	anyPlayerOrServer        // a device too
	gameServer
	theOperator
	clerk
)

// admit finds out who is calling a route, and whether they may. The body is as it
// was sent. The operator has been let in before.
func (a *API) admit(r *http.Request, may access, body []byte, s Services) (caller, error) {
	switch may {
	case anybodyOrMe:
		if r.PathValue("player") == "me" {
			return a.asPlayer(r, a.authenticateAnyone)
		}
	case anyPlayer:
		return a.asPlayer(r, a.authenticateAnyone)
	case signedIn:
		return a.asPlayer(r, a.authenticatePlayer)
	case befriender:
		who, err := a.asPlayer(r, a.authenticatePlayer)
		if err == nil && s.Friends == nil {
			err = noFriends()
		}
		return who, err
	case claimant:
		if !a.takesDevices() {
			return caller{}, noDevices()
		}
		return a.asPlayer(r, a.authenticatePlayer)
	case newcomer:
		if !a.takesDevices() {
			return caller{}, noDevices()
		}
	case playerOrServer:
		return a.authenticate(r, body, a.authenticatePlayer)
	case anyPlayerOrServer:
		return a.authenticate(r, body, a.authenticateAnyone)
	case gameServer:
		who, err := a.authenticate(r, body, a.authenticatePlayer)
		if err == nil && !who.isServer() {
			err = forbidden("only a game server may send a batch; sign the request (" + signatureHeader + ")")
		}
		return who, err
	case clerk:
		return caller{}, a.authenticateClerk(r, body)
	}
	return caller{}, nil
}

// admitOperator lets only the operator in.
func (a *API) admitOperator(r *http.Request) error {
	if strings.TrimSpace(r.Header.Get("Authorization")) == "" {
		return missing("send the operator's token (Authorization: Bearer …)")
	}
	if err := a.authenticateOperator(r); err != nil {
		if _, player := a.authenticatePlayer(r); player == nil {
			return forbidden("a player may not do this; it takes the operator's token")
		}
		return err
	}
	return nil
}
