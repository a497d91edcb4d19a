package session

import (
	"crypto/rsa"
	"crypto/sha256"

	"github.com/framedle/leaderboards/internal/lru"
)

// proven are the signatures that were found good of late: a player sends one token with
// all requests of its minute, and RS256 costs as much as the rest of many of them.
//
// Nothing else is remembered. Which key a token must be signed with, what it claims and
// whether it is still good is found anew each time; and that a key has made a signature
// of a text does not change.
type proven struct {
	good *lru.Cache[proof, struct{}]
}

// proof is what was held against what: a key, and a digest of text and signature.
type proof struct {
	key    *rsa.PublicKey
	digest [sha256.Size]byte
}

// rememberProofs bounds them, at some 150 bytes each.
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
