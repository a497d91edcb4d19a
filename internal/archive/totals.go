package archive

import (
	"context"

	"github.com/framedle/leaderboards/internal/game"
)

// Query says which days to combine for every player.
type Query struct {
	Mode     *game.Mode // whose aggregate combines them
	From, To game.Date  // both included
	Scope    game.Scope
	// TrueScores leaves tie fractions out of sums, as all time and seasons do: the fractions
	// of more than 31 days could add up to 1.
	TrueScores bool
	// Decays adds up true scores with the weights that rolling up into all time gives them,
	// oldest day first: the sum equals the rolled-up one to the last bit.
	Decays bool
}

// everyRow reads a whole board.
const everyRow = `
SELECT player, stored FROM board`

// arguments returns the arguments of a board's query.
func (q Query) arguments() []any {
	return []any{q.Mode.Name, q.From.Midnight(), q.To.Midnight(), scopeName(q.Scope), q.combined(), q.Mode.Teams.Best}
}

// combined is the query's name for the way in which days are combined.
func (q Query) combined() string {
	if q.Mode.Aggregate == game.Sum && q.TrueScores {
		return "true sum"
	}
	return string(q.Mode.Aggregate)
}

// Totals combines the days of a mode as package board does, for every player with a result, in
// no order and without ranks. It calls each as [Results.OfDay] does.
// 1 round trip; 2 with decay.
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

// XPTotals adds up the XP of the days from from to to, for every player with a result in a
// mode that gives XP. It calls each as [Results.OfDay] does.
// 1 round trip.
func (a Results) XPTotals(ctx context.Context, modes []*game.Mode, from, to game.Date, each func([]game.Entry) error) error {
	args := append([]any{from.Midnight(), to.Midnight()}, xpArguments(modes)...)
	return stream(ctx, a.db, "add up XP", xpRows, args, scanEntry, each)
}
