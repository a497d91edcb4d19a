package api

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strconv"
	"strings"

	"github.com/framedle/leaderboards/internal/game"
)

const idempotencyHeader = "Idempotency-Key"

// maxKey is the length of an idempotency key in characters.
const maxKey = 255

// idempotencyKey reads the header: a quoted string (IETF draft
// httpapi-idempotency-key-header) or a bare token, 1 to 255 visible characters.
// It is empty when the header is absent.
func idempotencyKey(h http.Header) (string, error) {
	values := h.Values(idempotencyHeader)
	if len(values) == 0 {
		return "", nil
	}
	if len(values) > 1 {
		return "", badRequest("the header " + idempotencyHeader + " is there more than once")
	}
	key := strings.TrimSpace(values[0])
	if len(key) >= 2 && key[0] == '"' && key[len(key)-1] == '"' {
		key = key[1 : len(key)-1]
	}
	if len(key) < 1 || len(key) > maxKey {
		return "", badRequest("the header " + idempotencyHeader + " must hold 1 to 255 characters")
	}
	for i := range len(key) {
		if key[i] <= ' ' || key[i] > '~' || key[i] == '"' {
			return "", badRequest("the header " + idempotencyHeader + ` must hold visible characters only, as in "7f9c2ba4"`)
		}
	}
	return key, nil
}

// itemKey is the key of one item of a batch.
func itemKey(key string, item int) string {
	if key == "" {
		return ""
	}
	return key + "#" + strconv.Itoa(item)
}

// once makes the record that keeps a sum from counting twice. Other policies
// need none: their writes can be repeated.
func (r *request) once(m *game.Mode, key string, body []byte) (game.IdempotencyRecord, error) {
	if m.Policy != game.Sum {
		return game.IdempotencyRecord{}, nil
	}
	if key == "" {
		return game.IdempotencyRecord{}, badRequest("the mode " + m.Called() + " adds scores up, so the header " +
			idempotencyHeader + " is required: a new key for each score, the same key for a retry of it")
	}
	return game.IdempotencyRecord{ID: r.digest(key), Fingerprint: digest(string(body))}, nil
}

// digest is 128 bits of SHA-256 over the parts, which hold no zero bytes that
// could move a border.
func digest(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return hex.EncodeToString(sum[:16])
}
