package auth

import (
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"strings"
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

// ID is the id of what a request with an idempotency record makes, for one purpose; empty
// without a record. Anybody who knows the id of an open duel may accept it, and an idempotency
// key may be easy to guess: so the id is 128 bits that only this deployment can make.
func (s Secret) ID(purpose, record string) string {
	if record == "" {
		return ""
	}
	mac := hmac.New(sha256.New, s.Key(purpose))
	mac.Write([]byte(record))
	return hex.EncodeToString(mac.Sum(nil)[:16])
}

// Bearer returns the token of an Authorization header of the form
// "Bearer <token>" (RFC 6750, section 2.1). The scheme may be in any case;
// there must be exactly one token, of the characters the RFC allows.
func Bearer(header string) (token string, ok bool) {
	scheme, rest, found := strings.Cut(header, " ")
	if !found || !strings.EqualFold(scheme, "Bearer") {
		return "", false
	}
	token = strings.TrimLeft(rest, " ")
	if !isBearerToken(token) {
		return "", false
	}
	return token, true
}

// isBearerToken reports whether s is a b64token: one or more letters, digits
// and -._~+/ and then any number of =.
func isBearerToken(s string) bool {
	body := strings.TrimRight(s, "=")
	return body != "" && strings.TrimLeft(body, bearerChars) == ""
}

const bearerChars = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~+/"
