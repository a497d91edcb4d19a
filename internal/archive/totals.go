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
func (a *Archive) Totals(ctx context.Context, q Query, each func([]Entry) error) error {
	rows := rowsOf(q.Mode.Aggregate, q.TrueScores)
	if q.Scope.Kind() == game.Teams {
		rows = teamRows(q.Mode)
	}
	return stream(ctx, a, "add up "+q.Mode.Name, rows,
		[]any{q.Mode.Name, q.From.Midnight(), q.To.Midnight(), scopeName(q.Scope)}, scanEntry, each)
}

// xpRows adds up XP in double precision, as Redis does it: floor(true score ×
// numerator / denominator) of each row.
//
// $1 first date, $2 last date, then modes, numerators and denominators
const xpRows = `
SELECT player, sum(floor(floor(stored) * weight.numerator / weight.denominator))
FROM results
JOIN unnest($3::text[], $4::double precision[], $5::double precision[])
     AS weight (mode, numerator, denominator) USING (mode)
WHERE date BETWEEN $1 AND $2
GROUP BY player`

// XPTotals adds up what the days from from to to gave in XP, for everybody who
// has a result in a mode that gives any. The same holds for each as with Results.
// 1 round trip.
func (a *Archive) XPTotals(ctx context.Context, modes []*game.Mode, from, to game.Date, each func([]Entry) error) error {
	var names []string
	var numerators, denominators []float64
	for _, m := range modes {
		if m.XPWeight == 0 {
			continue
		}
		names = append(names, m.Name)
		numerators = append(numerators, float64(m.XPWeight))
		denominators = append(denominators, xpScale(m))
	}
	return stream(ctx, a, "add up XP", xpRows,
		[]any{from.Midnight(), to.Midnight(), names, numerators, denominators}, scanEntry, each)
}

// xpScale is the denominator of a mode's XP: thousandths of the weight, and
// the places of the score.
func xpScale(m *game.Mode) float64 {
	scale := 1000.0
	for range m.Decimals {
		scale *= 10
	}
	return scale
}
