package play

import (
	"fmt"
	"net/http"
	"time"

	"github.com/framedle/leaderboards/internal/api"
	"github.com/framedle/leaderboards/internal/api/gate"
	"github.com/framedle/leaderboards/internal/api/limit"
	"github.com/framedle/leaderboards/internal/api/respond"
	"github.com/framedle/leaderboards/internal/game"
)

// Endpoints hand out plays.
type Endpoints struct {
	Game   *game.Game
	Now    func() time.Time
	Dealer *Dealer
	Reader api.Reader
	Queued bool // scores are written later, so that no play could be sent in
}

// Routes are the routes of plays.
func (d Endpoints) Routes() []gate.Route {
	return []gate.Route{
		{Function: "submit", Pattern: "POST /v1/plays", Auth: gate.AnyPlayerOrServer, Limit: limit.Boards, Body: gate.Required, Serve: d.PostPlay},
	}
}

// playAnswer is a play as its player gets it.
type playAnswer struct {
	Play      string     `json:"play"`
	Mode      string     `json:"mode"`
	Player    string     `json:"player"`
	Date      string     `json:"date"`
	Challenge *Challenge `json:"challenge,omitempty"`
	ExpiresAt string     `json:"expires_at"`
}

// newPlayAnswer describes a play to its player.
func newPlayAnswer(g *game.Game, p Play, token string) playAnswer {
	answer := playAnswer{
		Play: token, Mode: p.Mode.Called(), Player: p.Player, Date: p.Date.String(),
		ExpiresAt: p.Expires(g.Play).UTC().Format(respond.Millis),
	}
	if c := p.Challenge; c != (Challenge{}) {
		answer.Challenge = &c
	}
	return answer
}

// PostPlay hands out a play: POST /v1/plays.
//
// Cost: none.
func (d Endpoints) PostPlay(w http.ResponseWriter, r *gate.Request) error {
	by := api.Sender{Caller: r.Caller, Now: d.Now()}
	of, err := d.Reader.ReadEntry(r.Sent, by)
	if err != nil {
		return err
	}
	if !of.Mode.NeedsPlay {
		return NoneOf(of.Mode)
	}
	if d.Queued {
		return Refuse(NotTaken, api.WrittenLater)
	}
	if err := d.Reader.CheckOpen(of.Date, by); err != nil {
		return err
	}
	challenge, err := d.Dealer.Challenge(of.Mode)
	if err != nil {
		return fmt.Errorf("draw a challenge: %w", err)
	}
	dealt, token, err := d.Dealer.Deal(Play{Mode: of.Mode, Player: of.Player, Date: of.Date, At: by.Now, Challenge: challenge})
	if err != nil {
		return err
	}
	return respond.JSON(w, r.Request, http.StatusCreated, newPlayAnswer(d.Game, dealt, token))
}
