package session

import (
	"strings"

	"github.com/framedle/leaderboards/internal/game"
)

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
		return Player{}, invalid("the token does not say whose it is")
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
