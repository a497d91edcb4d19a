package api

import (
	"fmt"
	"time"

	"github.com/framedle/leaderboards/internal/api/decode"
	"github.com/framedle/leaderboards/internal/api/gate"
	"github.com/framedle/leaderboards/internal/api/problem"
	"github.com/framedle/leaderboards/internal/game"
)

// WhichBoard reads which board a request means. It returns an error at once only for an
// unknown mode and for a date in no season; it collects all other faults in q.
func (s *Boards) WhichBoard(r *gate.Request, q *decode.Query) (game.Board, error) {
	asked := Asked{
		Mode: r.PathValue("mode"), Period: q.Text("period"), Date: q.Text("date"), Scope: q.Text("scope"), OfMe: r.PathValue("player") == "me",
	}
	b, err := asked.In(s.Game, s.Now(), q.Fault)
	if err != nil || !q.Sound() {
		return b, err
	}
	if b.Scope.Kind() == game.Teams {
		if err := gate.CostsMore(r.Context(), OfGroups); err != nil {
			return game.Board{}, err
		}
	}
	return b, gate.CostsMore(r.Context(), LookPrice(b))
}

// Asked is what a request says about the board that it means. Empty fields have their
// defaults.
type Asked struct {
	Mode, Period, Date, Scope string
	OfMe                      bool // the caller is looked for on it
}

// In finds the board in a game. It passes each fault with the name of the wrong field to
// fault. It returns an error for an unknown mode and, if nothing else is wrong, for a date in
// no season.
func (a Asked) In(g *game.Game, now time.Time, fault func(name, detail string)) (game.Board, error) {
	mode, ok := g.ModeNamed(a.Mode)
	if !ok {
		return game.Board{}, problem.UnknownMode(a.Mode)
	}
	faults := 0
	wrong := func(name, detail string) {
		faults++
		fault(name, detail)
	}
	whole := a.Mode == game.XPMode || a.Mode == game.DuelMode
	kind, scope := game.Day, game.Scope{}
	if whole {
		kind = game.AllTime
	}
	var err error
	if a.Period != "" {
		if kind, err = game.ParsePeriodKind(a.Period); err != nil {
			wrong("period", err.Error())
		} else if whole && kind != game.AllTime {
			wrong("period", "the "+a.Mode+" board has the period alltime only")
		} else if kind == game.Season && len(g.Seasons) == 0 {
			wrong("period", "the game has no seasons")
		} else if kind.Rolls() && !mode.Rolling {
			wrong("period", "the mode "+a.Mode+" has no rolling boards; use week or month")
		}
	}
	if a.Scope != "" {
		if scope, err = game.ParseScope(a.Scope); err != nil {
			wrong("scope", err.Error())
		} else if scope.Kind() == game.Teams && a.OfMe {
			wrong("scope", "this board ranks groups; use the group's id instead of me")
		} else if !mode.HasScope(scope.Kind()) {
			wrong("scope", "the mode "+a.Mode+" has no boards by "+scope.Kind().String())
		} else if !game.Keeps(mode, scope) {
			wrong("scope", fmt.Sprintf("the mode %s has %d levels", a.Mode, mode.Levels))
		} else if scope.Kind() == game.Teams && kind.Rolls() {
			wrong("scope", "groups are not ranked against each other over rolling days; use week or month")
		}
	}
	date := g.Today(now)
	if scope.Kind() == game.Group && mode.Computed {
		date = g.GroupToday(scope.ID(), now)
	}
	if a.Date != "" {
		if date, err = game.ParseDate(a.Date); err != nil {
			wrong("date", err.Error())
		}
	}
	period, ok := g.PeriodOf(kind, date)
	if !ok && faults == 0 {
		return game.Board{}, problem.UnknownSeason(g, date)
	}
	return game.BoardOf(mode, period, scope), nil
}
