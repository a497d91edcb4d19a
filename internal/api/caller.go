package api

import (
	"net/http"
	"strings"

	"github.com/framedle/leaderboards/internal/auth"
)

// signatureHeader carries a game server's signature of the body.
const signatureHeader = "Framedle-Signature"

// caller is who sent a request: a player, or a game server, which may be the
// operator's own tool.
type caller struct {
	player   auth.Player // ID is empty for a server
	operator bool
}

func (c caller) isServer() bool { return c.player.ID == "" }

// callerOf is a player who is known by id alone.
func callerOf(player string) caller { return caller{player: auth.Player{ID: player}} }

// id names the caller among all others, for idempotency records.
func (c caller) id() string {
	if c.isServer() {
		return "server"
	}
	return "player " + c.player.ID
}

func missing(what string) error { return &auth.Error{Code: auth.Missing, Reason: what} }

// authenticate finds the one who sent the request, who has signed in if it is a
// player. A signed body comes from a game server; with the operator's token
// beside it, from the operator.
func (a *API) authenticate(r *http.Request, body []byte) (caller, error) {
	return a.authenticateBy(r, body, a.authenticatePlayer)
}

func (a *API) authenticateBy(r *http.Request, body []byte, asPlayer func(*http.Request) (auth.Player, error)) (caller, error) {
	if signature := r.Header.Get(signatureHeader); signature != "" {
		if a.Signatures == nil {
			return caller{}, &auth.Error{Code: auth.Invalid, Reason: "no signing key is configured here"}
		}
		if err := a.Signatures.Verify(signature, body); err != nil {
			return caller{}, err
		}
		trust(r.Context())
		if r.Header.Get("Authorization") == "" {
			return caller{}, nil
		}
		return caller{operator: true}, a.authenticateOperator(r)
	}
	player, err := asPlayer(r)
	return caller{player: player}, err
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
	trust(r.Context())
	return nil
}

func (a *API) authenticateSession(r *http.Request) (auth.Player, error) {
	header := r.Header.Get("Authorization")
	if strings.TrimSpace(header) == "" {
		return auth.Player{}, missing("send a session token (Authorization: Bearer …) or sign the body (" + signatureHeader + ")")
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
