// Package authtest makes session tokens, good and bad, for tests. It can sign anything. It
// must not know which tokens are good, so that tests check the verifier independently. Only
// tests may import it.
package authtest

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"maps"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/framedle/leaderboards/internal/platform/auth"
)

const (
	// IssuerURL is the claim iss that Claims sets.
	IssuerURL = "https://clerk.framedle.test"
	// AuthorizedParty is the claim azp that Claims sets.
	AuthorizedParty = "https://www.framedle.test"
	// KeyID is the kid in the header of every token, unless options say
	// otherwise.
	KeyID = "ins_test"
)

// Issuer signs tokens with a key of its own.
type Issuer struct {
	tb  testing.TB
	key *rsa.PrivateKey
	pem string
}

// keys are shared by all issuers in turn, because making a key takes a tenth of a second and
// most tests want an issuer.
var (
	keys [8]func() (*rsa.PrivateKey, error)
	turn atomic.Uint64
)

func init() {
	for i := range keys {
		keys[i] = sync.OnceValues(func() (*rsa.PrivateKey, error) { return rsa.GenerateKey(rand.Reader, 2048) })
	}
}

// New makes an issuer with an RSA key of 2048 bits. The last eight issuers have different
// keys.
func New(tb testing.TB) *Issuer {
	tb.Helper()
	key, err := keys[turn.Add(1)%uint64(len(keys))]()
	if err != nil {
		tb.Fatalf("making a key: %v", err)
	}
	der, err := x509.MarshalPKIXPublicKey(&key.PublicKey)
	if err != nil {
		tb.Fatalf("encoding the key: %v", err)
	}
	text := pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der})
	return &Issuer{tb: tb, key: key, pem: string(text)}
}

// PEM is the public key, PKIX in PEM.
func (i *Issuer) PEM() string { return i.pem }

// Sessions returns a verifier that trusts this issuer and AuthorizedParty.
func (i *Issuer) Sessions(now func() time.Time) *auth.Sessions {
	i.tb.Helper()
	s, err := auth.NewSessions(auth.SessionConfig{
		Issuer:            IssuerURL,
		AuthorizedParties: []string{AuthorizedParty},
		PEM:               i.pem,
		Now:               now,
	})
	if err != nil {
		i.tb.Fatalf("making the verifier: %v", err)
	}
	return s
}

// Claims returns the claims of a good session token for player, valid for a
// minute from at, with changes laid over them; a nil value removes a claim.
func Claims(player string, at time.Time, changes map[string]any) map[string]any {
	claims := map[string]any{
		"azp": AuthorizedParty,
		"exp": at.Add(time.Minute).Unix(),
		"fva": []int{0, -1},
		"iat": at.Unix(),
		"iss": IssuerURL,
		"nbf": at.Unix(),
		"sid": "sess_test",
		"sts": "active",
		"sub": player,
		"v":   2,
	}
	maps.Copy(claims, changes)
	maps.DeleteFunc(claims, func(_ string, value any) bool { return value == nil })
	return claims
}
