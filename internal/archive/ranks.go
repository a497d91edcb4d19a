package archive

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/framedle/leaderboards/internal/game"
)

// ranksRows reads a player's newest closed days of a mode, and for each how many players are
// better. It stops counting there at game.MostDayRank, so that a day of any size is a bounded run
// of the index results_board. The order by which the run is read keeps the planner to that index,
// also while it does not know the values: so each order and tie style has a text of its own.
//
// $1 mode, $2 player, $3 limit; the rows that are better, their order, and where to stop
const ranksRows = `
SELECT me.date, me.stored, ahead.players
FROM (
    SELECT r.date, r.player, r.stored
    FROM results AS r JOIN archived_days AS d ON d.mode = r.mode AND d.date = r.date
    WHERE r.player = $2::text AND r.mode = $1::text AND d.complete
    ORDER BY r.date DESC LIMIT $3::bigint
) AS me CROSS JOIN LATERAL (
    SELECT count(*) AS players FROM (
        SELECT FROM results AS b WHERE b.mode = $1 AND b.date = me.date AND %s
        ORDER BY %s LIMIT %d
    ) AS better
) AS ahead
ORDER BY me.date DESC`

// ranksOf is the query of ranks for a mode's order and tie style: standingRow has both as
// parameters.
func ranksOf(order game.Order, ties game.TieStyle) string {
	better, by := "(b.stored, b.player) > (me.stored, me.player)", "b.stored DESC, b.player DESC"
	if ties == game.Shared {
		better = "b.stored >= 1 + floor(me.stored)"
	}
	if order == game.Asc {
		better, by = "(b.stored, b.player) < (me.stored, me.player)", "b.stored, b.player"
		if ties == game.Shared {
			better = "b.stored < floor(me.stored)"
		}
	}
	return fmt.Sprintf(ranksRows, better, by, game.MostDayRank)
}

// Ranks reads a player's ranks of the last days with a result of the player that are complete
// (see Days), newest first: those that Standing answers on the boards of all players. A rank
// above game.MostDayRank is 0.
// 1 round trip.
func (a Boards) Ranks(ctx context.Context, m *game.Mode, player string, limit int) ([]game.DayRank, error) {
	return Collect(ctx, a.db, "read a player's ranks", ranksOf(m.Order, m.Ties), []any{m.Name, player, limit},
		func(row pgx.CollectableRow) (r game.DayRank, err error) {
			var ahead, stored = int64(0), float64(0)
			err = row.Scan(&r.Date, &stored, &ahead)
			if r.Score = game.TrueScore(stored); ahead < game.MostDayRank {
				r.Rank = ahead + 1
			}
			return r, err
		})
}
