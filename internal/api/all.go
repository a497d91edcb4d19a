package api

import (
	"maps"
	"net/http"
)

// All is the handler of every route, for a process that serves them alone.
func (a *API) All(s Services) http.Handler { return a.router(a.allRoutes(s)) }

// allRoutes is the one list of what the product answers.
func (a *API) allRoutes(s Services) routes {
	all := routes{}
	for _, part := range []routes{
		a.submitRoutes(), a.leaderboardRoutes(), ops{a, s.Removals, s.Status}.routes(), me{a, s.Removals}.routes(),
		friendships{a, s.Friends, s.Lists}.routes(), webhooks{a, s.News}.routes(), duels{a, s.Duels}.routes(),
	} {
		maps.Copy(all, part)
	}
	return all
}
