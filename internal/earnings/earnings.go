// Package earnings has the endpoints of what players have earned by playing: badges, wallets
// and spending, leagues and results.
//
// It does not know routes, other endpoints or how boards are shown. What a single play has
// earned is answered where scores are taken.
package earnings

import (
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/gate"
	"github.com/framedle/leaderboards/internal/wallet"
)

// Config is what the endpoints of players' own earnings are made of.
type Config struct {
	Game *game.Game
	Gate *gate.Keeper

	Bans    gate.Bans
	Badges  Badges
	Wallets *wallet.Wallets
	Leagues Leagues // nil: no database
	Results Results
}

// Endpoints are the endpoints of players' own earnings, each named as its route. The type
// Badges has one more, which any caller may use.
type Endpoints struct {
	GetOwnBadges, GetWallets, PostSpend, GetLeague, GetResults gate.Endpoint
}

// New makes the endpoints.
func New(c Config) Endpoints {
	ws := wallets{c.Game, c.Gate, c.Wallets, c.Bans}
	return Endpoints{
		GetOwnBadges: c.Badges.getOwn, GetWallets: ws.getWallets, PostSpend: ws.postSpend,
		GetLeague: leagues{c.Game, c.Leagues}.getLeague, GetResults: results{c.Game, c.Results}.getResults,
	}
}
