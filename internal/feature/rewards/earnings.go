// Package rewards has the endpoints of what players have earned by playing: badges, wallets
// and spending, leagues and results.
//
// It does not know other endpoints or how boards are shown. What a single play has
// earned is answered where scores are taken.
package rewards

import (
	"github.com/framedle/leaderboards/internal/api/gate"
	"github.com/framedle/leaderboards/internal/api/limit"
	"github.com/framedle/leaderboards/internal/api/route"
	"github.com/framedle/leaderboards/internal/control"
	"github.com/framedle/leaderboards/internal/feature/wallet"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lifecycle/playerdata"
)

// Endpoints are the endpoints of players' own earnings, each named as its route. Those of
// badges are methods of Badges.
type Endpoints struct {
	Game *game.Game
	Gate *gate.Keeper

	Notices *control.Notices
	Wallets *wallet.Wallets
	Leagues Leagues // nil: no database
	Results *playerdata.Service
}

// Routes are the routes of players' own earnings.
func (e Endpoints) Routes() []route.Route {
	return []route.Route{
		// Steady: without a database; with one 1 for each mode and date that takes scores.
		{Function: "me", Pattern: "GET /v1/me/results", Auth: gate.AnyPlayer, Limit: limit.Boards,
			Price: route.Price{Most: resultsPrice, Reserved: resultsReserved(e.Game)}, Steady: 40, Serve: e.GetResults},
		{Function: "me", Pattern: "GET /v1/leagues/me", Auth: gate.AnyPlayer, Limit: limit.Boards,
			Price: route.Price{Most: leaguePrice, Reserved: leagueReserved}, Steady: leagueSteady(e.Game), Serve: gate.NoQuery(e.GetLeague)},
		// Steady: in a game without currencies.
		{Function: "me", Pattern: "GET /v1/me/wallets", Auth: gate.AnyPlayer, Limit: limit.Boards,
			Price: route.UpTo(walletPrice), Serve: gate.NoQuery(e.GetWallets)},
		{Function: "me", Pattern: "POST /v1/me/wallets/{currency}/spend", Auth: gate.PlayerOrServer, Limit: limit.Purchases, Body: gate.Required,
			Price: route.UpTo(spendPrice), Keyed: true, BlockedInMaintenance: true, Serve: e.PostSpend},
	}
}

// What a player's own earnings cost, in billed commands.
const (
	walletPrice = 60 // a currency that four modes earn, before the first closing
	spendPrice  = 60

	resultsPrice = 80

	// If a week's XP is due for a refresh, a player's own league adds up the days of the week
	// that are not taken in.
	leaguePrice    = 80
	leagueReserved = 6
)

// resultsReserved is what GET /v1/me/results reserves before its first command. Most requests
// cost one command for each mode and open date.
func resultsReserved(g *game.Game) int {
	reserved := len(g.Modes)
	if g.Day == game.Local {
		reserved *= game.MostOpenDates
	}
	return min(reserved, resultsPrice)
}

// leagueSteady is for a player whose cohort the process knows: 0 if the process has read that
// cohort in the last 30 s.
func leagueSteady(g *game.Game) int {
	if g.Leagues == nil {
		return 0
	}
	return 2
}
