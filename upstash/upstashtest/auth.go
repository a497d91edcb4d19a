package upstashtest

import (
	"crypto/sha256"
	"crypto/subtle"
	"net/http"
	"strings"
)

const tokenParameter = "_token"

type access int

const (
	accessNone access = iota
	accessRead
	accessFull
)

// authorise compares digests, so that the time it takes shows neither content nor length
// of the token.
func (s *Server) authorise(r *http.Request) access {
	token, ok := requestToken(r)
	if !ok {
		return accessNone
	}
	digest := sha256.Sum256([]byte(token))
	full := subtle.ConstantTimeCompare(digest[:], s.fullDigest[:])
	read := subtle.ConstantTimeCompare(digest[:], s.readDigest[:])
	switch {
	case full == 1:
		return accessFull
	case read == 1 && s.readOnlyToken:
		return accessRead
	}
	return accessNone
}

func requestToken(r *http.Request) (string, bool) {
	if header := r.Header.Get("Authorization"); header != "" {
		scheme, token, ok := strings.Cut(header, " ")
		return strings.TrimSpace(token), ok && strings.EqualFold(scheme, "Bearer")
	}
	if !strings.Contains(r.URL.RawQuery, tokenParameter) {
		return "", false
	}
	query := r.URL.Query()
	return query.Get(tokenParameter), query.Has(tokenParameter)
}
