package api

import (
	"github.com/framedle/leaderboards/internal/game"
)

// whichBoard reads which board is meant. Only an unknown mode, and a date in no season, are
// reported at once; other faults are gathered in q.
func (k kernel) whichBoard(r *request, q *query) (game.Board, error) {
	name := r.PathValue("mode")
	mode, ok := k.game.ModeNamed(name)
	if !ok {
		return game.Board{}, unknownMode(name)
	}
	whole := name == game.XPMode || name == game.DuelMode
	kind, scope := game.Day, game.Scope{}
	if whole {
		kind = game.AllTime
	}
	var err error
	if text := q.text("period"); text != "" {
		if kind, err = game.ParsePeriodKind(text); err != nil {
			q.fault("period", err.Error())
		} else if whole && kind != game.AllTime {
			q.fault("period", "the "+name+" board has the period alltime only")
		} else if kind == game.Season && len(k.game.Seasons) == 0 {
			q.fault("period", "the game has no seasons")
		}
	}
	date := k.game.Today(k.now())
	if text := q.text("date"); text != "" {
		if date, err = game.ParseDate(text); err != nil {
			q.fault("date", err.Error())
		}
	}
	if text := q.text("scope"); text != "" {
		if scope, err = game.ParseScope(text); err != nil {
			q.fault("scope", err.Error())
		} else if scope.Kind() == game.Teams && r.PathValue("player") == "me" {
			q.fault("scope", "this board ranks groups; put the group's id in the place of me")
		} else if !mode.HasScope(scope.Kind()) {
			q.fault("scope", "the mode "+name+" keeps no boards by "+scope.Kind().String())
		}
	}
	period, ok := k.game.PeriodOf(kind, date)
	if !ok && len(q.faults) == 0 {
		return game.Board{}, unknownSeason(k.game, date)
	}
	if scope.Kind() == game.Teams && len(q.faults) == 0 {
		if err := costsMore(r.Context(), ofGroups); err != nil {
			return game.Board{}, err
		}
	}
	return game.BoardOf(mode, period, scope), nil
}
