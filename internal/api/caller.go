package api

import (
	"net/http"
	"strings"

	"github.com/framedle/leaderboards/internal/auth"
	"github.com/framedle/leaderboards/internal/auth/webhook"
	"github.com/framedle/leaderboards/internal/usage"
)

// signatureHeader carries a game server's signature of the request.
const signatureHeader = "Framedle-Signature"

// caller is who sent a request: a player, or a game server, which may be the
// operator's own tool.
type caller struct {
	player   auth.Player // ID is empty for a server
	server   auth.Server
	operator bool
}

func (c caller) isServer() bool { return c.server.Key != "" }

// id names the caller among all others, for idempotency records. Servers are told
// apart by their keys.
func (c caller) id() string {
	if c.isServer() {
		return "server " + c.server.Key
	}
	return "player " + c.player.ID
}

func missing(what string) error { return &auth.Error{Code: auth.Missing, Reason: what} }

// authenticate finds the one who sent the request. A signed request comes from a
// game server; with the operator's token beside it, from the operator.
func (a *API) authenticate(r *http.Request, body []byte, player func(*http.Request) (auth.Player, error)) (caller, error) {
	if signature := r.Header.Get(signatureHeader); signature != "" {
		server, err := a.authenticateServer(r, signature, body)
		if err == nil {
			trust(r.Context(), usage.Caller{Kind: usage.Server, ID: server.Key})
		}
		if err != nil || r.Header.Get("Authorization") == "" {
			return caller{server: server}, err
		}
		return caller{server: server, operator: true}, a.authenticateOperator(r)
	}
	return a.asPlayer(r, player)
}

func (a *API) asPlayer(r *http.Request, find func(*http.Request) (auth.Player, error)) (caller, error) {
	player, err := find(r)
	return caller{player: player}, err
}

func (a *API) authenticateServer(r *http.Request, signature string, body []byte) (auth.Server, error) {
	if a.Signatures == nil {
		return auth.Server{}, &auth.Error{Code: auth.Invalid, Reason: "no signing key is configured here"}
	}
	server, err := a.Signatures.Verify(signature, auth.Request{Method: r.Method, Path: r.URL.Path, Body: body})
	if err == nil && a.Game.BoundSignatures && !server.Bound {
		err = &auth.Error{Code: auth.Invalid, Reason: "this game takes no v1 signatures: send v2, which is made of time, method, path and body"}
	}
	return server, err
}

func (a *API) authenticateOperator(r *http.Request) error {
	token, ok := auth.Bearer(r.Header.Get("Authorization"))
	if !ok {
		return &auth.Error{Code: auth.Invalid, Reason: "the Authorization header must be: Bearer <operator's token>"}
	}
	if a.Operators == nil {
		return &auth.Error{Code: auth.Invalid, Reason: "no operator's token is configured here"}
	}
	if err := a.Operators.Verify(token); err != nil {
		return err
	}
	trust(r.Context(), usage.Caller{Kind: usage.Operator})
	return nil
}

func (a *API) authenticateSession(r *http.Request) (auth.Player, error) {
	header := r.Header.Get("Authorization")
	if strings.TrimSpace(header) == "" {
		return auth.Player{}, missing("send a session token (Authorization: Bearer …) or sign the request (" + signatureHeader + ")")
	}
	token, ok := auth.Bearer(header)
	if !ok {
		return auth.Player{}, &auth.Error{Code: auth.Invalid, Reason: "the Authorization header must be: Bearer <session token>"}
	}
	if a.Sessions == nil {
		return auth.Player{}, &auth.Error{Code: auth.Invalid, Reason: "no session verifier is configured here"}
	}
	return a.Sessions.Verify(r.Context(), token)
}

// countryHeaders are where content delivery networks put the caller's country.
var countryHeaders = [...]string{"CloudFront-Viewer-Country", "CF-IPCountry", "X-Vercel-IP-Country", "X-Client-Geo-Country"}

func headerCountry(h http.Header) string {
	for _, name := range countryHeaders {
		if value := h.Get(name); value != "" {
			return value
		}
	}
	return ""
}

// authenticateAnyone finds the player who sent the request: one who has signed
// in, or a device. A request's token is verified once.
func (a *API) authenticateAnyone(r *http.Request) (auth.Player, error) {
	return payerOf(r.Context()).signIn(func() (auth.Player, error) { return a.verifyToken(r) })
}

func (a *API) verifyToken(r *http.Request) (auth.Player, error) {
	token, ok := auth.Bearer(r.Header.Get("Authorization"))
	if !ok || !a.takesDevices() || !auth.IsDeviceToken(token) {
		return a.authenticateSession(r)
	}
	device, err := a.Devices.Verify(token)
	return auth.Player{ID: device.ID}, err
}

// authenticatePlayer finds the player who has signed in.
func (a *API) authenticatePlayer(r *http.Request) (auth.Player, error) {
	player, err := a.authenticateAnyone(r)
	if err == nil && auth.IsDevice(player.ID) {
		return auth.Player{}, forbidden("an anonymous player may not do this; sign in first")
	}
	return player, err
}

func (c caller) isDevice() bool { return auth.IsDevice(c.player.ID) }

func (a *API) authenticateClerk(r *http.Request, body []byte) error {
	if a.Webhooks == nil {
		return &auth.Error{Code: auth.Invalid, Reason: "no webhook secret is configured here"}
	}
	if err := a.Webhooks.Verify(webhook.HeadersOf(r.Header), body); err != nil {
		return err
	}
	trust(r.Context(), usage.Caller{Kind: usage.Clerk})
	return nil
}
