package api

import (
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/rollup"
)

// What a route costs, in the table, is what one request of it can cost in billed
// commands of Redis: so much is held for it while it is under way, so that requests
// at once keep a bound too, and what it did not cost is given back.
// TestNoRequestCostsMoreThanItsRoute looks for the dearest. What costs more all the
// same, such as a list of many duels whose time is over, is counted when it has been
// answered.

// erasing is the route by which players erase themselves. What it costs is known
// only after a look: most that are sent find nothing, or nothing new.
const (
	erasing     = "DELETE /v1/me"
	erasureOf   = 12  // commands, where nothing is known of the player
	erasureMost = 400 // commands, for a player with twelve days of three modes and a group
)

// The prices of what a submission may ask for beside.
const (
	boardPrice = 40
	mePrice    = 80
)

// viewPrice is what the parts of a view can cost.
func viewPrice(parts []string) (most int) {
	for _, part := range parts {
		if part == viewMe {
			most += mePrice - boardPrice
		}
		most += boardPrice
	}
	return most
}

// What a game may add to the price of a route.
const (
	// ofGroups is what a look at a board of groups that is due costs more: the
	// members of groups, up to so many commands, and what finds the groups.
	ofGroups = rollup.TeamsCommands + 10
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
	return erasureMost + min(ofSeason*len(g.Seasons), mostOfSeasons)
}

// held is what is held for a request of a route before its first command.
func (r route) held() int {
	if r.pattern == erasing {
		return erasureOf
	}
	return r.cost
}
