package session

import (
	"context"
	"crypto"
	"crypto/rsa"
	"errors"
	"time"
)

// checkSignature checks a token's signature. If the instance publishes a key under the
// token's kid, only that key is tried. Otherwise the configured keys are. Only if none fits,
// and the token is valid in every other way, are the published keys fetched again.
func (s *Sessions) checkSignature(ctx context.Context, t token, now time.Time) *Error {
	if s.published == nil {
		return goodOr(s.signedByGivenKey(t), "invalid token signature")
	}
	if key := s.published.Known(t.kid); key != nil {
		return goodOr(t.signedBy(key), "invalid token signature")
	}
	if s.signedByGivenKey(t) {
		return nil
	}
	if _, refused := s.read(t.payload, now); refused != nil {
		return refused
	}
	key, err := s.published.Find(ctx, t.kid)
	if errors.Is(err, ErrUnknownKey) {
		return invalid("the token is signed with a key that its issuer does not publish")
	}
	if err != nil {
		return &Error{Code: Unavailable, Reason: "the keys that session tokens are signed with cannot be had at present", cause: err}
	}
	return goodOr(t.signedBy(key), "invalid token signature")
}

func goodOr(good bool, reason string) *Error {
	if good {
		return nil
	}
	return invalid(reason)
}

func (s *Sessions) signedByGivenKey(t token) bool {
	for _, key := range s.given {
		if t.signedBy(key) {
			return true
		}
	}
	return false
}

// signedBy reports whether a key has signed the token by RS256 (RFC 7518, section 3.3). It
// need not run in constant time, because all its input is public.
func (t token) signedBy(key *rsa.PublicKey) bool {
	return rsa.VerifyPKCS1v15(key, crypto.SHA256, t.sum[:], t.signature) == nil
}
