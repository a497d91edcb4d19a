package auth

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
)

// KeyOf tells which key a signature is good for: the first 8 hex digits of the
// key's SHA-256, or "" where none is. It takes no notice of the signature's
// time.
func (s *Signatures) KeyOf(header string, body []byte) string {
	claim, err := parseSignature(header)
	if err != nil {
		return ""
	}
	for _, key := range s.keys {
		want := mac(key, claim.unix, body)
		for _, got := range claim.v1 {
			if subtle.ConstantTimeCompare(want, got) == 1 {
				sum := sha256.Sum256(key)
				return hex.EncodeToString(sum[:4])
			}
		}
	}
	return ""
}
