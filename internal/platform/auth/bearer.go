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
	return body != "" && strings.TrimLeft(body, bearerChars) == ""
}

const bearerChars = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~+/"
