// Package answers writes what requests are answered with: JSON, for one caller or for caches,
// and problems, which it logs where they are ours to repair. It knows HTTP; what an answer
// says, and to whom, others know.
package answers

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
)

// Millis is how times are written that have milliseconds.
const Millis = "2006-01-02T15:04:05.000Z07:00"

// OwnCache is how caches keep what is asked about each time and is for one caller alone.
const OwnCache = "private, no-cache"

// CacheOf is how caches keep what is asked about each time: own answers are for nobody else.
func CacheOf(own bool) string {
	if own {
		return OwnCache
	}
	return "public, no-cache"
}

// JSON answers one caller, for this once: no cache keeps it.
func JSON(w http.ResponseWriter, r *http.Request, status int, v any) error {
	body, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("write the answer: %w", err)
	}
	Body(w, r, status, body)
	return nil
}

// Body is JSON for what has been written as JSON.
func Body(w http.ResponseWriter, r *http.Request, status int, body []byte) {
	sendJSON(w, r, status, "no-store", body)
}

func sendJSON(w http.ResponseWriter, r *http.Request, status int, cache string, body []byte) {
	header := w.Header()
	header.Set("Content-Type", "application/json")
	header.Set("Cache-Control", cache)
	Send(w, r, status, body)
}

// Send ends an answer. HEAD is told the same length as GET.
func Send(w http.ResponseWriter, r *http.Request, status int, body []byte) {
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	if r.Method != http.MethodHead {
		_, _ = w.Write(body) // the client may have gone
	}
}

// Public writes an answer that caches and browsers may revalidate. Its tag
// stands for every byte of it.
func Public(w http.ResponseWriter, r *http.Request, cache string, v any) error {
	body, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("write the answer: %w", err)
	}
	Tagged(w, r, cache, body, Tag(body))
	return nil
}

// Tagged writes a body under its entity tag, or that the caller has it.
func Tagged(w http.ResponseWriter, r *http.Request, cache string, body []byte, tag string) {
	w.Header().Set("ETag", tag)
	if strings.HasPrefix(cache, "private") {
		w.Header().Add("Vary", "Authorization")
	}
	if Unchanged(w.Header(), r) {
		w.Header().Set("Cache-Control", cache)
		w.WriteHeader(http.StatusNotModified)
		return
	}
	sendJSON(w, r, http.StatusOK, cache, body)
}

// Unchanged reports whether the caller has the very answer whose entity tag is set.
func Unchanged(set http.Header, r *http.Request) bool {
	tag := set.Get("ETag")
	return tag != "" && matches(r.Header.Values("If-None-Match"), tag)
}

// Tag is a weak tag: bodies that are written alike say the same.
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
