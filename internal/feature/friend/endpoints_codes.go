package friend

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"encoding/base64"
	"errors"
)

// CodesPurpose names the keys of [Codes] among those of the deployment's secret.
const CodesPurpose = "invite codes"

// Codes are keys of 32 bytes that seal the codes of invites in answers that Redis keeps for a
// retry: the first one seals, and each of them opens, so that keys can be rotated.
type Codes [][]byte

var errSealed = errors.New("the stored response for this idempotency key was sealed with a secret that this process does not have")

// seal makes a code unreadable, for the request with this record.
func (keys Codes) seal(code, record string) (string, error) {
	box, err := sealedBy(keys[0])
	if err != nil {
		return "", err
	}
	nonce := make([]byte, box.NonceSize())
	_, _ = rand.Read(nonce) // never fails, see crypto/rand
	return base64.RawURLEncoding.EncodeToString(box.Seal(nonce, nonce, []byte(code), []byte(record))), nil
}

// open reads a code. An earlier version has kept codes as they are.
func (keys Codes) open(text, record string) (string, error) {
	if len(text) == CodeLength {
		return text, nil
	}
	raw, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil {
		return "", errSealed
	}
	for _, key := range keys {
		box, err := sealedBy(key)
		if err != nil || len(raw) < box.NonceSize() {
			continue
		}
		if code, err := box.Open(nil, raw[:box.NonceSize()], raw[box.NonceSize():], []byte(record)); err == nil {
			return string(code), nil
		}
	}
	return "", errSealed
}

func sealedBy(key []byte) (cipher.AEAD, error) {
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	return cipher.NewGCM(block)
}
