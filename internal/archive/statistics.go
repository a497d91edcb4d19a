package archive

import (
	"context"
	"slices"

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

// CountPlayers counts the players with a profile, and the banned ones.
// 1 round trip.
func (a Statistics) CountPlayers(ctx context.Context) (players, banned int64, err error) {
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

// endsRow reads the lowest and the highest true score of a board; null for an empty board.
const endsRow = `
SELECT min(floor(stored)), max(floor(stored)) FROM board`

// bucketRows counts the players of a board by buckets. The buckets begin at given true scores,
// the lowest first; bucket 0 is everything below the first.
//
// $7 where buckets begin
const bucketRows = `
SELECT width_bucket(floor(stored)::double precision, $7::double precision[]), count(*) FROM board GROUP BY 1`

// Distribution counts a board in at most so many buckets, in two round trips. Scores that come
// in between the two count in the outer buckets.
func (a Boards) Distribution(ctx context.Context, b game.Board, buckets int) (game.Distribution, error) {
	d := game.Distribution{Board: b}
	if b.Period.Kind() == game.AllTime {
		return d, errNoHistory
	}
	var low, high *float64
	if err := a.db.Change(ctx, "read the ends of "+b.Key, rowsOf(b)+endsRow, argumentsOf(b), &low, &high); err != nil || low == nil || high == nil {
		return d, err
	}
	d.Buckets = game.Buckets(b.Mode, game.TrueScore(*low), game.TrueScore(*high), buckets)
	begins, downwards := make([]float64, len(d.Buckets)), false
	for i, bucket := range d.Buckets {
		from, _ := bucket.Bounds(b.Mode)
		begins[i] = float64(from)
		downwards = i > 0 && begins[i] < begins[i-1]
	}
	place := func(row int) int { return max(row-1, 0) }
	if downwards { // the value's low numbers are the high scores
		slices.Reverse(begins)
		place = func(row int) int { return len(begins) - max(row, 1) }
	}
	rows, err := Mapped[int, int64](ctx, a.db, "count "+b.Key, rowsOf(b)+bucketRows, argumentsOf(b, begins))
	players := make([]int64, len(d.Buckets))
	for row, n := range rows {
		players[place(row)] += n
	}
	d.Count(players)
	return d, err
}
