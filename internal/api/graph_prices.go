package api

import "github.com/framedle/leaderboards/internal/game"

// What a query of a graph costs at most, in billed commands, is the sum of what its parts
// cost in a process that remembers nothing. It is known before the first command: a query
// that could cost more is refused for none. TestNoQueryCostsMoreThanWasPredicted draws
// queries and holds them against it.
const (
	graphMost = 20 // one query

	graphBase    = 2  // what a process asks once in a while: who is banned, who has spent too much
	graphWritten = 4  // a page of a board that is written: its top, its total, names
	graphWeek    = 9  // of a week that is due
	graphDerived = 10 // of any other board that is due
	graphCountry = 17 // of a board by country, which follows from another one
	graphGroups  = boardPrice + ofGroups
	graphByDay   = cardPrice // what costs more for each day, beyond what a query may cost

	// A card looks at the period before as well, and has the player's own newest score.
	graphCard        = dayPrice
	graphCardWeek    = 17
	graphCardDerived = 18
	graphCardCountry = cardPrice

	graphNames   = 1
	graphFriends = 2 // see GET /v1/friends
	graphDuel    = 9 // one that has to be ended
)

// graphPage is what a page of a board costs at most; a look-up is one less, for it asks for
// no total.
func graphPage(b game.Board) int {
	switch {
	case b.OfTeams():
		return graphGroups
	case b.Mode.Ratings != nil:
		return graphWritten + settlePrice
	case !b.Derived():
		return graphWritten
	case isByDay(b):
		return graphByDay
	case b.Scope.ByCountry():
		return graphCountry
	case b.Period.Kind() == game.Week:
		return graphWeek
	}
	return graphDerived
}

func graphLookup(b game.Board) int { return graphPage(b) - 1 }

// graphCardOf is what a card of a board costs at most.
func graphCardOf(b game.Board) int {
	switch {
	case b.OfTeams():
		return graphGroups
	case b.Mode.Ratings != nil:
		return graphCard + settlePrice
	case !b.Derived():
		return graphCard
	case isByDay(b):
		return graphByDay
	case b.Scope.ByCountry():
		return graphCardCountry
	case b.Period.Kind() == game.Week:
		return graphCardWeek
	}
	return graphCardDerived
}

// isByDay reports whether a board is made day by day: XP weighs each mode's, and the last
// score of a period is looked for in each.
func isByDay(b game.Board) bool {
	return b.Mode.Name == game.XPMode || b.Mode.Aggregate == game.Last && b.Period.Kind() != game.Day
}

// graphDuels is what a player's newest duels cost at most: the list, each of them, and for
// each challenge whether the two may meet.
func graphDuels(most int) int { return 1 + 2*most }
