package archive

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/framedle/leaderboards/internal/game"
)

// OpenPeriods lists, in the order of their ends, the periods that need a snapshot: weeks,
// months and the given seasons with results up to a date in one of the modes, but without a
// snapshot of that mode's board of all players.
// 1 round trip, which reads a row for each day of a mode.
func (a Days) OpenPeriods(ctx context.Context, modes []string, seasons []game.Period, through game.Date) ([]game.Period, error) {
	names, firsts, lasts := make([]string, len(seasons)), make([]time.Time, len(seasons)), make([]time.Time, len(seasons))
	byName := make(map[string]game.Period, len(seasons))
	for i, p := range seasons {
		names[i], firsts[i], lasts[i] = p.Key(), p.First().Midnight(), p.Last().Midnight()
		byName[p.Key()] = p
	}
	return collect(ctx, a.db, "list the weeks and months that are open", `
WITH periods AS (
    SELECT DISTINCT mode, 'week' AS period, to_char(date, 'IYYY"-W"IW') AS key, date_trunc('week', date::timestamp)::date AS first,
        (date_trunc('week', date::timestamp) + interval '6 days')::date AS last
    FROM archived_days WHERE mode = ANY ($1)
    UNION
    SELECT DISTINCT mode, 'month', to_char(date, 'YYYY-MM'), date_trunc('month', date::timestamp)::date,
        (date_trunc('month', date::timestamp) + interval '1 month - 1 day')::date
    FROM archived_days WHERE mode = ANY ($1)
    UNION
    SELECT mode, 'season', season.name, season.first, season.last
    FROM unnest($1::text[]) AS mode, unnest($3::text[], $4::date[], $5::date[]) AS season (name, first, last)
)
SELECT DISTINCT period, key, first, last FROM periods AS p
WHERE last <= $2
  AND NOT EXISTS (SELECT FROM leaderboard_snapshots AS s
      WHERE s.mode = p.mode AND s.period = p.period AND s.period_key = p.key AND s.scope = '')
  AND EXISTS (SELECT FROM results AS r WHERE r.mode = p.mode AND r.date BETWEEN p.first AND p.last)
ORDER BY last, period DESC`, []any{modes, through.Midnight(), names, firsts, lasts},
		func(row pgx.CollectableRow) (game.Period, error) {
			var name, key string
			var first, last game.Date
			if err := row.Scan(&name, &key, &first, &last); err != nil {
				return game.Period{}, err
			}
			if season, ok := byName[key]; ok && name == game.Season.String() {
				return season, nil
			}
			kind, err := game.ParsePeriodKind(name)
			return kind.Of(first), err
		})
}
