package authtest

import (
	"crypto"
	"crypto/hmac"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	_ "crypto/sha512" // for RS384 and RS512
	"encoding/base64"
	"encoding/json"
)

// Option changes how a token is made.
type Option func(*token)

type token struct {
	header  map[string]any
	payload []byte
	sign    func(input []byte) ([]byte, error)
}

// Header sets one member of the header; a nil value removes it. It does not
// change how the token is signed.
func Header(name string, value any) Option {
	return func(t *token) {
		if value == nil {
			delete(t.header, name)
			return
		}
		t.header[name] = value
	}
}

// RawClaims replaces the claims by text that need not be JSON.
func RawClaims(text string) Option {
	return func(t *token) { t.payload = []byte(text) }
}

// Unsigned leaves the signature empty and names alg, such as none.
func Unsigned(alg string) Option {
	return func(t *token) {
		t.header["alg"] = alg
		t.sign = func([]byte) ([]byte, error) { return nil, nil }
	}
}

// HS256 signs with HMAC-SHA256 under secret.
func HS256(secret string) Option {
	return func(t *token) {
		t.header["alg"] = "HS256"
		t.sign = func(input []byte) ([]byte, error) {
			mac := hmac.New(sha256.New, []byte(secret))
			mac.Write(input)
			return mac.Sum(nil), nil
		}
	}
}

// SignedBy signs with another issuer's key.
func SignedBy(other *Issuer) Option {
	return func(t *token) { t.sign = other.rs(crypto.SHA256) }
}

// RS384 signs with the issuer's key and SHA-384.
func (i *Issuer) RS384() Option { return i.algorithm("RS384", crypto.SHA384) }

// RS512 signs with the issuer's key and SHA-512.
func (i *Issuer) RS512() Option { return i.algorithm("RS512", crypto.SHA512) }

// PS256 signs with the issuer's key, SHA-256 and RSASSA-PSS.
func (i *Issuer) PS256() Option {
	return func(t *token) {
		t.header["alg"] = "PS256"
		t.sign = func(input []byte) ([]byte, error) {
			return i.key.Sign(rand.Reader, digest(crypto.SHA256, input), &rsa.PSSOptions{
				SaltLength: rsa.PSSSaltLengthEqualsHash,
				Hash:       crypto.SHA256,
			})
		}
	}
}

func (i *Issuer) algorithm(name string, hash crypto.Hash) Option {
	return func(t *token) {
		t.header["alg"] = name
		t.sign = i.rs(hash)
	}
}

func (i *Issuer) rs(hash crypto.Hash) func([]byte) ([]byte, error) {
	return func(input []byte) ([]byte, error) {
		return rsa.SignPKCS1v15(nil, i.key, hash, digest(hash, input))
	}
}

// PublicJWK is the public key as a JSON Web Key, for the headers that carry
// one.
func (i *Issuer) PublicJWK() map[string]any {
	encode := base64.RawURLEncoding.EncodeToString
	return map[string]any{
		"alg": "RS256", "kty": "RSA", "use": "sig",
		"e": encode([]byte{1, 0, 1}),
		"n": encode(i.key.N.Bytes()),
	}
}

// Token signs claims with RS256 under the header of a Clerk session token,
// unless options say otherwise.
func (i *Issuer) Token(claims map[string]any, options ...Option) string {
	i.tb.Helper()
	t := &token{
		header: map[string]any{
			"alg": "RS256", "cat": "cl_B7d4PD111AAA", "kid": KeyID, "typ": "JWT",
		},
		payload: i.json(claims),
		sign:    i.rs(crypto.SHA256),
	}
	for _, option := range options {
		option(t)
	}
	encode := base64.RawURLEncoding.EncodeToString
	input := encode(i.json(t.header)) + "." + encode(t.payload)
	signature, err := t.sign([]byte(input))
	if err != nil {
		i.tb.Fatalf("signing the token: %v", err)
	}
	return input + "." + encode(signature)
}

func (i *Issuer) json(value any) []byte {
	i.tb.Helper()
	text, err := json.Marshal(value)
	if err != nil {
		i.tb.Fatalf("writing JSON: %v", err)
	}
	return text
}

func digest(hash crypto.Hash, input []byte) []byte {
	h := hash.New()
	h.Write(input)
	return h.Sum(nil)
}
