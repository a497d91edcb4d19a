package archive

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/framedle/leaderboards/internal/game"
)

// Statistics counts the players who have played, as far as their days are archived, without
// removed players.
type Statistics struct{ db *DB }

// PlayedDay is the number of players and results of a date.
type PlayedDay struct {
	Date    game.Date
	Players int64            // players with a result in any mode
	Results map[string]int64 // players with a result, by mode
}

// Days counts the dates from from to to on which anybody has played, ascending.
// 1 round trip, which reads every result of these dates.
func (a Statistics) Days(ctx context.Context, from, to game.Date) ([]PlayedDay, error) {
	type row struct {
		Date    game.Date
		Mode    *string // nil: of all modes together
		Results int64
		Players int64
	}
	rows, err := Collect(ctx, a.db, "count what was played", `
SELECT date, mode, count(*) AS results, count(DISTINCT player) AS players FROM results WHERE date BETWEEN $1 AND $2
GROUP BY GROUPING SETS ((date), (date, mode)) ORDER BY date, mode NULLS FIRST`,
		[]any{from.Midnight(), to.Midnight()}, pgx.RowToStructByName[row])
	var days []PlayedDay
	for _, r := range rows {
		if r.Mode == nil {
			days = append(days, PlayedDay{Date: r.Date, Players: r.Players, Results: map[string]int64{}})
			continue
		}
		days[len(days)-1].Results[*r.Mode] = r.Results
	}
	return days, err
}

// Active counts the players with a result on the dates from from to to.
// 1 round trip.
func (a Statistics) Active(ctx context.Context, from, to game.Date) (players int64, err error) {
	err = a.db.Change(ctx, "count active players", `SELECT count(DISTINCT player) FROM results WHERE date BETWEEN $1 AND $2`,
		[]any{from.Midnight(), to.Midnight()}, &players)
	return players, err
}

// Known counts the players with a profile, and the banned ones.
// 1 round trip.
func (a Statistics) Known(ctx context.Context) (players, banned int64, err error) {
	err = a.db.Change(ctx, "count players", `SELECT (SELECT count(*) FROM profiles), (SELECT count(*) FROM bans)`, nil, &players, &banned)
	return players, banned, err
}

// Plays counts the accepted plays of the dates from from to to, by date, in games that keep
// each submission.
// 1 round trip.
func (a Statistics) Plays(ctx context.Context, from, to game.Date) (map[game.Date]int64, error) {
	return Mapped[game.Date, int64](ctx, a.db, "count plays", `SELECT date, count(*) FROM submissions WHERE date BETWEEN $1 AND $2 GROUP BY date`,
		[]any{from.Midnight(), to.Midnight()})
}
