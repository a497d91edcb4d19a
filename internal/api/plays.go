package api

import (
	"fmt"
	"net/http"

	"github.com/framedle/leaderboards/internal/answers"
	"github.com/framedle/leaderboards/internal/fields"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/gate"
	"github.com/framedle/leaderboards/internal/play"
	"github.com/framedle/leaderboards/internal/problem"
)

// plays is the endpoint that hands out plays.
type plays struct{ scores }

// playAnswer is a play, as its player has it.
type playAnswer struct {
	Play      string          `json:"play"`
	Mode      string          `json:"mode"`
	Player    string          `json:"player"`
	Date      string          `json:"date"`
	Challenge *play.Challenge `json:"challenge,omitempty"`
	ExpiresAt string          `json:"expires_at"`
}

// newPlayAnswer tells a player of a play.
func newPlayAnswer(g *game.Game, p play.Play, token string) playAnswer {
	answer := playAnswer{
		Play: token, Mode: p.Mode.Called(), Player: p.Player, Date: p.Date.String(),
		ExpiresAt: p.Expires(g.Play).UTC().Format(answers.Millis),
	}
	if c := p.Challenge; c != (play.Challenge{}) {
		answer.Challenge = &c
	}
	return answer
}

// postPlay hands out a play: POST /v1/plays.
//
// Cost: none.
func (a plays) postPlay(w http.ResponseWriter, r *gate.Request) error {
	by := submitter{Caller: r.Caller, now: a.now()}
	f := fields.Open(r.Sent, "")
	var sub game.Submission
	modeName, hasMode := f.Text("mode", true)
	player, hasPlayer := f.Text("player", by.IsServer())
	a.readDate(f, &sub, by)
	if hasPlayer && by.IsServer() {
		if err := game.ValidPlayer(player); err != nil {
			f.Fault("player", err.Error())
		}
	}
	if hasMode && game.ValidMode(modeName) != nil {
		f.Fault("mode", game.ValidMode(modeName).Error())
	}
	if err := f.Done(); err != nil {
		return err
	}
	var ok bool
	if sub.Mode, ok = a.game.ModeCalled(modeName); !ok {
		return problem.UnknownMode(modeName)
	}
	if err := a.allow(&sub, player, hasPlayer, by); err != nil {
		return err
	}
	if !sub.Mode.NeedsPlay {
		return play.NoneOf(sub.Mode)
	}
	if err := a.checkOpen(sub.Date, by); err != nil {
		return err
	}
	challenge, err := a.dealer.Challenge(sub.Mode)
	if err != nil {
		return fmt.Errorf("draw a challenge: %w", err)
	}
	dealt, token, err := a.dealer.Deal(play.Play{Mode: sub.Mode, Player: sub.Player, Date: sub.Date, At: by.now, Challenge: challenge})
	if err != nil {
		return err
	}
	return answers.JSON(w, r.Request, http.StatusCreated, newPlayAnswer(a.game, dealt, token))
}
