// Package session verifies Clerk session tokens. It knows the token format and the rule for
// each claim, and fetches the keys that the instance publishes. It must not know which issuers
// are fit for production (package auth does), or how development tokens are made (devissuer).
//
// It accepts exactly one algorithm, RS256, over the bytes as sent, and one canonical form of
// a token. Every claim that decides something is read from the signed bytes, by its exact
// name. A name, picture, country or group that is not fit to be shown becomes empty: a bad
// picture must not keep anybody from playing. The same rules hold for what webhooks say.
package session

import (
	"context"
	"crypto/rsa"
	"errors"
	"time"

	"github.com/framedle/leaderboards/internal/fault"
)

// Sessions verifies session tokens of one Clerk instance. It is safe for
// concurrent use.
type Sessions struct {
	issuer    string
	parties   map[string]bool
	given     []*rsa.PublicKey
	published *Keys // nil without JWKS
	now       func() time.Time
}

// New returns a verifier. It uses no network yet. An error names each variable that is wrong
// and says what would be right; it never repeats a key.
func New(c Config) (*Sessions, error) {
	given, keyErr := parseKeys(c.PEM)
	source, sourceErr := c.keySource()
	if err := errors.Join(c.check(), keyErr, sourceErr); err != nil {
		return nil, err
	}
	s := &Sessions{
		issuer:  c.Issuer,
		parties: make(map[string]bool, len(c.AuthorizedParties)),
		given:   given,
		now:     c.Now,
	}
	if source != nil {
		s.published = NewKeys(KeysConfig{Source: source, Now: c.Now, Failed: c.KeysFailed})
	}
	for _, party := range c.AuthorizedParties {
		s.parties[party] = true
	}
	return s, nil
}

// Verify returns the player of a session token. The error is an *Error: Missing for an empty
// token, Unavailable if the keys cannot be fetched, otherwise Invalid. Verify costs one RS256
// verification for a token that was not verified recently, and I/O only if the signing key is
// not known yet.
func (s *Sessions) Verify(ctx context.Context, text string) (Player, error) {
	if text == "" {
		return Player{}, &Error{Code: Missing, Reason: "a session token is required"}
	}
	t, err := parseToken(text)
	if err != nil {
		return Player{}, err
	}
	now := s.now()
	if err := s.checkSignature(ctx, t, now); err != nil {
		return Player{}, err
	}
	player, err := s.read(t.payload, now)
	if err != nil {
		return Player{}, err
	}
	return player, nil
}

func (s *Sessions) read(payload []byte, now time.Time) (Player, *Error) {
	claims, err := parseObject(payload)
	if err != nil {
		return Player{}, invalid("the token's claims are not a JSON object with distinct names")
	}
	if err := s.checkClaims(claims, now); err != nil {
		return Player{}, err
	}
	return readPlayer(claims)
}

// Code says why a credential was refused.
type Code string

const (
	// Missing means that no credential was given. HTTP answers 401.
	Missing Code = "missing"
	// Invalid means that the credential does not prove who is calling. HTTP
	// answers 401.
	Invalid Code = "invalid"
	// Forbidden means that the credential is good and the right is lacking.
	// HTTP answers 403.
	Forbidden Code = "forbidden"
	// Unavailable means that the credential cannot be checked at present, because the keys
	// cannot be fetched. HTTP answers 503; a retry after some seconds is safe.
	Unavailable Code = "unavailable"
)

// Error is a refused credential.
type Error struct {
	Code Code
	// Reason says in lower case what was wrong. It never repeats any part of
	// the credential and may be shown to the caller.
	Reason string

	cause error
}

// Error is the text for logs: the Reason and, if there is one, the cause, which only the
// operator may see.
func (e *Error) Error() string {
	if e.cause == nil {
		return e.Reason
	}
	return e.Reason + ": " + e.cause.Error()
}

// Fault never has the cause.
func (e *Error) Fault() fault.Fault {
	switch e.Code {
	case Unavailable:
		return fault.Fault{Code: "temporarily-unavailable", Detail: e.Reason}
	case Forbidden:
		return fault.Fault{Code: "forbidden", Detail: e.Reason}
	}
	return fault.Fault{Code: "unauthenticated", Detail: e.Reason}
}

// Unwrap returns the cause of Unavailable, else nil.
func (e *Error) Unwrap() error { return e.cause }

func invalid(reason string) *Error { return &Error{Code: Invalid, Reason: reason} }
