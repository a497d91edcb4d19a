package playapi

import (
	"fmt"
	"net/http"

	"github.com/framedle/leaderboards/internal/api/gate"
	"github.com/framedle/leaderboards/internal/api/respond"
	"github.com/framedle/leaderboards/internal/api/submission"
	"github.com/framedle/leaderboards/internal/feature/play"
	"github.com/framedle/leaderboards/internal/game"
)

// playAnswer is a play as its player gets it.
type playAnswer struct {
	Play      string          `json:"play"`
	Mode      string          `json:"mode"`
	Player    string          `json:"player"`
	Date      string          `json:"date"`
	Challenge *play.Challenge `json:"challenge,omitempty"`
	ExpiresAt string          `json:"expires_at"`
}

// newPlayAnswer describes a play to its player.
func newPlayAnswer(g *game.Game, p play.Play, token string) playAnswer {
	answer := playAnswer{
		Play: token, Mode: p.Mode.Called(), Player: p.Player, Date: p.Date.String(),
		ExpiresAt: p.Expires(g.Play).UTC().Format(respond.Millis),
	}
	if c := p.Challenge; c != (play.Challenge{}) {
		answer.Challenge = &c
	}
	return answer
}

// PostPlay hands out a play: POST /v1/plays.
//
// Cost: none.
func (d Endpoints) PostPlay(w http.ResponseWriter, r *gate.Request) error {
	by := submission.Sender{Caller: r.Caller, Now: d.Now()}
	of, err := d.Reader.ReadEntry(r.Sent, by)
	if err != nil {
		return err
	}
	if !of.Mode.NeedsPlay {
		return play.NoneOf(of.Mode)
	}
	if err := d.Reader.CheckOpen(of.Date, by); err != nil {
		return err
	}
	challenge, err := d.Dealer.Challenge(of.Mode)
	if err != nil {
		return fmt.Errorf("draw a challenge: %w", err)
	}
	dealt, token, err := d.Dealer.Deal(play.Play{Mode: of.Mode, Player: of.Player, Date: of.Date, At: by.Now, Challenge: challenge})
	if err != nil {
		return err
	}
	return respond.JSON(w, r.Request, http.StatusCreated, newPlayAnswer(d.Game, dealt, token))
}
