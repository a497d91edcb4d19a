package lifecycle

import (
	"context"
	"slices"

	"github.com/framedle/leaderboards/internal/game"
)

// teamsRework works out again what the groups of a removal's player score on boards that rank
// groups.
type teamsRework struct{ *removal }

func (r teamsRework) run(ctx context.Context) error {
	for _, t := range r.modes {
		var periods []game.Period
		for _, d := range t.dates {
			periods = append(append(periods, game.Day.Of(d)), game.BoardsOf(r.rp.DB.Game, t.mode, d)...)
		}
		var groups []game.Scope
		for scope := range t.scopes {
			if scope.Kind() == game.Group {
				groups = append(groups, scope)
			}
		}
		if err := r.rp.Rollup.Retotal(ctx, t.mode, periods, groups); err != nil {
			return err
		}
	}
	return nil
}

// teamsErasure does so for all groups that an erased player was found in.
type teamsErasure struct{ *erasure }

func (r teamsErasure) run(ctx context.Context) error {
	for _, m := range r.rp.DB.Game.Modes {
		var periods []game.Period
		var groups []game.Scope
		for _, at := range r.spots {
			if at.mode != m || at.scope.Kind() != game.Group {
				continue
			}
			if !at.rolledUp {
				periods = append(periods, at.period)
			}
			periods = append(periods, r.periodsFrom(at)...)
			if !slices.Contains(groups, at.scope) {
				groups = append(groups, at.scope)
			}
		}
		if err := r.rp.Rollup.Retotal(ctx, m, periods, groups); err != nil {
			return err
		}
	}
	return nil
}
