// Package dealing has the endpoint that hands out plays. Package play makes the tokens, and
// package submission checks for which player and day a play may be.
//
// It must not know routes, other endpoints or boards. A play that was handed out is stored
// nowhere: it comes back with its score.
package dealing

import (
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/gate"
	"github.com/framedle/leaderboards/internal/play"
	"github.com/framedle/leaderboards/internal/submission"
)

// Config is what New makes the endpoint of.
type Config struct {
	Game   *game.Game
	Now    func() time.Time
	Dealer *play.Dealer
	Reader submission.Reader
}

// Endpoints are the endpoints of plays, each named after its route.
type Endpoints struct {
	PostPlay gate.Endpoint
}

// New makes the endpoints.
func New(c Config) Endpoints {
	return Endpoints{PostPlay: dealing{c.Game, c.Now, c.Dealer, c.Reader}.postPlay}
}

// dealing is the endpoint that hands out plays.
type dealing struct {
	game   *game.Game
	now    func() time.Time
	dealer *play.Dealer
	reader submission.Reader
}
