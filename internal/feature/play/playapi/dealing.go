// Package playapi has the endpoint that hands out plays. Package play makes the tokens, and
// package submission checks for which player and day a play may be.
//
// It must not know other endpoints or boards. A play that was handed out is stored
// nowhere: it comes back with its score.
package playapi

import (
	"time"

	"github.com/framedle/leaderboards/internal/api/gate"
	"github.com/framedle/leaderboards/internal/api/limit"
	"github.com/framedle/leaderboards/internal/api/route"
	"github.com/framedle/leaderboards/internal/api/submission"
	"github.com/framedle/leaderboards/internal/feature/play"
	"github.com/framedle/leaderboards/internal/game"
)

// Endpoints are the endpoints of plays, each named after its route.
type Endpoints struct {
	Game   *game.Game
	Now    func() time.Time
	Dealer *play.Dealer
	Reader submission.Reader
}

// Routes are the routes of plays.
func (d Endpoints) Routes() []route.Route {
	return []route.Route{
		{Function: "submit", Pattern: "POST /v1/plays", Auth: gate.AnyPlayerOrServer, Limit: limit.Boards, Body: gate.Required, Serve: d.PostPlay},
	}
}
