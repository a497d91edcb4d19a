package graph

import (
	"github.com/framedle/leaderboards/internal/api"
	"github.com/framedle/leaderboards/internal/game"
)

// The price of a query, in billed commands, is an upper bound: the sum of what its parts cost
// in a process that remembers nothing. It is known before the first command, so that a query
// that could cost too much is refused at no cost. TestNoQueryCostsMoreThanWasPredicted draws
// queries and checks that none costs more than its price.
const (
	MostCommands = 22 // of one query

	graphBase    = 2 // what a process asks now and then: who is banned, who has spent too much
	graphNames   = 1
	graphFriends = 2 // see GET /v1/friends
	graphDuel    = 9 // a duel that has to be ended
)

// graphPrice is the most that a look at a board costs, by kind of board.
type graphPrice struct {
	written int // a board that submissions write
	week    int // a week that is due for a refresh
	derived int // any other board that is due
	country int // a board by country, which is made from another one
}

func (p graphPrice) boardPrice(b game.Board) int {
	switch {
	case b.OfTeams():
		return api.BoardPrice + api.OfGroups
	case b.Mode.Ratings != nil:
		return p.written + api.SettlePrice
	case !b.Derived():
		return p.written
	case isByDay(b): // its cost grows with its days, and exceeds what a query may cost
		return api.CardPrice
	case b.Scope.ByCountry():
		return p.country
	case b.Period.Kind() == game.Week:
		return p.week
	}
	return p.derived
}

// graphPage is the most that a page of a board costs: its top, its total, names. A look-up
// costs one less, because it needs no total.
func graphPage(b game.Board) int {
	return graphPrice{written: 4, week: 9, derived: 10, country: 18}.boardPrice(b)
}

func graphLookup(b game.Board) int { return graphPage(b) - 1 }

// graphCardOf is the most that a card of a board costs: it also reads the period before and
// the player's own newest score.
func graphCardOf(b game.Board) int {
	return graphPrice{written: api.DayPrice, week: 19, derived: 20, country: api.CountryCard}.boardPrice(b)
}

// isByDay reports whether a board is made by reading each day: XP weighs the days of each
// mode, and aggregate last looks for a player's last score in each day.
func isByDay(b game.Board) bool {
	return b.Mode.Name == game.XPMode || b.Mode.Aggregate == game.Last && b.Period.Kind() != game.Day
}

// graphDuels is the most that a player's newest duels cost: the list, each duel, and for each
// challenge whether the two players may meet.
func graphDuels(most int) int { return 1 + 2*most }
