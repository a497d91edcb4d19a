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
	// Decays has true scores added up with the weights that they have in what is rolled up
	// into all time, oldest day first: to the last bit what rolling up has come to.
	Decays bool
}

// everyRow is a whole board.
const everyRow = `
SELECT player, stored FROM board`

// arguments are those of a board.
func (q Query) arguments() []any {
	return []any{q.Mode.Name, q.From.Midnight(), q.To.Midnight(), scopeName(q.Scope), q.combined(), q.Mode.Teams.Best}
}

// combined is how a query names the way in which days are combined.
func (q Query) combined() string {
	if q.Mode.Aggregate == game.Sum && q.TrueScores {
		return "true sum"
	}
	return string(q.Mode.Aggregate)
}

// Totals combines the days of a mode as package board does, for everybody who
// has a result, in no order and without ranks. The same holds for each as with
// [Results.OfDay].
// 1 round trip; 2 where they decay.
func (a Results) Totals(ctx context.Context, q Query, each func([]game.Entry) error) error {
	board, args := periodBoard, q.arguments()
	if q.Decays {
		weights, err := a.weights(ctx, q)
		if err != nil {
			return err
		}
		board, args = decayedBoard, append(args[:4], weights...)
	}
	if q.Scope.Kind() == game.Teams {
		board = groupsBoard
	}
	return stream(ctx, a.db, "add up "+q.Mode.Name, board+everyRow, args, scanEntry, each)
}

// XPTotals adds up what the days from from to to gave in XP, for everybody who
// has a result in a mode that gives any. The same holds for each as with [Results.OfDay].
// 1 round trip.
func (a Results) XPTotals(ctx context.Context, modes []*game.Mode, from, to game.Date, each func([]game.Entry) error) error {
	args := append([]any{from.Midnight(), to.Midnight()}, xpArguments(modes)...)
	return stream(ctx, a.db, "add up XP", xpRows, args, scanEntry, each)
}
