package gate

import (
	"net/http"
	"strings"

	"github.com/framedle/leaderboards/internal/api/decode"
	"github.com/framedle/leaderboards/internal/api/problem"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/platform/auth"
	"github.com/framedle/leaderboards/internal/platform/auth/webhook"
	"github.com/framedle/leaderboards/internal/platform/usage"
)

// SignatureHeader carries a game server's signature of the request.
const SignatureHeader = "Framedle-Signature"

// Caller is who sent a request: a player, a game server or an operator. A game server may be
// an operator's own tool.
type Caller struct {
	Player   auth.Player // ID is empty for a server
	Server   auth.Server
	Operator auth.Operator
}

// IsServer reports whether a game server has signed the request.
func (c Caller) IsServer() bool { return c.Server.Key != "" }

// IsOperator reports whether the request has an operator's token.
func (c Caller) IsOperator() bool { return c.Operator != auth.Operator{} }

// IsDevice reports whether the caller is an anonymous player.
func (c Caller) IsDevice() bool { return auth.IsDevice(c.Player.ID) }

// ID names the caller in idempotency records, different from all other callers. A game server
// is named by its key.
func (c Caller) ID() string {
	if c.IsServer() {
		return "server " + c.Server.Key
	}
	return "player " + c.Player.ID
}

// Credential is the kind of credential that the caller has shown.
func (c Caller) Credential() game.Credential {
	switch {
	case c.IsOperator():
		return game.OperatorToken
	case c.IsServer():
		return game.ServerSignature
	case c.IsDevice():
		return game.DeviceToken
	}
	return game.SessionToken
}

func missing(what string) error { return &auth.Error{Code: auth.Missing, Reason: what} }

// credentials find out who sends a request. A credential whose verifier is nil is refused.
type credentials struct{ Config }

// takeDevices reports whether devices may play this game here.
func (c credentials) takeDevices() bool { return c.Game.Anonymous && c.Devices != nil }

// playerOrServer finds who sent the request. A signed request is a game server's; with the
// operator's token in addition, it is the operator's.
func (c credentials) playerOrServer(r *http.Request, body []byte, player func(*http.Request) (auth.Player, error)) (Caller, error) {
	if signature := r.Header.Get(SignatureHeader); signature != "" {
		server, err := c.server(r, signature, body)
		if err == nil {
			trust(r.Context(), usage.Caller{Kind: usage.Server, ID: server.Key})
		}
		if err != nil || r.Header.Get("Authorization") == "" {
			return Caller{Server: server}, err
		}
		who, err := c.operator(r)
		if err != nil {
			return Caller{}, &auth.Error{Code: auth.Invalid, Reason: "a signed request may carry the operator's token in Authorization, and no other: send either the signature or a player's token"}
		}
		return Caller{Server: server, Operator: who}, lacks(who, auth.Administer)
	}
	return asPlayer(r, player)
}

func asPlayer(r *http.Request, find func(*http.Request) (auth.Player, error)) (Caller, error) {
	player, err := find(r)
	return Caller{Player: player}, err
}

func (c credentials) server(r *http.Request, signature string, body []byte) (auth.Server, error) {
	if c.Signatures == nil {
		return auth.Server{}, &auth.Error{Code: auth.Invalid, Reason: "no signing key is configured here"}
	}
	server, err := c.Signatures.Verify(signature, auth.Request{Method: r.Method, Path: r.URL.Path, Body: body})
	if err == nil && c.Game.BoundSignatures && !server.Bound {
		err = &auth.Error{Code: auth.Invalid, Reason: "this game does not accept v1 signatures: send v2, computed from time, method, path and body"}
	}
	return server, err
}

func (c credentials) operator(r *http.Request) (auth.Operator, error) {
	token, ok := auth.Bearer(r.Header.Get("Authorization"))
	if !ok {
		return auth.Operator{}, &auth.Error{Code: auth.Invalid, Reason: "the Authorization header must be: Bearer <operator's token>"}
	}
	if c.Operators == nil {
		return auth.Operator{}, &auth.Error{Code: auth.Invalid, Reason: "no operator's token is configured here"}
	}
	who, err := c.Operators.Verify(token)
	if err == nil {
		trust(r.Context(), usage.Caller{Kind: usage.Operator})
	}
	return who, err
}

func (c credentials) session(r *http.Request) (auth.Player, error) {
	header := r.Header.Get("Authorization")
	if strings.TrimSpace(header) == "" {
		return auth.Player{}, missing("send a session token (Authorization: Bearer …) or sign the request (" + SignatureHeader + ")")
	}
	token, ok := auth.Bearer(header)
	if !ok {
		return auth.Player{}, &auth.Error{Code: auth.Invalid, Reason: "the Authorization header must be: Bearer <session token>"}
	}
	if c.Sessions == nil {
		return auth.Player{}, &auth.Error{Code: auth.Invalid, Reason: "no session verifier is configured here"}
	}
	return c.Sessions.Verify(r.Context(), token)
}

// anyCaller finds the player who sent the request, signed in or a device. It verifies a
// request's token only once.
func (c credentials) anyCaller(r *http.Request) (auth.Player, error) {
	return payerOf(r.Context()).signIn(func() (auth.Player, error) { return c.verifyToken(r) })
}

func (c credentials) verifyToken(r *http.Request) (auth.Player, error) {
	token, ok := auth.Bearer(r.Header.Get("Authorization"))
	if !ok || !c.takeDevices() || !auth.IsDeviceToken(token) {
		return c.session(r)
	}
	device, err := c.Devices.Verify(token)
	return auth.Player{ID: device.ID}, err
}

// player finds the player who has signed in.
func (c credentials) player(r *http.Request) (auth.Player, error) {
	player, err := c.anyCaller(r)
	if err == nil && auth.IsDevice(player.ID) {
		return auth.Player{}, problem.SignInFirst()
	}
	return player, err
}

func (c credentials) clerk(r *http.Request, body []byte) error {
	if c.Webhooks == nil {
		return &auth.Error{Code: auth.Invalid, Reason: "no webhook secret is configured here"}
	}
	if err := c.Webhooks.Verify(webhook.HeadersOf(r.Header), body); err != nil {
		return err
	}
	trust(r.Context(), usage.Caller{Kind: usage.Clerk})
	return nil
}

// PathPlayer reads the player in the path, where "me" is the caller. Own reports whether it
// is the caller.
func PathPlayer(r *Request, q *decode.Query) (player string, own bool) {
	me := r.Caller.Player.ID
	if player = r.PathValue("player"); player == "me" {
		return me, true
	}
	if err := game.ValidPlayer(player); err != nil {
		q.PathFault("player", err.Error())
	}
	return player, player == me
}
