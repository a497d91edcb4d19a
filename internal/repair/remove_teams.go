package repair

import (
	"context"
	"slices"

	"github.com/framedle/leaderboards/internal/game"
)

// retotal works out again what the player's groups score on boards that rank groups.
func (r *removal) retotal(ctx context.Context) error {
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

// retotal does so for all groups that the player was found in.
func (r *erasure) retotal(ctx context.Context) error {
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
