// Package rewards has the endpoints of what players have earned by playing: badges, wallets
// and spending, leagues and results.
//
// It does not know routes, other endpoints or how boards are shown. What a single play has
// earned is answered where scores are taken.
package rewards

import (
	"github.com/framedle/leaderboards/internal/api/gate"
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
