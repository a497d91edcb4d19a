package api

import (
	"github.com/framedle/leaderboards/internal/api/gate"
	"github.com/framedle/leaderboards/internal/api/limit"
	"github.com/framedle/leaderboards/internal/game"
)

// Route is a row of the table, as tests look at it.
type Route struct {
	Function, Pattern string
	May               string // who may call it
	Limit             limit.Class
	Body              int64 // bytes at most; 0: none is read
	Empty             bool  // the body may be missing
	Bare              bool  // and has nothing to say
	Cost              int
	Key, Waits        bool
}

// callers are how the documentation calls those who may call a route.
var callers = map[gate.Access]string{
	gate.Anybody: "anybody", gate.AnybodyOrMe: "anybody; as `me` a player or a device", gate.AnyPlayer: "player, device", gate.SignedIn: "player",
	gate.Renamer: "player, device that may have a name", gate.NoFriends: "player", gate.Claimant: "player", gate.Newcomer: "anybody, device", gate.PlayerOrServer: "player, game server",
	gate.AnyPlayerOrServer: "player, device, game server", gate.GameServer: "game server", gate.Operator: "operator", gate.Clerk: "Clerk",
}

// Routes are all rows, function by function.
func Routes() (all []Route) {
	a := &API{Config: Config{Game: new(game.Game)}}
	for _, row := range routes(a, Services{}) {
		all = append(all, Route{
			row.function, row.pattern, callers[row.may], row.limit, row.body.Most, row.body.Absent != "" || row.body.Bare, row.body.Bare,
			row.price.most, row.key == keyed, row.while == waits,
		})
	}
	return all
}

// Prices are what a request of each route may cost at most.
func Prices() map[string]int {
	prices := map[string]int{}
	for _, row := range Routes() {
		prices[row.Pattern] = row.Cost
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
