package auth

import (
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
)

// purposeKey is the length of a derived key in bytes.
const purposeKey = 32

// Secret is known to all functions of one deployment and to nobody else. The keys for each
// purpose are derived from it (HKDF-SHA256, RFC 5869), so that no two purposes share a key
// and no key reveals the secret.
type Secret struct{ master []byte }

// NewSecret takes the shared secret. An empty one is replaced by 32 random bytes; what is
// signed with them is valid in this process only.
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
	// The only possible error is a request for more than 255 hashes.
	key, _ := hkdf.Key(sha256.New, s.master, nil, "framedle leaderboards "+purpose, purposeKey)
	return key
}
