// Package earnings has the endpoints of what players have earned by playing: badges, what is
// in their wallets and what they spend of it, their leagues, and their results.
//
// It must not know routes, other endpoints or how boards are shown: what a single play has
// earned is told where scores are taken.
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

// Endpoints are those of players' own earnings, each named as its route is. Badges have one
// besides, for whoever asks.
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
