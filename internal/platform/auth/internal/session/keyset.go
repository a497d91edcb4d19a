package session

import (
	"crypto/rsa"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"strings"
)

// Limits of what is read.
const (
	maxSet      = 64 << 10 // bytes of a whole set
	maxKeys     = 64       // usable keys in a set; an instance publishes one or two
	maxKid      = 128      // bytes
	minBits     = 2048     // RFC 7518, section 3.3
	maxBits     = 8192     // bounds what a verification costs; crypto/tls has the same bound
	maxExponent = 1<<31 - 1
)

// KeySet holds RSA public keys that verify RS256, by kid.
type KeySet map[string]*rsa.PublicKey

// key is a JSON Web Key with the members that matter here.
type key struct {
	Type       string `json:"kty"`
	ID         string `json:"kid"`
	Algorithm  string `json:"alg"`
	Use        string `json:"use"`
	Modulus    string `json:"n"`
	Exponent   string `json:"e"`
	PrivateKey string `json:"d"`
}

// ParseKeySet reads a JSON Web Key Set of at most 64 KiB. It skips keys that cannot verify RS256,
// as RFC 7517, section 5, advises: other types, other uses, other algorithms, without kid,
// malformed, shorter than 2048 or longer than 8192 bits, and keys whose private part is
// public. It is an error if no key is left, if more than 64 are, or if two have the same kid.
func ParseKeySet(data []byte) (KeySet, error) {
	if len(data) > maxSet {
		return nil, errors.New("the key set is longer than 64 KiB")
	}
	var document struct {
		Keys []json.RawMessage `json:"keys"`
	}
	if err := json.Unmarshal(data, &document); err != nil {
		return nil, errors.New(`the key set is not JSON of the form {"keys":[…]}`)
	}
	set := KeySet{}
	for _, raw := range document.Keys {
		var k key
		if json.Unmarshal(raw, &k) != nil {
			continue
		}
		public, ok := k.public()
		if !ok {
			continue
		}
		if _, twice := set[k.ID]; twice {
			return nil, errors.New("the key set has two keys of one kid")
		}
		if len(set) == maxKeys {
			return nil, fmt.Errorf("the key set has more than %d keys", maxKeys)
		}
		set[k.ID] = public
	}
	if len(set) == 0 {
		return nil, errors.New("the key set has no RSA key for RS256")
	}
	return set, nil
}

func (k key) public() (*rsa.PublicKey, bool) {
	switch {
	case k.Type != "RSA", !possible(k.ID), k.PrivateKey != "":
		return nil, false
	case k.Algorithm != "" && k.Algorithm != "RS256", k.Use != "" && k.Use != "sig":
		return nil, false
	}
	n, ok := unsigned(k.Modulus)
	if !ok {
		return nil, false
	}
	e, ok := unsigned(k.Exponent)
	if !ok || !e.IsInt64() || e.Int64() > maxExponent {
		return nil, false
	}
	public := &rsa.PublicKey{N: n, E: int(e.Int64())}
	return public, CheckSize(public) == nil
}

// unsigned reads a Base64urlUInt (RFC 7518, section 2).
func unsigned(s string) (*big.Int, bool) {
	if s == "" || strings.ContainsAny(s, "\r\n") { // encoding/base64 skips line ends
		return nil, false
	}
	b, err := base64.RawURLEncoding.DecodeString(s)
	return new(big.Int).SetBytes(b), err == nil
}

// CheckSize refuses a key of fewer than 2048 or more than 8192 bits, an even
// modulus, and an exponent that is even or less than 3.
func CheckSize(k *rsa.PublicKey) error {
	if bits := k.N.BitLen(); bits < minBits || bits > maxBits {
		return fmt.Errorf("an RSA key of %d bits: use at least %d and at most %d", bits, minBits, maxBits)
	}
	if k.N.Bit(0) == 0 || k.E < 3 || k.E&1 == 0 {
		return errors.New("these numbers are not an RSA key")
	}
	return nil
}
