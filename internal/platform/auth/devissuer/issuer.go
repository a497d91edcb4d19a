// Package devissuer issues session tokens in Clerk's format for one process on
// a developer's machine. Only the local product (cmd/local) may import it.
//
// A key is made for each Issuer and never leaves it, and every token carries
// an issuer below .localhost, which auth.NewSessions refuses to trust. The
// verifier returned by Sessions is the only one that accepts these tokens, and
// a test fails when a function links this package.
package devissuer

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"time"

	"github.com/framedle/leaderboards/internal/platform/auth"
	"github.com/framedle/leaderboards/internal/platform/auth/internal/session"
)

const (
	issuer          = "https://clerk.framedle.localhost"
	authorizedParty = "http://localhost:8080"
	keyBits         = 2048
)

// Issuer issues development tokens. It is safe for concurrent use.
type Issuer struct {
	key *rsa.PrivateKey
	pem string
}

// New makes an issuer with a fresh RSA key of 2048 bits.
func New() (*Issuer, error) {
	key, err := rsa.GenerateKey(rand.Reader, keyBits)
	if err != nil {
		return nil, fmt.Errorf("making the development key: %w", err)
	}
	der, err := x509.MarshalPKIXPublicKey(&key.PublicKey)
	if err != nil {
		return nil, fmt.Errorf("encoding the development key: %w", err)
	}
	block := pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der})
	return &Issuer{key: key, pem: string(block)}, nil
}

// PEM is the public key, PKIX in PEM.
func (i *Issuer) PEM() string { return i.pem }

// Issuer is the claim iss of every token.
func (i *Issuer) Issuer() string { return issuer }

// AuthorizedParty is the claim azp of every token.
func (i *Issuer) AuthorizedParty() string { return authorizedParty }

// Sessions returns the verifier that accepts this issuer's tokens, by the
// clock now.
func (i *Issuer) Sessions(now func() time.Time) (*auth.Sessions, error) {
	return session.New(session.Config{
		Issuer:            issuer,
		AuthorizedParties: []string{authorizedParty},
		PEM:               i.pem,
		Now:               now,
	})
}
