package api

import (
	"github.com/framedle/leaderboards/internal/board"
	"github.com/framedle/leaderboards/internal/game"
)

// prices are what one request of each route can cost, in billed commands of
// Redis: so much is held for it while it is under way, so that requests at once
// keep a bound too, and what it did not cost is given back.
// TestNoRequestCostsMoreThanItsRoute looks for the dearest. What costs more all
// the same, such as a list of many duels whose time is over, is counted when it
// has been answered.
//
// Routes that only holders of a key of the deployment's own may use cost those
// nothing.
var prices = map[string]int{
	"POST /v1/scores":                              18,
	"GET /v1/leaderboards/{mode}":                  30,
	"GET /v1/leaderboards/{mode}/players/{player}": 30,
	"GET /v1/leaderboards/{mode}/around/{player}":  30,
	"POST /v1/leaderboards/{mode}/lookup":          30,
	"GET /v1/leaderboards/{mode}/friends":          30,

	"GET /v1/me":        80,
	"PATCH /v1/me":      5,
	erasing:             400,
	"GET /v1/me/export": 250,
	"POST /v1/devices":  0,
	"POST /v1/me/claim": 700, // 631 were measured for a device with one day in framedle, beside living weeks and months

	"GET /v1/friends":                           2,
	"POST /v1/friends/requests":                 8,
	"POST /v1/friends/requests/{player}/accept": 12,
	"DELETE /v1/friends/requests/{player}":      8,
	"DELETE /v1/friends/{player}":               8,
	"PUT /v1/friends/blocks/{player}":           8,
	"DELETE /v1/friends/blocks/{player}":        8,
	"POST /v1/friends/invites":                  3,
	"POST /v1/friends/invites/{code}/accept":    10,

	"POST /v1/duels":              20,
	"GET /v1/duels":               72,
	"POST /v1/duels/queue":        30,
	"DELETE /v1/duels/queue":      3,
	"GET /v1/duels/{id}":          2,
	"POST /v1/duels/{id}/accept":  12,
	"POST /v1/duels/{id}/result":  10,
	"POST /v1/duels/{id}/rematch": 20,

	"GET /openapi.yaml": 0,
}

// erasing is the route by which players erase themselves. What it costs is known
// only after a look: most that are sent find nothing, or nothing new.
const (
	erasing   = "DELETE /v1/me"
	erasureOf = 12 // commands, where nothing is known of the player
)

// What a game may add to the price of a route.
const (
	// ofGroups is what a look at a board of groups that is due costs more: the
	// members of groups, up to so many commands, and what finds the groups.
	ofGroups = board.TeamsCommands + 10
	// ofSeason is what an erasure costs more for each season of the game, for a
	// player who is on everything in it.
	ofSeason = 35
	// mostOfSeasons bounds what is asked for before an erasure, so that it fits into
	// a day's limit of 2,000 in a game of many seasons; the rest is counted when it
	// is known.
	mostOfSeasons = 600
)

// erasureIn is what an erasure can cost in a game.
func erasureIn(g *game.Game) int {
	return prices[erasing] + min(ofSeason*len(g.Seasons), mostOfSeasons)
}

// held is what is held for a request of a route before its first command.
func held(pattern string) int {
	if pattern == erasing {
		return erasureOf
	}
	return prices[pattern]
}
