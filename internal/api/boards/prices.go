package boards

import (
	"github.com/framedle/leaderboards/internal/api/route"
	"github.com/framedle/leaderboards/internal/derive"
	"github.com/framedle/leaderboards/internal/game"
)

// Look is the price of a look at a board. Most looks are at a day's board, which is cheap:
// submissions write it directly. For other boards the endpoint reserves more, see LookPrice.
func Look(most int) route.Price { return route.Price{Most: most, Reserved: DayPrice} }

// What is reserved for a look at a board depends on the kind of board.
const (
	BoardPrice  = 30 // any board
	SettlePrice = 9  // writing down the changes of up to 2,000 ratings in a week
	CardPrice   = 35 // any card but one of a country; it reads the period before too
	CountryCard = 42 // a card of a country or region, of a week or longer
	DayPrice    = 6  // a board that submissions write
	weekPrice   = 24 // a board of a week
	rollPrice   = 70 // a board of rolling days: an own entry is worked out from up to 30
	decayPrice  = 70 // a board that decays: each of its days is read and written

	// DistributionPrice covers a board, its ends and counts, and the caller's card.
	DistributionPrice  = BoardPrice + DistributionBeside + game.MostBuckets + CountryCard
	DistributionBeside = 8

	// OfGroups is what a look at a board of groups costs more if the board is due: up to
	// derive.TeamsCommands for the members of groups, and the commands that find the groups
	// and check whether days were rolled up meanwhile.
	OfGroups = derive.TeamsCommands + 24
)

// LookPrice is how much more than DayPrice is reserved for a look at a board.
func LookPrice(b game.Board) int {
	switch {
	case b.Mode.Ratings != nil: // the first look of a week
		return SettlePrice
	case !b.Derived():
		return 0
	case b.Period.Kind() == game.Week && !b.Scope.ByCountry():
		return weekPrice - DayPrice
	case b.Period.Rolls():
		return rollPrice - DayPrice
	case b.Decays():
		return decayPrice - DayPrice
	case b.Scope.ByCountry() && b.Period.Kind() != game.Day:
		return CountryCard - DayPrice
	}
	return CardPrice - DayPrice
}
