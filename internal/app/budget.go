package app

import (
	"context"
	"fmt"
	"log/slog"

	"github.com/framedle/leaderboards/internal/budget"
)

// newGuard makes the guard of the game's budget. It logs each change of its measures.
func newGuard(p Parts) *budget.Guard {
	return budget.New(p.Game.Budget, p.Now, func(c budget.Change) {
		p.Log.LogAttrs(context.Background(), slog.LevelWarn, "the budget's measures have changed",
			slog.Int("level", c.To.Level()), slog.String("degraded", c.To.String()), slog.String("before", c.From.String()),
			slog.String("pace", fmt.Sprintf("%.1f%%", 100*c.Pace)),
			slog.Int64("today", c.Spent.Today), slog.Int64("month_before", c.Spent.Before), slog.Int64("budget", p.Game.Budget.Month))
	})
}
