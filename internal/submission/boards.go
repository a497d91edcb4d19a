package submission

import (
	"cmp"
	"net/http"
	"slices"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/problem"
)

// checkGroups lets players into groups that their session tokens name, or that they are
// known to be members of.
func checkGroups(groups []game.Scope, by Sender) error {
	if by.IsServer() {
		return nil
	}
	var untold []string
	for _, group := range groups {
		if !slices.Contains(by.Player.Groups, group.ID()) {
			untold = append(untold, group.ID())
		}
	}
	if len(untold) == 0 {
		return nil
	}
	if by.Belongs != nil {
		if member, err := by.Belongs(untold); err != nil || member {
			return err
		}
	}
	return problem.Forbidden("the player is not known to belong to the group " + untold[0])
}

// scopes are the level and the groups on whose boards a score stands besides, each once.
func (s sent) scopes() (scopes []game.Scope) {
	if s.level != (game.Scope{}) {
		scopes = append(scopes, s.level)
	}
	if !s.mode.HasScope(game.Group) {
		return scopes
	}
	for _, group := range s.groups {
		if !slices.Contains(scopes, group) {
			scopes = append(scopes, group)
		}
	}
	return scopes
}

// profile is how the player is shown, the country whose boards rank the player among it.
// What a credential says of the country comes before what the request says, and both
// before the network's guess.
func profile(country string, by Sender) game.Profile {
	return game.Profile{
		Name: by.Player.Name, Picture: by.Player.Picture,
		Country: cmp.Or(by.Player.Country, country, guessedCountry(by.Header)),
	}
}

// guessedCountry is where a content delivery network says that its caller is; empty: none
// knows. Some say XX or T1 then.
func guessedCountry(h http.Header) string {
	for _, name := range [...]string{"CloudFront-Viewer-Country", "CF-IPCountry", "X-Vercel-IP-Country", "X-Client-Geo-Country"} {
		if code := h.Get(name); game.ValidCountry(code) == nil {
			return code
		}
	}
	return ""
}
