package session

import (
	"crypto/rsa"
	"crypto/sha256"

	"github.com/framedle/leaderboards/internal/lru"
)

// proven remembers signatures that were found valid: a player sends one token with all
// requests of a minute, and an RS256 verification costs as much as the rest of many requests.
//
// It remembers nothing else. Which key must have signed a token, what the token claims, and
// whether it is still valid are checked each time. That a key has signed a text never
// changes.
type proven struct {
	good *lru.Cache[proof, struct{}]
}

// proof identifies a verification: a key, and a digest of text and signature.
type proof struct {
	key    *rsa.PublicKey
	digest [sha256.Size]byte
}

// rememberProofs bounds the remembered signatures, at some 150 bytes each.
const rememberProofs = 2000

func newProven() proven {
	return proven{lru.New[proof, struct{}](rememberProofs)}
}

// signed reports whether the key has signed the token.
func (p proven) signed(t token, key *rsa.PublicKey) bool {
	of := proof{key, sha256.Sum256(append(t.sum[:], t.signature...))}
	if _, good := p.good.Get(of); good {
		return true
	}
	if !t.signedBy(key) {
		return false
	}
	p.good.Add(of, struct{}{})
	return true
}
