package api

import "github.com/framedle/leaderboards/internal/game"

// What a query of a graph costs at most, in billed commands, is the sum of what its parts
// cost in a process that remembers nothing. It is known before the first command: a query
// that could cost more is refused for none. TestNoQueryCostsMoreThanWasPredicted draws
// queries and holds them against it.
const (
	graphMost = 20 // one query

	graphBase    = 2 // what a process asks once in a while: who is banned, who has spent too much
	graphNames   = 1
	graphFriends = 2 // see GET /v1/friends
	graphDuel    = 9 // one that has to be ended
)

// graphPrice is what a look at a board costs at most.
type graphPrice struct {
	written int // of a board that is written
	week    int // of a week that is due
	derived int // of any other board that is due
	country int // of a board by country, which follows from another one
}

func (p graphPrice) of(b game.Board) int {
	switch {
	case b.OfTeams():
		return boardPrice + ofGroups
	case b.Mode.Ratings != nil:
		return p.written + settlePrice
	case !b.Derived():
		return p.written
	case isByDay(b): // what costs more for each day, beyond what a query may cost
		return cardPrice
	case b.Scope.ByCountry():
		return p.country
	case b.Period.Kind() == game.Week:
		return p.week
	}
	return p.derived
}

// graphPage is what a page of a board costs at most: its top, its total, names. A look-up
// is one less, for it asks for no total.
func graphPage(b game.Board) int {
	return graphPrice{written: 4, week: 9, derived: 10, country: 18}.of(b)
}

func graphLookup(b game.Board) int { return graphPage(b) - 1 }

// graphCardOf is what a card of a board costs at most: it looks at the period before as
// well, and has the player's own newest score.
func graphCardOf(b game.Board) int {
	return graphPrice{written: dayPrice, week: 17, derived: 18, country: countryCard}.of(b)
}

// isByDay reports whether a board is made day by day: XP weighs each mode's, and the last
// score of a period is looked for in each.
func isByDay(b game.Board) bool {
	return b.Mode.Name == game.XPMode || b.Mode.Aggregate == game.Last && b.Period.Kind() != game.Day
}

// graphDuels is what a player's newest duels cost at most: the list, each of them, and for
// each challenge whether the two may meet.
func graphDuels(most int) int { return 1 + 2*most }
