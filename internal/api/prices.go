package api

import (
	"github.com/framedle/leaderboards/internal/api/gate"
	"github.com/framedle/leaderboards/internal/derive"
	"github.com/framedle/leaderboards/internal/game"
)

// What players' erasures of themselves cost is known only after a look: most requests find
// nothing, or nothing new.
const (
	erasureOf   = 15  // commands, if nothing is known of the player
	erasureMost = 510 // commands, for a player with twelve days of three modes and a group
)

const mePrice = 80 // of GET /v1/me

// viewPrice is what is held for a view in addition to its score. The boards of a view cost up
// to 30 commands more; these are counted after the answer, because holding them first would
// cost more commands than the boards usually do.
func viewPrice(g *game.Game, parts View) int {
	if parts.Has(ViewMe) {
		return MeReserved(g)
	}
	return 0
}

// MeReserved is what GET /v1/me holds before its first command. Most requests cost no more than one
// round trip. For days that are over and not taken in, the handler holds more when it comes to
// read them.
func MeReserved(g *game.Game) int {
	held := 0
	for _, m := range g.Modes {
		held++
		if m.Ties == game.Shared {
			held++
		}
	}
	if g.Day == game.Local {
		held *= game.MostOpenDates
	}
	return min(held+meBeside, mePrice)
}

const meBeside = 7 // see meSteady

// meSteady is what GET /v1/me costs: the rank in each mode; XP as last closed, its rank, and
// twice how far it goes; profile; streak; XP of duels; and in a game of which no day has closed
// whether anybody played before today.
func meSteady(g *game.Game) int {
	steady := len(g.Modes) + meBeside
	if g.DuelXP {
		steady++
	}
	return steady
}

// What a game may add to the price of a route.
const (
	// ofSeason is what an erasure costs more for each season of the game, if the player is on
	// every board of it.
	ofSeason = 60
	// ofLevel is what an erasure costs more for each level of a mode.
	ofLevel = 20
	// mostOfSeasons bounds what is held before an erasure, so that in a game of many seasons
	// it fits into a day's limit of 2,000. The rest is counted once it is known.
	mostOfSeasons = 600
)

// erasureIn is what an erasure can cost in a game.
func erasureIn(g *game.Game) int {
	more := ofSeason * len(g.Seasons)
	for _, m := range g.Modes {
		more += ofLevel * m.Levels
	}
	return erasureMost + min(more, mostOfSeasons)
}

const (
	scoreMost = 18 // of one score, without a play
	// ofPlay is what a score with a play costs more: the record of the play, the streak, and
	// the earnings.
	ofPlay = 8
)

// scorePrice is the price of one score.
func scorePrice(g *game.Game) gate.Price {
	reserved := scoreMost
	if game.HandsOutPlays(g) {
		reserved += ofPlay
	}
	return gate.Price{Most: scoreMost, Reserved: reserved}
}

// Look is the price of a look at a board. Most looks are at a day's board, which is cheap:
// submissions write it directly. For other boards the endpoint reserves more, see LookPrice.
func Look(most int) gate.Price { return gate.Price{Most: most, Reserved: DayPrice} }

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
