package archive

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/framedle/leaderboards/internal/game"
)

// Results are the results of players on the boards of days.
type Results struct{ db *DB }

// OfDay reads a day of a mode, in no order, as it was at one moment. It calls each with some
// results at a time; the slice is reused. OfDay keeps a connection until each has returned for
// the last time: each must not wait for this Archive if that has only one connection.
// 1 round trip.
func (a Results) OfDay(ctx context.Context, mode string, d game.Date, each func([]game.Result) error) error {
	return Stream(ctx, a.db, "read "+mode+" "+d.String(), `
SELECT player, stored, scopes, scoped_stored, details FROM results WHERE mode = $1 AND date = $2`,
		[]any{mode, d.Midnight()}, ScanResult, each)
}

// scanResultInto reads the columns player, stored, scopes, scoped_stored and details, behind
// others that it reads into before.
func scanResultInto(row pgx.CollectableRow, before ...any) (r game.Result, err error) {
	var scopes []string
	var scoped []float64
	if err := row.Scan(append(before, &r.Player, &r.Stored, &scopes, &scoped, &r.Details)...); err != nil {
		return r, err
	}
	r.Scopes, err = game.SplitScopes(r.Stored, scopes, scoped)
	return r, err
}

// ScanResult reads the columns player, stored, scopes, scoped_stored and details.
func ScanResult(row pgx.CollectableRow) (game.Result, error) { return scanResultInto(row) }

// Of reads a player's results of the days from from to to, by date and mode.
// 1 round trip.
func (a Results) Of(ctx context.Context, player string, from, to game.Date) ([]game.DayResult, error) {
	return Collect(ctx, a.db, "read a player's results", `
SELECT mode, date, player, stored, scopes, scoped_stored, details FROM results
WHERE player = $1 AND date BETWEEN $2 AND $3 ORDER BY date, mode`,
		[]any{player, from.Midnight(), to.Midnight()}, scanDayResult)
}

// Before reads a player's results that come after a place, by date and mode, both descending:
// the results of one mode, or with "" of all modes.
// 1 round trip.
func (a Results) Before(ctx context.Context, player, of string, d game.Date, mode string, limit int) ([]game.DayResult, error) {
	return Collect(ctx, a.db, "read a player's results", `
SELECT mode, date, player, stored, scopes, scoped_stored, details FROM results
WHERE player = $1 AND (date, mode) < ($2, $3) AND ($5 = '' OR mode = $5) ORDER BY date DESC, mode DESC LIMIT $4`,
		[]any{player, d.Midnight(), mode, limit, of}, scanDayResult)
}

func scanDayResult(row pgx.CollectableRow) (r game.DayResult, err error) {
	r.Result, err = scanResultInto(row, &r.Mode, &r.Date)
	return r, err
}

// Scopes lists the scopes, besides the global one, of which a mode has had boards.
// 1 round trip, which reads every row of the days from from to to.
func (a Results) Scopes(ctx context.Context, mode string, from, to game.Date) ([]game.Scope, error) {
	return Collect(ctx, a.db, "list the scopes of "+mode, `
SELECT DISTINCT unnest(scopes) AS scope FROM results
WHERE mode = $1 AND date BETWEEN $2 AND $3 AND scopes IS NOT NULL ORDER BY scope`,
		[]any{mode, from.Midnight(), to.Midnight()},
		func(row pgx.CollectableRow) (game.Scope, error) {
			name, err := pgx.RowTo[string](row)
			if err != nil {
				return game.Scope{}, err
			}
			return game.ParseScope(name)
		})
}

// PlayedDates reads by player the dates on which they played; streaks follow from these. It
// calls each as [Results.OfDay] does.
// 1 round trip.
func (a Results) PlayedDates(ctx context.Context, from, to game.Date, each func([]game.Played) error) error {
	return Stream(ctx, a.db, "read when players played", `
SELECT player, array_agg(DISTINCT date ORDER BY date) AS dates FROM results
WHERE date BETWEEN $1 AND $2 GROUP BY player ORDER BY player`,
		[]any{from.Midnight(), to.Midnight()}, pgx.RowToStructByName[game.Played], each)
}

// stillPlays excludes banned players and devices that players have claimed. The claim has
// moved a device's entry to the player; the device's row is deleted when the day closes.
func stillPlays(table string) string {
	return "NOT EXISTS (SELECT FROM claims WHERE device = ban_member(" + table + ".player)) AND " + NotBanned(table+".player")
}

// notBanned excludes banned players.
func NotBanned(player string) string {
	return "NOT EXISTS (SELECT FROM bans WHERE member = ban_member(" + player + "))"
}

// CountStanding counts by mode the players who should be on the boards of a date, by their
// results.
// 1 round trip.
func (a Results) CountStanding(ctx context.Context, d game.Date, modes ...string) (map[string]int64, error) {
	return a.db.countByMode(ctx, `
SELECT mode, count(*) FROM results WHERE mode = ANY ($2) AND date = $1 AND `+stillPlays("results")+` GROUP BY mode`, d, modes)
}

// countByMode counts the players of a date.
func (db *DB) countByMode(ctx context.Context, query string, d game.Date, modes []string) (map[string]int64, error) {
	return Mapped[string, int64](ctx, db, "count the players of "+d.String(), query, []any{d.Midnight(), modes})
}

// EachOnBoard reads a day of a mode as OfDay does, but only players who should be on its board.
// 1 round trip.
func (a Results) EachOnBoard(ctx context.Context, mode string, d game.Date, each func([]game.Result) error) error {
	return Stream(ctx, a.db, fmt.Sprintf("read who should stand on %s of %s", mode, d), `
SELECT player, stored, scopes, scoped_stored, details FROM results WHERE mode = $1 AND date = $2 AND `+stillPlays("results"),
		[]any{mode, d.Midnight()}, ScanResult, each)
}
