package session_test

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math/big"
	"strings"
	"sync"
	"testing"

	"github.com/clerk/clerk-sdk-go/v2"
	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/platform/auth/internal/session"
)

var b64 = base64.RawURLEncoding.EncodeToString

// sample is one key for all tests, since making one takes long.
var sample = sync.OnceValue(func() *rsa.PrivateKey {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		panic(err)
	}
	return key
})

func jwk(kid string, changes map[string]any) map[string]any {
	k := map[string]any{
		"kty": "RSA", "use": "sig", "alg": "RS256", "kid": kid,
		"n": b64(sample().N.Bytes()), "e": "AQAB",
	}
	for name, value := range changes {
		if k[name] = value; value == nil {
			delete(k, name)
		}
	}
	return k
}

func document(keys ...any) string {
	text, err := json.Marshal(map[string]any{"keys": append([]any{}, keys...)})
	if err != nil {
		panic(err)
	}
	return string(text)
}

func keySet(kids ...string) string {
	var keys []any
	for _, kid := range kids {
		keys = append(keys, jwk(kid, nil))
	}
	return document(keys...)
}

func TestASetIsReadAsPublished(t *testing.T) {
	for name, text := range map[string]string{
		"as Clerk publishes it":      document(jwk("a", map[string]any{"x5c": []string{"MIIB"}, "x5t": "x"})),
		"use and algorithm untold":   document(jwk("a", map[string]any{"use": nil, "alg": nil})),
		"members unheard of":         `{"next":[1],` + keySet("a")[1:],
		"keys of other kinds beside": document(map[string]any{"kty": "EC", "kid": "e"}, 7, nil, map[string]any{"kid": 7}, jwk("a", nil)),
	} {
		t.Run(name, func(t *testing.T) {
			set, err := session.ParseKeySet([]byte(text))
			require.NoError(t, err)
			require.Len(t, set, 1)
			require.True(t, set["a"].Equal(&sample().PublicKey))
		})
	}
}

func TestKeysThatCannotVerifyArePassedOver(t *testing.T) {
	d := b64(sample().D.Bytes())
	large := func(bits uint) string {
		n := new(big.Int).Lsh(big.NewInt(1), bits-1)
		return b64(n.SetBit(n, 0, 1).Bytes())
	}
	for name, changes := range map[string]map[string]any{
		"another type":            {"kty": "EC"},
		"type in another case":    {"kty": "rsa"},
		"a shared secret":         {"kty": "oct", "k": "c2VjcmV0"},
		"for encryption":          {"use": "enc"},
		"RS512":                   {"alg": "RS512"},
		"HS256":                   {"alg": "HS256"},
		"none":                    {"alg": "none"},
		"no kid":                  {"kid": nil},
		"empty kid":               {"kid": ""},
		"kid of 129 bytes":        {"kid": strings.Repeat("k", 129)},
		"kid not a string":        {"kid": 7},
		"no modulus":              {"n": nil},
		"modulus with padding":    {"n": b64(sample().N.Bytes()) + "="},
		"modulus with a line end": {"n": b64(sample().N.Bytes()) + "\n"},
		"even modulus":            {"n": b64(new(big.Int).Lsh(sample().N, 1).Bytes())},
		"1024 bits":               {"n": large(1024)},
		"2047 bits":               {"n": large(2047)},
		"8193 bits":               {"n": large(8193)},
		"no exponent":             {"e": nil},
		"exponent one":            {"e": "AQ"},
		"exponent zero":           {"e": "AA"},
		"even exponent":           {"e": "AQAA"},
		"exponent beyond 31 bits": {"e": "_____w"},
		"private part published":  {"d": d},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := session.ParseKeySet([]byte(document(jwk("a", changes))))
			require.ErrorContains(t, err, "no RSA key for RS256")
			set, err := session.ParseKeySet([]byte(document(jwk("a", changes), jwk("b", nil))))
			require.NoError(t, err)
			require.Len(t, set, 1)
			require.Contains(t, set, "b")
		})
	}
}

func TestTextsThatAreNoKeySetAreRefused(t *testing.T) {
	var many []string
	for i := range 65 {
		many = append(many, fmt.Sprint(i))
	}
	for name, test := range map[string]struct{ text, says string }{
		"empty":           {"", "not JSON"},
		"a page":          {"<html>", "not JSON"},
		"an array":        {"[]", "not JSON"},
		"keys no list":    {`{"keys":{}}`, "not JSON"},
		"null":            {"null", "no RSA key"},
		"no keys":         {`{"keys":[]}`, "no RSA key"},
		"one kid twice":   {keySet("a", "a"), "two keys of one kid"},
		"65 keys":         {keySet(many...), "more than 64"},
		"more than 64 KB": {keySet("a") + strings.Repeat(" ", 64<<10), "longer than 64 KiB"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := session.ParseKeySet([]byte(test.text))
			require.ErrorContains(t, err, test.says)
		})
	}
	set, err := session.ParseKeySet([]byte(keySet(many[:64]...)))
	require.NoError(t, err)
	require.Len(t, set, 64)
}

// Clerk's SDK makes the same keys of a set.
func TestClerksSDKReadsTheSameKeys(t *testing.T) {
	curve, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	point, err := curve.PublicKey.Bytes()
	require.NoError(t, err)
	text := document(jwk("a", nil), jwk("b", map[string]any{"e": "Aw"}), map[string]any{
		"kty": "EC", "crv": "P-256", "kid": "c", "alg": "ES256", "use": "sig",
		"x": b64(point[1:33]), "y": b64(point[33:]),
	})
	set, err := session.ParseKeySet([]byte(text))
	require.NoError(t, err)
	require.Len(t, set, 2)

	var theirs clerk.JSONWebKeySet
	require.NoError(t, json.Unmarshal([]byte(text), &theirs))
	require.Len(t, theirs.Keys, 3)
	for _, key := range theirs.Keys[:2] {
		require.Equal(t, "RS256", key.Algorithm)
		require.True(t, set[key.KeyID].Equal(key.Key), key.KeyID)
	}
}

// Whatever is published, a key that is taken can be used without harm, and
// only those sizes are.
func FuzzParseKeySet(f *testing.F) {
	for _, seed := range []string{
		"", "null", `{"keys":[]}`, `{"keys":[null,1,"x",{}]}`, keySet("a"), keySet("a", "b"),
		document(jwk("a", map[string]any{"e": "Aw"})), document(jwk("a", map[string]any{"n": "AQAB"})),
	} {
		f.Add([]byte(seed))
	}
	sum := sha256.Sum256(nil)
	f.Fuzz(func(t *testing.T, data []byte) {
		set, err := session.ParseKeySet(data)
		if err != nil {
			require.Nil(t, set)
			return
		}
		require.NotEmpty(t, set)
		require.LessOrEqual(t, len(set), 64)
		for kid, key := range set {
			require.NotEmpty(t, kid)
			require.NoError(t, session.CheckSize(key))
			require.Error(t, rsa.VerifyPKCS1v15(key, crypto.SHA256, sum[:], make([]byte, key.Size())))
		}
	})
}
