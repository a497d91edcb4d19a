package api

import (
	"strings"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/rollup"
	"github.com/framedle/leaderboards/internal/submission"
	"github.com/framedle/leaderboards/internal/world"
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
	erasureMost = 420 // commands, for a player with twelve days of three modes and a group
)

// What is held for a look at a board goes by the board: most looks are at the day's,
// which is written as scores come in.
const (
	boardPrice  = 30 // any board
	settlePrice = 9  // writing down what a week has taken of up to 2,000 ratings
	cardPrice   = 35 // any card but one of a country, which looks at the period before too
	countryCard = 40 // one of a country's or a region's week, or of what is longer
	dayPrice    = 6  // a board that is written
	weekPrice   = 24 // one of a week
	rollPrice   = 70 // one of rolling days: an own entry is worked out from up to 30
	decayPrice  = 70 // one that decays: it is made of each of its days, read and written
	mePrice     = 80
	boardsRoute = " /v1/leaderboards/"
	liveRoute   = " /v1/live/{mode}"
	walletPrice = 60 // a currency that four modes earn, before the first closing of all
	spendPrice  = 60

	presencePrice = 3

	// distributionPrice is a board, its ends and counts, and the caller's card.
	distributionPrice  = boardPrice + distributionBeside + game.MostBuckets + countryCard
	distributionBeside = 8
	// worldPrice is a page, what it was made of, names of each other site, and the
	// caller's card and place.
	worldPrice = 6 + 2 + world.MostSites - 1 + cardPrice + 4
	feedPrice  = 8 // the outbox, who stands, names, and the top of a day
)

// lookPrice is how much more than dayPrice is held for a look at a board.
func lookPrice(b game.Board) int {
	switch {
	case b.Mode.Ratings != nil: // the first look of a week
		return settlePrice
	case !b.Derived():
		return 0
	case b.Period.Kind() == game.Week && !b.Scope.ByCountry():
		return weekPrice - dayPrice
	case b.Period.Rolls():
		return rollPrice - dayPrice
	case b.Decays():
		return decayPrice - dayPrice
	case b.Scope.ByCountry() && b.Period.Kind() != game.Day:
		return countryCard - dayPrice
	}
	return cardPrice - dayPrice
}

// worldBoard is the route of boards that sites merge, which is dear for those alone who
// ask as themselves.
const worldBoard = "GET /v1/leaderboards/{mode}/world"

// viewPrice is what is held for a view beside its score. Its boards cost up to 25
// commands more than is held for the score, and those are counted when it has been
// answered: to ask before would cost more than it shows on an ordinary day.
func viewPrice(g *game.Game, parts submission.View) int {
	if parts.Has(submission.ViewMe) {
		return meHeld(g)
	}
	return 0
}

// ownData is the route by which players read what they have in the game as a whole.
// Most who ask cost no more than one round trip; days that are over and not closed are
// held for when they are asked for.
const ownData = "GET /v1/me"

// meHeld is what is held for it first, for a process that knows nothing.
func meHeld(g *game.Game) int {
	held := 0
	for _, m := range g.Modes {
		held++
		if m.Ties == game.Shared {
			held++
		}
	}
	if g.Day == game.Local {
		held *= mostOpenDates
	}
	return min(held+meBeside, mePrice)
}

// ownResults is the route by which players read their own results. Most who ask cost
// a command for each mode and date that takes scores.
const (
	ownResults   = "GET /v1/me/results"
	resultsPrice = 80
)

// ownLeague is the route by which players read their own league. Whoever finds the
// week's XP due adds up the days of the week that are not closed.
const (
	ownLeague   = "GET /v1/leagues/me"
	leaguePrice = 80
	leagueHeld  = 6
)

// resultsHeld is what is held for it first.
func resultsHeld(g *game.Game) int {
	held := len(g.Modes)
	if g.Day == game.Local {
		held *= mostOpenDates
	}
	return min(held, resultsPrice)
}

const (
	mostOpenDates = 3 // where everybody has their own midnight
	meBeside      = 7 // see meBudget; a process that knows nothing asks one more
)

// What a game may add to the price of a route.
const (
	// ofGroups is what a look at a board of groups that is due costs more: the
	// members of groups, up to so many commands, what finds the groups, and what asks
	// whether days were rolled up meanwhile.
	ofGroups = rollup.TeamsCommands + 24
	// ofSeason is what an erasure costs more for each season of the game, for a
	// player who is on everything in it.
	ofSeason = 35
	// ofLevel is the same for each level of a mode that the player has played.
	ofLevel = 20
	// mostOfSeasons bounds what is asked for before an erasure, so that it fits into
	// a day's limit of 2,000 in a game of many seasons; the rest is counted when it
	// is known.
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

// ofPlay is what a score costs more that comes with a play: the record of the play, the
// streak, and what it earns.
const ofPlay = 8

// held is what is held for a request of a route before its first command.
func (r route) held(g *game.Game) int {
	switch {
	case r.pattern == ownData:
		return meHeld(g)
	case r.pattern == ownLeague:
		return leagueHeld
	case r.pattern == ownResults:
		return resultsHeld(g)
	case r.pattern == "POST /v1/scores" && game.HandsOutPlays(g):
		return r.cost + ofPlay
	case r.pattern == erasing:
		return erasureOf
	case strings.HasSuffix(r.pattern, " "+graphPath): // what a query costs is held when it is known
		return 0
	case r.pattern == worldBoard:
		return r.cost
	case strings.Contains(r.pattern, boardsRoute), strings.Contains(r.pattern, liveRoute):
		return dayPrice
	}
	return r.cost
}
