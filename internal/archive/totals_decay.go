package archive

import (
	"context"

	"github.com/framedle/leaderboards/internal/game"
)

// A board that decays is a sum of float64s, so the order of adding decides the last bits.
// Rolling up adds the oldest day first, and these queries do the same.
const (
	// decayedBoard is periodBoard with true scores and weights.
	//
	// $1 to $4 as in every board, $5 the weights of days, $6 the date of the first weight
	decayedBoard = `
WITH board AS (
    SELECT player, sum(floor(stored) * weight ORDER BY date) AS stored
    FROM (
        SELECT player, date, ($5::float8[])[date - $6::date + 1] AS weight,
            CASE WHEN $4::text = '' THEN stored ELSE coalesce(scoped_stored[array_position(scopes, $4)], stored) END AS stored
        FROM results
        WHERE mode = $1::text AND date BETWEEN $2::date AND $3::date AND ($4 = '' OR $4 = ANY (scopes))
    ) AS days
    GROUP BY player
)`

	// decayedGroupRows reads the players of all groups, as decayedBoard those of one.
	//
	// $1 mode, $2 first date, $3 last date, $4 the weights of days, $5 the date of the first
	// weight
	decayedGroupRows = `
SELECT scope, player, sum(floor(stored) * weight ORDER BY date) AS stored
FROM (
    SELECT scope, player, date, ($4::float8[])[date - $5::date + 1] AS weight, coalesce(scoped_stored[slot], stored) AS stored
    FROM results CROSS JOIN unnest(scopes) WITH ORDINALITY AS counted (scope, slot)
    WHERE mode = $1::text AND date BETWEEN $2::date AND $3::date AND starts_with(scope, 'group:')
) AS days
GROUP BY scope, player ORDER BY scope`
)

// weights returns the weights of all days that a query can meet, and the date of the first.
// 1 round trip.
func (a Results) weights(ctx context.Context, q Query) (arguments []any, err error) {
	var first game.Date
	err = a.db.change(ctx, "find the oldest day of "+q.Mode.Name, `
SELECT coalesce(min(date), $3::date) FROM results WHERE mode = $1::text AND date BETWEEN $2::date AND $3`,
		[]any{q.Mode.Name, q.From.Midnight(), q.To.Midnight()}, &first)
	if err != nil {
		return nil, err
	}
	weights := []float64{}
	for d := first; !d.After(q.To); d = d.AddDays(1) {
		weights = append(weights, q.Mode.Decay.Weight(d))
	}
	return []any{weights, first.Midnight()}, nil
}
