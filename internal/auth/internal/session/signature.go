package session

import (
	"context"
	"time"

	"github.com/clerk/clerk-sdk-go/v2/jwt"
)

// signedPayload has Clerk's SDK verify the token. It returns the claims as
// signed, or nil when the signature is not good; the error is whatever else
// the SDK objects to.
func (s *Sessions) signedPayload(ctx context.Context, token string, now time.Time) ([]byte, error) {
	var payload signedBytes
	_, err := jwt.Verify(ctx, &jwt.VerifyParams{
		Token:                   token,
		JWK:                     s.key,
		Clock:                   fixedClock{now},
		Leeway:                  leeway,
		ProxyURL:                &s.issuer, // has the SDK compare the issuer exactly
		CustomClaimsConstructor: func(context.Context) any { return &payload },
	})
	return payload, err
}

// signedBytes keeps the payload that the SDK hands over once the signature is
// found good, and only then.
type signedBytes []byte

func (b *signedBytes) UnmarshalJSON(payload []byte) error {
	*b = append((*b)[:0], payload...)
	return nil
}

// fixedClock makes the SDK judge by the instant that all other checks use.
type fixedClock struct{ at time.Time }

func (c fixedClock) Now() time.Time { return c.at }
