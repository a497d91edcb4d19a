package archive

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/framedle/leaderboards/internal/game"
)

// Days are the days of modes, and how far each is archived.
type Days struct{ db *DB }

// ArchivedDay is how far a day of a mode is archived.
type ArchivedDay struct {
	Date       game.Date
	Players    int64
	Complete   bool
	AsClosed   bool      // the newest closing has written it as it is; not known for days from before migration 16
	Changed    bool      // a score was removed since a run last finished, or a run was cut off
	ArchivedAt time.Time // when a run last finished; zero: none has
	Source     string    // the Redis that it was written from; "": from before Redis had a name
}

// Between lists the days of a mode that runs have begun to write, ascending.
// 1 round trip.
func (a Days) Between(ctx context.Context, mode string, from, to game.Date) ([]ArchivedDay, error) {
	return Collect(ctx, a.db, "list the archived days of "+mode, `
SELECT date, players, complete, complete AND closing = finished AS as_closed, begun > finished AS changed, archived_at, source FROM archived_days
WHERE mode = $1 AND date BETWEEN $2 AND $3 ORDER BY date`,
		[]any{mode, from.Midnight(), to.Midnight()}, pgx.RowToStructByName[ArchivedDay])
}

// Complete returns the days that Between lists, and for each whether it is complete.
// 1 round trip.
func (a Days) Complete(ctx context.Context, mode string, from, to game.Date) (map[game.Date]bool, error) {
	days, err := a.Between(ctx, mode, from, to)
	complete := make(map[game.Date]bool, len(days))
	for _, d := range days {
		complete[d.Date] = d.Complete
	}
	return complete, err
}

// Whole lists the complete days from one date on.
// 1 round trip.
func (a Days) Whole(ctx context.Context, from game.Date) ([]game.DayName, error) {
	return Collect(ctx, a.db, "list whole days", `SELECT mode, date FROM archived_days WHERE complete AND date >= $1`,
		[]any{from.Midnight()}, pgx.RowToStructByName[game.DayName])
}

// Imported lists the days of a mode that an import has begun, and neither finished nor given
// up.
// 1 round trip.
func (a Days) Imported(ctx context.Context, mode string, from, to game.Date) ([]game.Date, error) {
	return Collect(ctx, a.db, "list the days that are imported", `
SELECT d.date FROM imported_days AS d JOIN imports AS i ON i.id = d.import
WHERE d.mode = $1 AND d.date BETWEEN $2 AND $3 AND NOT d.done AND i.finished_at IS NULL`,
		[]any{mode, from.Midnight(), to.Midnight()}, pgx.RowTo[game.Date])
}

// Importing lists the days that an import has begun which has neither finished nor been given up,
// of all modes, ascending.
// 1 round trip.
func (a Days) Importing(ctx context.Context) ([]game.Date, error) {
	return Collect(ctx, a.db, "list the days of an import", `
SELECT DISTINCT d.date FROM imported_days AS d JOIN imports AS i ON i.id = d.import WHERE i.finished_at IS NULL ORDER BY d.date`,
		nil, pgx.RowTo[game.Date])
}

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
	return Collect(ctx, a.db, "list the weeks and months that are open", `
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

// Elsewhere counts the days that were written from another Redis than the named one. Until
// they are adopted, only the archive has what that Redis had.
// 1 round trip.
func (a Days) Elsewhere(ctx context.Context, source string) (days int64, err error) {
	err = a.db.Change(ctx, "look for days of another Redis",
		`SELECT count(*) FROM archived_days WHERE source NOT IN ('', $1)`, []any{source}, &days)
	return days, err
}

// ModesBefore lists those of some modes that have results of days before a date.
// 1 round trip, which reads a result of each mode.
func (a Days) ModesBefore(ctx context.Context, modes []string, before game.Date) ([]string, error) {
	return Collect(ctx, a.db, "look for days gone by", `
SELECT mode FROM unnest($1::text[]) AS mode WHERE EXISTS (SELECT FROM results AS r WHERE r.mode = mode.mode AND r.date < $2)`,
		[]any{modes, before.Midnight()}, pgx.RowTo[string])
}

// Name notes that the Redis of a name has the days that were written without one, as imports of
// the past write them: if it is lost, that is noticed like the loss of other days.
// 1 round trip.
func (a Days) Name(ctx context.Context, source string) error {
	return a.db.Run(ctx, "name the source of imported days", `UPDATE archived_days SET source = $1 WHERE source = '' AND complete`, source)
}

// MostPlayers returns how many players the largest day of some modes has.
// 1 round trip, which reads a row for each day.
func (a Days) MostPlayers(ctx context.Context, modes []string) (most int64, err error) {
	err = a.db.Change(ctx, "look for the largest day", `SELECT coalesce(max(players), 0) FROM archived_days WHERE mode = ANY ($1)`, []any{modes}, &most)
	return most, err
}
