package main

import (
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"time"

	"github.com/framedle/leaderboards/internal/auth"
)

const issuerURL = "https://clerk.framedle.test"

// issuer signs session tokens as the Clerk instance does that the processes
// trust.
type issuer struct{ key *rsa.PrivateKey }

func newIssuer() (*issuer, error) {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	return &issuer{key}, err
}

func (i *issuer) sessions(now func() time.Time) (*auth.Sessions, error) {
	der, err := x509.MarshalPKIXPublicKey(&i.key.PublicKey)
	if err != nil {
		return nil, err
	}
	text := pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der})
	return auth.NewSessions(auth.SessionConfig{Issuer: issuerURL, PEM: string(text), Now: now})
}

// token is a player's for 50 minutes.
func (i *issuer) token(player string) (string, error) {
	now := time.Now().Add(-10 * time.Minute) // the stage's clock stands still while it is set up
	claims, err := json.Marshal(map[string]any{
		"iss": issuerURL, "sub": player, "sid": "sess_" + player, "sts": "active", "v": 2,
		"iat": now.Unix(), "nbf": now.Unix(), "exp": now.Add(time.Hour).Unix(),
	})
	if err != nil {
		return "", err
	}
	text := base64.RawURLEncoding.EncodeToString([]byte(`{"alg":"RS256","kid":"ins_test","typ":"JWT"}`)) + "." +
		base64.RawURLEncoding.EncodeToString(claims)
	sum := sha256.Sum256([]byte(text))
	signature, err := rsa.SignPKCS1v15(rand.Reader, i.key, crypto.SHA256, sum[:])
	if err != nil {
		return "", fmt.Errorf("sign a session token: %w", err)
	}
	return text + "." + base64.RawURLEncoding.EncodeToString(signature), nil
}
