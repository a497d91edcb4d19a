package session

import (
	"net/url"
	"strings"
	"unicode"
)

const (
	maxName    = 80  // runes
	maxPicture = 512 // bytes
)

// Player is who a session token speaks for. ID is always set; the rest is
// what the token's claims offer, and empty where they offer nothing usable: a
// bad picture must not keep anybody from playing.
type Player struct {
	// ID is the claim sub: 1 to 128 characters of [A-Za-z0-9_.:@-].
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
	// active one, or none.
	Groups []string
}

func readPlayer(claims object) (Player, *Error) {
	id, ok := claims.text("sub")
	if !ok || id == "" {
		return Player{}, invalid("the token does not say whose it is")
	}
	if !validPlayer(id) {
		return Player{}, invalid("the token's subject is not a player id: 1 to 128 characters of [A-Za-z0-9_.:@-]")
	}
	name, _ := claims.text("name")
	picture, _ := claims.text("picture")
	country, _ := claims.text("country")
	p := Player{ID: id, Name: cleanName(name), Groups: readGroups(claims)}
	if isPicture(picture) {
		p.Picture = picture
	}
	if validCountry(country) {
		p.Country = country
	}
	return p, nil
}

// readGroups takes the active organization where Clerk's token version 2 has
// it (o.id), else where version 1 has it (org_id).
func readGroups(claims object) []string {
	id, _ := claims.text("org_id")
	if o, err := parseObject(claims["o"]); err == nil {
		if v2, ok := o.text("id"); ok {
			id = v2
		}
	}
	if !validGroup(id) {
		return nil
	}
	return []string{id}
}

// cleanName makes a name fit for one line of a page: marks that reverse the
// direction of text would spill over onto the neighbours' rows.
func cleanName(name string) string {
	name = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || r == '\u2028' || r == '\u2029' {
			return -1
		}
		return r
	}, name)
	name = strings.TrimSpace(name)
	if runes := []rune(name); len(runes) > maxName {
		name = strings.TrimSpace(string(runes[:maxName]))
	}
	return name
}

func isPicture(s string) bool {
	if len(s) > maxPicture || !strings.HasPrefix(s, "https://") {
		return false
	}
	for i := range len(s) {
		if s[i] <= ' ' || s[i] > '~' {
			return false
		}
	}
	u, err := url.Parse(s)
	return err == nil && u.Hostname() != "" && u.User == nil
}
