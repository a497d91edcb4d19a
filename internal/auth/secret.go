package auth

import (
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
)

// purposeKey is the length of a derived key in bytes.
const purposeKey = 32

// Secret is what all functions of one deployment share and nobody else knows.
// Keys for a purpose are derived from it (HKDF-SHA256, RFC 5869), so that no two
// purposes share one and none of them tells the secret.
type Secret struct{ master []byte }

// NewSecret takes the shared secret. An empty one is replaced by 32 random
// bytes: what is signed with it then holds in this process alone.
func NewSecret(master string) Secret {
	if master == "" {
		random := make([]byte, purposeKey)
		_, _ = rand.Read(random) // never fails, see crypto/rand
		return Secret{random}
	}
	return Secret{[]byte(master)}
}

// Key is the key of 32 bytes for one purpose, such as "cursor v1".
func (s Secret) Key(purpose string) []byte {
	// The one error is that of asking for more than 255 hashes.
	key, _ := hkdf.Key(sha256.New, s.master, nil, "framedle leaderboards "+purpose, purposeKey)
	return key
}
