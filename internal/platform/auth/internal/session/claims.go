package session

import (
	"strconv"
	"time"
)

// leeway is how far the clocks of Clerk and of this machine may differ.
const leeway = 5 * time.Second

// maxNumericDate is the end of the year 9999; beyond it time arithmetic would
// have to be checked for overflow.
const maxNumericDate = 253402300799

// checkClaims checks the claims of a token with a valid signature. exp is required, because a
// token without it would never expire; nbf and iat are checked if present.
func (s *Sessions) checkClaims(claims object, now time.Time) *Error {
	if iss, _ := claims.text("iss"); iss != s.issuer {
		return invalid("the token is from another issuer")
	}
	if len(s.parties) > 0 && !s.isParty(claims) {
		return invalid("the token was issued for another site")
	}
	if claims.has("sts") {
		if sts, ok := claims.text("sts"); !ok || sts == "pending" {
			return invalid("the session is pending: the player has to finish signing in")
		}
	}
	return checkTimes(claims, now)
}

// isParty reports whether the token was issued for one of the authorized parties.
func (s *Sessions) isParty(claims object) bool {
	if !claims.has("azp") {
		return s.parties[NativeParty]
	}
	azp, ok := claims.text("azp")
	return ok && azp != NativeParty && s.parties[azp]
}

func checkTimes(claims object, now time.Time) *Error {
	exp, ok := claims.date("exp")
	if !ok {
		return invalid("the token does not say when it expires")
	}
	if !now.Before(exp.Add(leeway)) {
		return invalid("the token has expired")
	}
	for _, name := range []string{"nbf", "iat"} {
		if !claims.has(name) {
			continue
		}
		from, ok := claims.date(name)
		if !ok {
			return invalid("the token has a time that is not a number of seconds")
		}
		if now.Add(leeway).Before(from) {
			return invalid("the token is not valid yet")
		}
	}
	return nil
}

// date returns a member that is a NumericDate (RFC 7519, section 2) between
// 1970 and 9999; fractions of a second are cut off.
func (o object) date(name string) (time.Time, bool) {
	// Of all JSON values only a number can be parsed as one.
	seconds, err := strconv.ParseFloat(o[name], 64)
	if err != nil || seconds < 0 || seconds > maxNumericDate {
		return time.Time{}, false
	}
	return time.Unix(int64(seconds), 0), true
}
