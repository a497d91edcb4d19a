package archive

import (
	"context"

	"github.com/framedle/leaderboards/internal/game"
)

// Query says which days are combined for everybody.
type Query struct {
	Mode     *game.Mode // whose aggregate combines them
	From, To game.Date  // both included
	Scope    game.Scope
	// TrueScores leaves tie fractions out of sums, as all time and seasons do: more than
	// 31 days' fractions could reach 1.
	TrueScores bool
}

// Totals combines the days of a mode as package board does, for everybody who
// has a result, in no order and without ranks. The same holds for each as with
// Results.
// 1 round trip.
func (a Results) Totals(ctx context.Context, q Query, each func([]Entry) error) error {
	rows := rowsOf(q.Mode.Aggregate, q.TrueScores)
	if q.Scope.Kind() == game.Teams {
		rows = teamRows(q.Mode)
	}
	return stream(ctx, a.db, "add up "+q.Mode.Name, rows,
		[]any{q.Mode.Name, q.From.Midnight(), q.To.Midnight(), scopeName(q.Scope)}, scanEntry, each)
}

// XPTotals adds up what the days from from to to gave in XP, for everybody who
// has a result in a mode that gives any. The same holds for each as with [Results.OfDay].
// 1 round trip.
func (a Results) XPTotals(ctx context.Context, modes []*game.Mode, from, to game.Date, each func([]Entry) error) error {
	args := append([]any{from.Midnight(), to.Midnight()}, xpArguments(modes)...)
	return stream(ctx, a.db, "add up XP", xpRows, args, scanEntry, each)
}
