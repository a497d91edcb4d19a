package api

import (
	"github.com/framedle/leaderboards/internal/game"
)

// RoutePatterns are the ServeMux patterns of each function's routes.
func RoutePatterns() map[string][]string {
	patterns := map[string][]string{}
	for function, rows := range new(API).routes(Services{}) {
		for _, row := range rows {
			patterns[function] = append(patterns[function], row.pattern)
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
func Prices() map[string]int {
	prices := map[string]int{}
	for _, rows := range new(API).routes(Services{}) {
		for _, row := range rows {
			prices[row.pattern] = row.cost
		}
	}
	return prices
}

// OfGroups is what a look at a board of groups may cost more.
const OfGroups = ofGroups

// ErasureIn is what an erasure may cost in a game.
func ErasureIn(g *game.Game) int { return erasureIn(g) }
