package api

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
)

// writeJSON answers one caller, for this once: no cache keeps it.
func writeJSON(w http.ResponseWriter, r *http.Request, status int, v any) error {
	body, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("write the answer: %w", err)
	}
	writeBody(w, r, status, body)
	return nil
}

// writeBody is writeJSON for what has been written as JSON.
func writeBody(w http.ResponseWriter, r *http.Request, status int, body []byte) {
	sendJSON(w, r, status, "no-store", body)
}

func sendJSON(w http.ResponseWriter, r *http.Request, status int, cache string, body []byte) {
	header := w.Header()
	header.Set("Content-Type", "application/json")
	header.Set("Cache-Control", cache)
	send(w, r, status, body)
}

// send ends an answer. HEAD is told the same length as GET.
func send(w http.ResponseWriter, r *http.Request, status int, body []byte) {
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	if r.Method != http.MethodHead {
		_, _ = w.Write(body) // the client may have gone
	}
}

// writePublic writes an answer that caches and browsers may revalidate. Its tag
// stands for every byte of it.
func writePublic(w http.ResponseWriter, r *http.Request, cache string, v any) error {
	body, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("write the answer: %w", err)
	}
	writeTagged(w, r, cache, body, entityTag(body))
	return nil
}

// writeTagged writes a body under its entity tag, or that the caller has it.
func writeTagged(w http.ResponseWriter, r *http.Request, cache string, body []byte, tag string) {
	w.Header().Set("ETag", tag)
	if strings.HasPrefix(cache, "private") {
		w.Header().Add("Vary", "Authorization")
	}
	if unchanged(w.Header(), r) {
		w.Header().Set("Cache-Control", cache)
		w.WriteHeader(http.StatusNotModified)
		return
	}
	sendJSON(w, r, http.StatusOK, cache, body)
}

// unchanged reports whether the caller has the very answer whose entity tag is set.
func unchanged(set http.Header, r *http.Request) bool {
	tag := set.Get("ETag")
	return tag != "" && matches(r.Header.Values("If-None-Match"), tag)
}

// entityTag is a weak tag: bodies that are written alike say the same.
func entityTag(body ...[]byte) string {
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
