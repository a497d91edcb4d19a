package session

import (
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"strings"
)

// minKeyBits is the floor of RFC 7518, section 3.3, for RS256.
const minKeyBits = 2048

// parseKey reads the RSA public key from text that may have passed through an
// environment variable.
func parseKey(text string) (*rsa.PublicKey, error) {
	const want = `use the PEM public key of the Clerk instance, beginning with -----BEGIN PUBLIC KEY-----`
	text = strings.NewReplacer(`\r`, "", `\n`, "\n").Replace(strings.TrimSpace(text))
	if text == "" {
		return nil, errors.New("CLERK_JWT_KEY is empty: " + want)
	}
	block, rest := pem.Decode([]byte(text))
	if block == nil {
		return nil, errors.New("CLERK_JWT_KEY is not PEM: " + want)
	}
	if strings.TrimSpace(string(rest)) != "" {
		return nil, errors.New("CLERK_JWT_KEY holds more than one PEM block: " + want)
	}
	key, err := parseBlock(block)
	if err != nil {
		return nil, fmt.Errorf("CLERK_JWT_KEY: %w: %s", err, want)
	}
	if bits := key.N.BitLen(); bits < minKeyBits {
		return nil, fmt.Errorf("CLERK_JWT_KEY is an RSA key of %d bits: use at least %d", bits, minKeyBits)
	}
	return key, nil
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
