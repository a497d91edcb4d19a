package soak

import (
	"slices"
	"strings"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/lab/model"
	"github.com/framedle/leaderboards/lab/people"
)

// scopes are the names of the scopes in the API; the index is the scope's number in the
// model.
type scopes []string

func newScopes() scopes {
	names := scopes{"global"}
	for _, code := range people.Homes {
		names = append(names, "country:"+code)
	}
	for _, id := range people.Groups {
		names = append(names, "group:"+id)
	}
	return names
}

func (all scopes) isCountry(scope int) bool { return strings.HasPrefix(all[scope], "country:") }

// kept reports whether a mode has boards of a scope.
func (all scopes) kept(m *game.Mode, scope int) bool {
	switch {
	case scope == 0:
		return true
	case all.isCountry(scope):
		return m.HasScope(game.Country)
	}
	return m.HasScope(game.Group)
}

// of returns the scopes of a player.
func (all scopes) of(p people.Person) (own model.Scopes) {
	for scope, name := range all {
		kind, id, _ := strings.Cut(name, ":")
		if kind == "country" && id == p.Country || kind == "group" && slices.Contains(p.Groups, id) {
			own = own.With(scope)
		}
	}
	return own
}

// groups returns all scopes of groups.
func (all scopes) groups() model.Scopes { return all.of(people.Person{Groups: people.Groups}) }
