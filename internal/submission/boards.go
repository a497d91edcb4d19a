package submission

import (
	"cmp"
	"net/http"
	"slices"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/problem"
)

// checkGroups refuses a player groups that the session token does not name, unless the player
// is known to be a member of them.
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

// scopes are the level and the groups whose boards also get the score, each once.
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

// profile is how boards show the player; its country also chooses the country's boards. A
// country in the credential wins over one in the request, and both win over a guess from the
// network.
func profile(country string, by Sender) game.Profile {
	return game.Profile{
		Name: by.Player.Name, Picture: by.Player.Picture,
		Country: cmp.Or(by.Player.Country, country, guessedCountry(by.Header)),
	}
}

// guessedCountry is the country of the caller according to a content delivery network's
// header; empty: unknown. Some networks send XX or T1 if they do not know.
func guessedCountry(h http.Header) string {
	for _, name := range [...]string{"CloudFront-Viewer-Country", "CF-IPCountry", "X-Vercel-IP-Country", "X-Client-Geo-Country"} {
		if code := h.Get(name); game.ValidCountry(code) == nil {
			return code
		}
	}
	return ""
}
