package session

import (
	"bytes"
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"strings"
)

// maxGivenKeys bounds the cost of a forged token, which is checked with each key. A rotation
// needs two.
const maxGivenKeys = 4

const wantKey = `use the PEM public key of the Clerk instance, beginning with -----BEGIN PUBLIC KEY-----`

// parseKeys reads RSA public keys, one after the other, from text that may
// have passed through an environment variable. An empty text holds none.
func parseKeys(text string) ([]*rsa.PublicKey, error) {
	rest := []byte(strings.NewReplacer(`\r`, "", `\n`, "\n").Replace(text))
	var keys []*rsa.PublicKey
	for rest = bytes.TrimSpace(rest); len(rest) > 0; rest = bytes.TrimSpace(rest) {
		if !bytes.HasPrefix(rest, []byte("-----BEGIN ")) {
			return nil, errors.New("CLERK_JWT_KEY is not PEM: " + wantKey)
		}
		var block *pem.Block
		if block, rest = pem.Decode(rest); block == nil {
			return nil, errors.New("CLERK_JWT_KEY is not PEM: " + wantKey)
		}
		if len(keys) == maxGivenKeys {
			return nil, fmt.Errorf("CLERK_JWT_KEY has more than %d keys: keep those that are in use", maxGivenKeys)
		}
		key, err := parseBlock(block)
		if err != nil {
			return nil, fmt.Errorf("CLERK_JWT_KEY: %w: %s", err, wantKey)
		}
		if err := CheckSize(key); err != nil {
			return nil, fmt.Errorf("CLERK_JWT_KEY: %w", err)
		}
		keys = append(keys, key)
	}
	// encoding/pem skips a damaged block; without this check a key that somebody relies on
	// would be missing silently.
	if strings.Count(text, "-----BEGIN ") != len(keys) {
		return nil, errors.New("CLERK_JWT_KEY has a PEM block that cannot be read: " + wantKey)
	}
	return keys, nil
}

func parseBlock(block *pem.Block) (*rsa.PublicKey, error) {
	switch block.Type {
	case "PUBLIC KEY":
		parsed, err := x509.ParsePKIXPublicKey(block.Bytes)
		if err != nil {
			return nil, errors.New("the key cannot be parsed")
		}
		key, ok := parsed.(*rsa.PublicKey)
		if !ok {
			return nil, errors.New("the key is not an RSA key")
		}
		return key, nil
	case "RSA PUBLIC KEY":
		key, err := x509.ParsePKCS1PublicKey(block.Bytes)
		if err != nil {
			return nil, errors.New("the key cannot be parsed")
		}
		return key, nil
	case "PRIVATE KEY", "RSA PRIVATE KEY", "EC PRIVATE KEY":
		return nil, errors.New("this is a private key, which must never leave its issuer")
	default:
		return nil, fmt.Errorf("a PEM block of type %q is not a public key", block.Type)
	}
}
