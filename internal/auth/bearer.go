package auth

import "strings"

// Bearer returns the token of an Authorization header of the form
// "Bearer <token>" (RFC 6750, section 2.1). The scheme may be in any case;
// there must be exactly one token, of the characters the RFC allows.
func Bearer(header string) (token string, ok bool) {
	scheme, rest, found := strings.Cut(header, " ")
	if !found || !strings.EqualFold(scheme, "Bearer") {
		return "", false
	}
	token = strings.TrimLeft(rest, " ")
	if !isBearerToken(token) {
		return "", false
	}
	return token, true
}

// isBearerToken reports whether s is a b64token: one or more letters, digits
// and -._~+/ and then any number of =.
func isBearerToken(s string) bool {
	body := strings.TrimRight(s, "=")
	if body == "" {
		return false
	}
	for i := range len(body) {
		c := body[i]
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9':
		case strings.IndexByte("-._~+/", c) >= 0:
		default:
			return false
		}
	}
	return true
}
