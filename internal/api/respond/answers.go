// Package respond writes the answers to requests: JSON, for one caller or for caches, and
// problems. It logs the problems that are ours to repair. It knows HTTP, but not what an
// answer says or to whom.
package respond

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// Millis is the format of times with milliseconds.
const Millis = "2006-01-02T15:04:05.000Z07:00"

// OwnCache lets only the caller's browser keep an answer, and revalidate it each time.
const OwnCache = "private, no-cache"

// CacheOf is the Cache-Control of an answer that caches revalidate each time. Own answers
// stay private.
func CacheOf(w http.ResponseWriter, own bool) string {
	VaryByCaller(w)
	if own {
		return OwnCache
	}
	return "public, no-cache"
}

// VaryByCaller has caches keep an answer apart from the one that the owner of a token gets at
// the same address. The public answer must say so too: else a cache that has it would answer the
// owner with it.
func VaryByCaller(w http.ResponseWriter) {
	if !slices.Contains(w.Header().Values("Vary"), "Authorization") {
		w.Header().Add("Vary", "Authorization")
	}
}

// JSON answers one caller. No cache keeps it.
func JSON(w http.ResponseWriter, r *http.Request, status int, v any) error {
	body, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("write the answer: %w", err)
	}
	Body(w, r, status, body)
	return nil
}

// Body is JSON for a body that is already encoded.
func Body(w http.ResponseWriter, r *http.Request, status int, body []byte) {
	sendJSON(w, r, status, "no-store", body)
}

// Head answers HEAD where the body of GET is not made for it.
func Head(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(http.StatusOK)
}

func sendJSON(w http.ResponseWriter, r *http.Request, status int, cache string, body []byte) {
	header := w.Header()
	header.Set("Content-Type", "application/json")
	header.Set("Cache-Control", cache)
	Send(w, r, status, body)
}

// Send ends an answer. HEAD gets the same Content-Length as GET.
func Send(w http.ResponseWriter, r *http.Request, status int, body []byte) {
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	if r.Method != http.MethodHead {
		_, _ = w.Write(body) // the client may have disconnected
	}
}

// Public writes an answer that caches and browsers may revalidate. Its tag covers every byte
// of it.
func Public(w http.ResponseWriter, r *http.Request, cache string, v any) error {
	body, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("write the answer: %w", err)
	}
	Tagged(w, r, cache, body, Tag(body))
	return nil
}

// Tagged writes a body with its entity tag, or 304 if the caller already has it.
func Tagged(w http.ResponseWriter, r *http.Request, cache string, body []byte, tag string) {
	w.Header().Set("ETag", tag)
	if strings.HasPrefix(cache, "private") {
		VaryByCaller(w)
	}
	if Unchanged(w.Header(), r) {
		w.Header().Set("Cache-Control", cache)
		w.WriteHeader(http.StatusNotModified)
		return
	}
	sendJSON(w, r, http.StatusOK, cache, body)
}

// Unchanged reports whether the caller already has the answer with the entity tag in set.
func Unchanged(set http.Header, r *http.Request) bool {
	tag := set.Get("ETag")
	return tag != "" && matches(r.Header.Values("If-None-Match"), tag)
}

// Tag is a weak entity tag: bodies with equal bytes have the same.
func Tag(body ...[]byte) string {
	h := sha256.New()
	for _, part := range body {
		h.Write(part)
	}
	return `W/"` + base64.RawURLEncoding.EncodeToString(h.Sum(nil)[:12]) + `"`
}

// matches compares entity tags weakly (RFC 9110, section 13.1.2).
func matches(headers []string, tag string) bool {
	tag = strings.TrimPrefix(tag, "W/")
	for _, header := range headers {
		for candidate := range strings.SplitSeq(header, ",") {
			candidate = strings.TrimSpace(candidate)
			if candidate == "*" || strings.TrimPrefix(candidate, "W/") == tag {
				return true
			}
		}
	}
	return false
}
