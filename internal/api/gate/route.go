package gate

import (
	"github.com/framedle/leaderboards/internal/api/limit"
)

// Route is a row of the table of routes: what holds for every request of the route before its
// endpoint runs, and what the request may cost. A package with endpoints lists its rows beside
// them; package app collects them. make generate makes the gateway's events in template.yaml and
// the tables of docs/reference/routes.md and docs/internals/limits.md from them.
type Route struct {
	Function string      // the function of template.yaml that serves it
	Pattern  string      // method and path, as ServeMux reads them
	Auth     Access      // who may call it
	Limit    limit.Class // the limit that it counts against, see Guard.Count; empty: none
	Body     BodyRule    // how its body is read
	Price    Price

	// Steady is the most billed commands that a request costs in the steady state: the process
	// has served similar requests before and has in memory what it keeps. Operators see it
	// beside what was spent, and TestEveryRouteSpendsItsBudget checks it. Price has the higher
	// costs of a first request, or of a player who is on many boards.
	Steady int

	Keyed                bool // whether it takes an Idempotency-Key
	BlockedInMaintenance bool // whether it is refused while nothing may be written
	Serve                Endpoint
}

// Price is the price of a route, in billed commands of Redis. The gate reserves commands while
// a request runs, so that concurrent requests stay within a limit too, and gives back what the
// request did not spend. A route that asks Redis nothing, or that only holders of a key of the
// deployment may call, has no price.
//
// TestNoRequestCostsMoreThanItsRoute searches for the most expensive requests. A request that
// costs more all the same, such as a list of many duels whose time is over, is counted in full
// afterwards.
type Price struct {
	Most     int // that one request can cost
	Reserved int // before its first command; an endpoint reserves more as soon as it knows
}

// UpTo is the price of a route that reserves all that its requests can cost.
func UpTo(most int) Price { return Price{Most: most, Reserved: most} }
