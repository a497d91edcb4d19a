// Package session verifies Clerk session tokens. It knows the token format
// and the rule for each claim. It must not know which issuers are fit for
// production (that is package auth) nor how development tokens are made (that
// is devissuer).
//
// The signature is checked by Clerk's own SDK with a key given beforehand, so
// there is no network. The SDK lets pass tokens without exp or sub, issuers
// that merely begin with https://clerk., pending sessions and an empty azp,
// and reads claims in any case; every claim that decides anything is therefore
// read and checked again here, from the signed bytes. A token stands only
// when both agree.
package session

import (
	"context"
	"errors"
	"time"

	"github.com/clerk/clerk-sdk-go/v2"
)

// Sessions verifies session tokens of one Clerk instance. It is safe for
// concurrent use.
type Sessions struct {
	issuer  string
	parties map[string]bool
	key     *clerk.JSONWebKey
	now     func() time.Time
}

// New returns a verifier. An error names each variable that is wrong and says
// what would be right; it never repeats the key.
func New(c Config) (*Sessions, error) {
	key, keyErr := parseKey(c.PEM)
	if err := errors.Join(c.check(), keyErr); err != nil {
		return nil, err
	}
	s := &Sessions{
		issuer:  c.Issuer,
		parties: make(map[string]bool, len(c.AuthorizedParties)),
		key:     &clerk.JSONWebKey{Key: key, Algorithm: "RS256"},
		now:     c.Now,
	}
	for _, party := range c.AuthorizedParties {
		s.parties[party] = true
	}
	return s, nil
}

// Verify returns the player that token speaks for. The error is an *Error:
// Missing for an empty token, otherwise Invalid. It costs one RS256
// verification and no I/O.
func (s *Sessions) Verify(ctx context.Context, token string) (Player, error) {
	if token == "" {
		return Player{}, &Error{Code: Missing, Reason: "a session token is required"}
	}
	if err := checkForm(token); err != nil {
		return Player{}, err
	}
	now := s.now()
	payload, sdkErr := s.signedPayload(ctx, token, now)
	if payload == nil {
		return Player{}, invalid("the token is malformed or its signature is not good")
	}
	player, err := s.read(payload, now)
	if err != nil {
		return Player{}, err
	}
	if sdkErr != nil {
		return Player{}, invalid("the token is not a valid Clerk session token")
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
