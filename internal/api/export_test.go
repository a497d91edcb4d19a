package api

import (
	"github.com/framedle/leaderboards/internal/api/route"
	"github.com/framedle/leaderboards/internal/game"
)

// Routes are the rows of all routes.
func Routes() []route.Route { return routes(&API{Config: Config{Game: new(game.Game)}}, Services{}) }

// Steady is what a request of each route costs in the steady state of a game.
func Steady(g *game.Game) map[string]int {
	return steady(routes(&API{Config: Config{Game: g}}, Services{}))
}

// Prices are what a request of each route may cost at most.
func Prices() map[string]int {
	prices := map[string]int{}
	for _, row := range Routes() {
		prices[row.Pattern] = row.Price.Most
	}
	return prices
}

// HeldForBuckets is what is held besides for a distribution in so many buckets.
func HeldForBuckets(n int) int { return distributionBeside + n }

// HeldForLook is what is held for a look at a board.
func HeldForLook(b game.Board) int { return dayPrice + lookPrice(b) }

// WorldPrice is what is held for a look at a board of all sites.
const WorldPrice = worldPrice

// OfGroups is what a look at a board of groups may cost more.
const OfGroups = ofGroups

// ErasureIn is what an erasure may cost in a game.
func ErasureIn(g *game.Game) int { return erasureIn(g) }

// Price is what a query costs at most, as it was planned.
func (g *GraphReads) Price() int { return g.price }

// GraphMost is what a query may cost.
const GraphMost = graphMost
