package api

import (
	"fmt"
	"time"

	"github.com/framedle/leaderboards/internal/api/decode"
	"github.com/framedle/leaderboards/internal/api/gate"
	"github.com/framedle/leaderboards/internal/api/problem"
	"github.com/framedle/leaderboards/internal/game"
)

// whichBoard reads which board a request means. It returns an error at once only for an
// unknown mode and for a date in no season; it collects all other faults in q.
func (s boards) whichBoard(r *gate.Request, q *decode.Query) (game.Board, error) {
	asked := askedBoard{
		mode: r.PathValue("mode"), period: q.Text("period"), date: q.Text("date"), scope: q.Text("scope"), ofMe: r.PathValue("player") == "me",
	}
	b, err := asked.in(s.Game, s.Now(), q.Fault)
	if err != nil || !q.Sound() {
		return b, err
	}
	if b.Scope.Kind() == game.Teams {
		if err := gate.CostsMore(r.Context(), ofGroups); err != nil {
			return game.Board{}, err
		}
	}
	return b, gate.CostsMore(r.Context(), lookPrice(b))
}

// askedBoard is what a request says about the board that it means. Empty fields have their
// defaults.
type askedBoard struct {
	mode, period, date, scope string
	ofMe                      bool // the caller is looked for on it
}

// in finds the board in a game. It passes each fault with the name of the wrong field to
// fault. It returns an error for an unknown mode and, if nothing else is wrong, for a date in
// no season.
func (a askedBoard) in(g *game.Game, now time.Time, fault func(name, detail string)) (game.Board, error) {
	mode, ok := g.ModeNamed(a.mode)
	if !ok {
		return game.Board{}, problem.UnknownMode(a.mode)
	}
	faults := 0
	wrong := func(name, detail string) {
		faults++
		fault(name, detail)
	}
	whole := a.mode == game.XPMode || a.mode == game.DuelMode
	kind, scope := game.Day, game.Scope{}
	if whole {
		kind = game.AllTime
	}
	var err error
	if a.period != "" {
		if kind, err = game.ParsePeriodKind(a.period); err != nil {
			wrong("period", err.Error())
		} else if whole && kind != game.AllTime {
			wrong("period", "the "+a.mode+" board has the period alltime only")
		} else if kind == game.Season && len(g.Seasons) == 0 {
			wrong("period", "the game has no seasons")
		} else if kind.Rolls() && !mode.Rolling {
			wrong("period", "the mode "+a.mode+" keeps no boards of rolling days; use week or month")
		}
	}
	if a.scope != "" {
		if scope, err = game.ParseScope(a.scope); err != nil {
			wrong("scope", err.Error())
		} else if scope.Kind() == game.Teams && a.ofMe {
			wrong("scope", "this board ranks groups; put the group's id in the place of me")
		} else if !mode.HasScope(scope.Kind()) {
			wrong("scope", "the mode "+a.mode+" keeps no boards by "+scope.Kind().String())
		} else if !game.Keeps(mode, scope) {
			wrong("scope", fmt.Sprintf("the mode %s has %d levels", a.mode, mode.Levels))
		} else if scope.Kind() == game.Teams && kind.Rolls() {
			wrong("scope", "groups are not ranked against each other over rolling days; use week or month")
		}
	}
	date := g.Today(now)
	if scope.Kind() == game.Group && g.Activity.Computes(mode) {
		date = g.Activity.Today(scope.ID(), now)
	}
	if a.date != "" {
		if date, err = game.ParseDate(a.date); err != nil {
			wrong("date", err.Error())
		}
	}
	period, ok := g.PeriodOf(kind, date)
	if !ok && faults == 0 {
		return game.Board{}, problem.UnknownSeason(g, date)
	}
	return game.BoardOf(mode, period, scope), nil
}
