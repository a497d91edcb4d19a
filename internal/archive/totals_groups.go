package archive

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/framedle/leaderboards/internal/game"
)

// groupRows reads the players of all groups, as periodBoard those of one.
//
// $1 mode, $2 first date, $3 last date, $4 how days are combined
const groupRows = `
SELECT scope, player, CASE $4::text
    WHEN 'max' THEN max(stored) WHEN 'min' THEN min(stored)
    WHEN 'last' THEN (array_agg(stored ORDER BY date DESC))[1]
    WHEN 'true sum' THEN sum(floor(stored)) ELSE sum(stored)
END AS stored
FROM (
    SELECT scope, player, date, coalesce(scoped_stored[slot], stored) AS stored
    FROM results CROSS JOIN unnest(scopes) WITH ORDINALITY AS counted (scope, slot)
    WHERE mode = $1::text AND date BETWEEN $2::date AND $3::date AND (starts_with(scope, 'group:') OR starts_with(scope, 'level:'))
) AS days
GROUP BY scope, player ORDER BY scope`

// GroupTotals is [Results.Totals] for every group, one after the other; it ignores the query's
// scope. Each call of each gets one whole group.
// 1 round trip; 2 with decay.
func (a Results) GroupTotals(ctx context.Context, q Query, each func(game.Scope, map[string]float64) error) error {
	type entry struct {
		Scope, Player string
		Stored        float64
	}
	group, all := "", map[string]float64{}
	give := func() error {
		if len(all) == 0 {
			return nil
		}
		scope, err := game.ParseScope(group)
		if err != nil {
			return err
		}
		err = each(scope, all)
		all = map[string]float64{}
		return err
	}
	rows, args := groupRows, []any{q.Mode.Name, q.From.Midnight(), q.To.Midnight(), q.combined()}
	if q.Decays {
		weights, err := a.weights(ctx, q)
		if err != nil {
			return err
		}
		rows, args = decayedGroupRows, append(args[:3], weights...)
	}
	err := stream(ctx, a.db, "add up the groups of "+q.Mode.Name, rows, args, pgx.RowToStructByName[entry],
		func(entries []entry) error {
			for _, e := range entries {
				if e.Scope != group {
					if err := give(); err != nil {
						return err
					}
					group = e.Scope
				}
				all[e.Player] = e.Stored
			}
			return nil
		})
	if err != nil {
		return err
	}
	return give()
}
