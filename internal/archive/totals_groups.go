package archive

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/framedle/leaderboards/internal/game"
)

// Rows of groups, as those of boards are read, for all groups at once.
//
// $1 mode, $2 first date, $3 last date
const (
	groupDays = ` FROM results, unnest(scopes) WITH ORDINALITY AS counted (scope, place)
WHERE mode = $1 AND date BETWEEN $2 AND $3 AND scope LIKE 'group:%'`
	groupStands = `coalesce(scoped_stored[place], stored)`
	byGroup     = ` GROUP BY scope, player ORDER BY scope`
)

// groupRows are a period's rows under an aggregate; floor leaves out tie fractions.
func groupRows(a game.Aggregate, floor bool) string {
	switch {
	case a == game.Max:
		return `SELECT scope, player, max(` + groupStands + `)` + groupDays + byGroup
	case a == game.Min:
		return `SELECT scope, player, min(` + groupStands + `)` + groupDays + byGroup
	case a == game.Last:
		return `SELECT DISTINCT ON (scope, player) scope, player, ` + groupStands + groupDays + ` ORDER BY scope, player, date DESC`
	case floor:
		return `SELECT scope, player, sum(floor(` + groupStands + `))` + groupDays + byGroup
	}
	return `SELECT scope, player, sum(` + groupStands + `)` + groupDays + byGroup
}

// GroupTotals is [Results.Totals] for every group at once, one after the other;
// the query's scope says nothing. Each is given a group whole.
// 1 round trip.
func (a Results) GroupTotals(ctx context.Context, q Query, each func(game.Scope, map[string]float64) error) error {
	type entry struct {
		scope, player string
		stored        float64
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
	err := stream(ctx, a.db, "add up the groups of "+q.Mode.Name, groupRows(q.Mode.Aggregate, q.TrueScores),
		[]any{q.Mode.Name, q.From.Midnight(), q.To.Midnight()},
		func(rows pgx.Rows, e *entry) error { return rows.Scan(&e.scope, &e.player, &e.stored) },
		func(entries []entry) error {
			for _, e := range entries {
				if e.scope != group {
					if err := give(); err != nil {
						return err
					}
					group = e.scope
				}
				all[e.player] = e.stored
			}
			return nil
		})
	if err != nil {
		return err
	}
	return give()
}
