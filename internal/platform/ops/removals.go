package ops

import (
	"fmt"
	"net/http"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/framedle/leaderboards/internal/api/decode"
	"github.com/framedle/leaderboards/internal/api/gate"
	"github.com/framedle/leaderboards/internal/api/problem"
	"github.com/framedle/leaderboards/internal/api/respond"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lifecycle"
)

// removing are the endpoints with which the operator takes players and scores out.
type removing struct{ Config }

// act is the act of a request in the audit.
func act(r *gate.Request, now time.Time) lifecycle.Act {
	return lifecycle.ActOf(r.Header.Get(respond.RequestID), r.Caller.Operator.Actor(), now)
}

// removalAnswer says what a removal did.
type removalAnswer struct {
	Player  string   `json:"player"`
	Boards  int      `json:"boards"`
	Results int64    `json:"results"`
	Left    []string `json:"left"`
	Known   *bool    `json:"known,omitempty"` // of an erasure: whether anything was known of the player
}

func writeRemoval(w http.ResponseWriter, r *gate.Request, player string, did lifecycle.Report) error {
	left := did.Left
	if left == nil {
		left = []string{}
	}
	return respond.JSON(w, r.Request, http.StatusOK, removalAnswer{Player: player, Boards: did.Boards, Results: did.Results, Left: left})
}

// WriteErasure answers with the result of the erasure of a player.
func WriteErasure(w http.ResponseWriter, r *gate.Request, player string, did lifecycle.Report) error {
	known := !did.Unknown
	return respond.JSON(w, r.Request, http.StatusOK, removalAnswer{
		Player: player, Boards: did.Boards, Results: did.Results, Left: []string{}, Known: &known,
	})
}

// pathPlayer reads the player in the path, and refuses parameters.
func pathPlayer(r *gate.Request) (string, error) {
	q := decode.OpenQuery(r.URL)
	player := r.PathValue("player")
	if err := game.ValidPlayer(player); err != nil {
		q.PathFault("player", err.Error())
	}
	return player, q.Done()
}

// maxReason is the length of a ban's reason in characters.
const maxReason = 500

// PutBan bans a player: PUT /v1/ops/bans/{player}.
func (o removing) PutBan(w http.ResponseWriter, r *gate.Request) error {
	player, err := pathPlayer(r)
	if err != nil {
		return err
	}
	f := decode.Open(r.Sent, "")
	reason, _ := f.Text("reason", decode.Optional)
	if utf8.RuneCountInString(reason) > maxReason || strings.ContainsRune(reason, 0) {
		f.Fault("reason", fmt.Sprintf("this must be up to %d characters, without NUL", maxReason))
	}
	if err := f.Done(); err != nil {
		return err
	}
	if err := o.Notices.MayWrite(r.Context()); err != nil {
		return err
	}
	did, err := o.Removals.Ban(r.Context(), player, reason, act(r, o.Now()))
	if err != nil {
		return err
	}
	return writeRemoval(w, r, player, did)
}

// DeleteBan ends a ban: DELETE /v1/ops/bans/{player}.
func (o removing) DeleteBan(w http.ResponseWriter, r *gate.Request) error {
	player, err := pathPlayer(r)
	if err != nil {
		return err
	}
	if err := o.Notices.MayWrite(r.Context()); err != nil {
		return err
	}
	if err := o.Removals.Unban(r.Context(), player, act(r, o.Now())); err != nil {
		return err
	}
	return writeRemoval(w, r, player, lifecycle.Report{})
}

// DeletePlayer erases a player: DELETE /v1/ops/players/{player}.
func (o removing) DeletePlayer(w http.ResponseWriter, r *gate.Request) error {
	player, err := pathPlayer(r)
	if err != nil {
		return err
	}
	if err := o.Notices.MayWrite(r.Context()); err != nil {
		return err
	}
	did, err := o.Removals.Erase(r.Context(), player, act(r, o.Now()))
	if err != nil {
		return err
	}
	return WriteErasure(w, r, player, did)
}

// DeleteScore removes one score: DELETE /v1/ops/scores.
func (o removing) DeleteScore(w http.ResponseWriter, r *gate.Request) error {
	f := decode.Open(r.Sent, "")
	modeName, hasMode := f.Text("mode", decode.Required)
	date, hasDate := f.Text("date", decode.Required)
	player, hasPlayer := f.Text("player", decode.Required)
	if hasMode && game.ValidMode(modeName) != nil {
		f.Fault("mode", game.ValidMode(modeName).Error())
	}
	var d game.Date
	if hasDate {
		var err error
		if d, err = game.ParseDate(date); err != nil {
			f.Fault("date", err.Error())
		}
	}
	if hasPlayer && game.ValidPlayer(player) != nil {
		f.Fault("player", game.ValidPlayer(player).Error())
	}
	if err := f.Done(); err != nil {
		return err
	}
	m, ok := o.Game.ModeCalled(modeName)
	if !ok {
		return problem.UnknownMode(modeName)
	}
	if m.Computed {
		f.Fault("mode", "its scores are computed from activity, and the next compute would restore them; ban the player")
		return f.Done()
	}
	if err := o.Notices.MayWrite(r.Context()); err != nil {
		return err
	}
	did, err := o.Removals.Score(r.Context(), m, d, player, act(r, o.Now()))
	if err != nil {
		return err
	}
	return writeRemoval(w, r, player, did)
}
