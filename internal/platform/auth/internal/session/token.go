package session

import (
	"context"
	"crypto"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"strings"
	"time"
)

// A Clerk instance signs not only session tokens with its one key. The header cat distinguishes
// the kinds: other values are JWT templates and machine tokens. Source:
// tokens/jwtCategories.ts in Clerk's JavaScript SDK.
const (
	categorySession = "cl_B7d4PD111AAA"
	// categoryUnknown is the category of every token of an instance that does not
	// distinguish them.
	categoryUnknown = "cl_I7d4PD111III"
)

// maxToken bounds a token in bytes. Clerk keeps its tokens under 4 KiB, the
// size of a cookie.
const maxToken = 8 << 10

// token is a well-formed JWS; its signature is not checked yet.
type token struct {
	kid       string // empty when the header names no key
	payload   []byte
	sum       [sha256.Size]byte // of the signed text
	signature []byte
}

// parseToken refuses, before any cryptography, every text that is not a compact JWS of three
// parts with a header that says RS256.
func parseToken(text string) (token, *Error) {
	if len(text) > maxToken {
		return token{}, invalid("the token is longer than 8 KiB")
	}
	parts := strings.Split(text, ".")
	if len(parts) != 3 {
		return token{}, invalid("the token does not have three parts")
	}
	var decoded [3][]byte
	for i, part := range parts {
		var ok bool
		if decoded[i], ok = decode(part); !ok {
			return token{}, invalid("the token is not base64url")
		}
	}
	header, err := parseObject(decoded[0])
	if err != nil {
		return token{}, invalid("the token's header is not a JSON object with distinct names")
	}
	if err := checkHeader(header); err != nil {
		return token{}, err
	}
	kid, _ := header.text("kid")
	return token{
		kid:       kid,
		payload:   decoded[1],
		sum:       sha256.Sum256([]byte(text[:len(parts[0])+1+len(parts[1])])),
		signature: decoded[2],
	}, nil
}

func checkHeader(header object) *Error {
	if alg, _ := header.text("alg"); alg != "RS256" {
		return invalid("the token is not signed with RS256")
	}
	if typ, _ := header.text("typ"); header.has("typ") && typ != "JWT" {
		return invalid("the token's type is not JWT")
	}
	if cat, _ := header.text("cat"); header.has("cat") && cat != categorySession && cat != categoryUnknown {
		return invalid("the token is not a session token")
	}
	if header.has("crit") {
		return invalid("the token's header asks for an extension that is not known")
	}
	return nil
}

// decode reads base64url without padding, in its canonical form only, so that no byte of a
// token can change without changing what the token says.
func decode(s string) ([]byte, bool) {
	// encoding/base64 skips line ends even when strict.
	if s == "" || strings.ContainsAny(s, "\r\n") {
		return nil, false
	}
	b, err := base64.RawURLEncoding.Strict().DecodeString(s)
	return b, err == nil
}

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
		return &Error{Code: Unavailable, Reason: "the signing keys of session tokens are unavailable", cause: err}
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
