package api

import (
	"maps"

	"github.com/framedle/leaderboards/internal/game"
)

// RoutePatterns are the ServeMux patterns of each function's routes.
func RoutePatterns() map[string][]string {
	var a API
	patterns := map[string][]string{}
	for function, rs := range map[string]routes{
		"submit": a.submitRoutes(), "enqueue": a.enqueueRoutes(nil), "leaderboard": a.leaderboardRoutes(), "ops": ops{}.routes(), "me": me{}.routes(),
		"friends": friendships{}.routes(), "webhook": webhooks{}.routes(), "duel": duels{}.routes(),
	} {
		for pattern := range rs {
			patterns[function] = append(patterns[function], pattern)
		}
	}
	return patterns
}

// Members and RepeatedName read one JSON object.
var (
	Members      = members
	RepeatedName = repeatedName
)

// ProblemTitles are the titles by kind of problem.
func ProblemTitles() map[string]string {
	titles := map[string]string{}
	for kind, is := range kinds {
		titles[kind] = is.title
	}
	return titles
}

// ProblemStatuses are the statuses by kind of problem.
func ProblemStatuses() map[string]int {
	statuses := map[string]int{}
	for kind, is := range kinds {
		statuses[kind] = is.status
	}
	return statuses
}

// ProblemBase is what the type of every problem begins with.
const ProblemBase = problemBase

// Prices are what a request of each route may cost at most.
func Prices() map[string]int { return maps.Clone(prices) }

// OfGroups is what a look at a board of groups may cost more.
const OfGroups = ofGroups

// ErasureIn is what an erasure may cost in a game.
func ErasureIn(g *game.Game) int { return erasureIn(g) }
