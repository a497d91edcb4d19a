package session

import (
	"strconv"
	"strings"
	"time"

	"github.com/framedle/leaderboards/internal/game"
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
		return invalid("the token has no valid expiry")
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

// Player is the player of a session token. ID is always set. The other fields come from the
// claims, and are empty if these have no usable value.
type Player struct {
	// ID is the claim sub, see [game.ValidPlayer].
	ID string
	// Name is the claim name, trimmed, without control characters and
	// direction marks, at most 80 runes.
	Name string
	// Picture is the claim picture when it is an absolute https URL of at
	// most 512 bytes.
	Picture string
	// Country is the claim country when it is an ISO 3166-1 alpha-2 code in
	// upper case.
	Country string
	// Groups holds the ids of the Clerk organizations found in the token: the
	// active one, or none. Clerk puts no other memberships into a token.
	Groups []string
}

func readPlayer(claims object) (Player, *Error) {
	id, ok := claims.text("sub")
	if !ok || id == "" {
		return Player{}, invalid("the token has no valid subject")
	}
	if game.ValidPlayer(id) != nil {
		return Player{}, invalid("the token's subject is not a player id: 1 to 128 characters of [A-Za-z0-9_.:@-], and not reserved")
	}
	if strings.HasPrefix(id, game.DevicePrefix) {
		return Player{}, invalid("the token's subject has the form of a device's id (" + game.DevicePrefix + "…), and devices have tokens of their own")
	}
	name, _ := claims.text("name")
	picture, _ := claims.text("picture")
	country, _ := claims.text("country")
	return Player{ // copies, so that nothing keeps the token in memory
		ID:      strings.Clone(id),
		Name:    Name(name),
		Picture: strings.Clone(Picture(picture)),
		Country: strings.Clone(Country(country)),
		Groups:  readGroups(claims),
	}, nil
}

// readGroups takes the active organization where Clerk's token version 2 has
// it (o.id), else where version 1 has it (org_id).
func readGroups(claims object) []string {
	id, _ := claims.text("org_id")
	if o, err := parseObject([]byte(claims["o"])); err == nil {
		if v2, ok := o.text("id"); ok {
			id = v2
		}
	}
	if !Group(id) {
		return nil
	}
	return []string{strings.Clone(id)}
}

// Country returns code when it is an ISO 3166-1 alpha-2 code in upper case.
func Country(code string) string {
	// Most are empty, and an empty one is returned before package game formats an error for
	// it.
	if code == "" || game.ValidCountry(code) != nil {
		return ""
	}
	return code
}

// Group reports whether id can name a group board.
func Group(id string) bool {
	if id == "" {
		return false
	}
	_, err := game.GroupScope(id)
	return err == nil
}
