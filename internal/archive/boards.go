package archive

import (
	"strings"

	"github.com/framedle/leaderboards/internal/game"
)

// Board names one leaderboard of the past. Its period is a day, a week, a month or
// a season: all time and XP never leave Redis.
type Board struct {
	Mode   *game.Mode
	Period game.Period
	Scope  game.Scope
}

// Entry is one row of a board.
type Entry struct {
	Rank   int64
	Player string
	Score  game.Score
	Stored float64 // with the tie fraction, or the sum of them; orders equal scores
}

// scopeName is how a scope is written in a parameter: "" is everybody.
func scopeName(s game.Scope) string {
	if s == (game.Scope{}) {
		return ""
	}
	return s.String()
}

// arguments are those that every query of a board begins with.
func (b Board) arguments(more ...any) []any {
	first, last := b.Period.First(), b.Period.Last()
	return append([]any{b.Mode.Name, first.Midnight(), last.Midnight(), scopeName(b.Scope)}, more...)
}

// A query of a board begins with the rows (player, stored) it consists of.
//
// $1 mode, $2 first date, $3 last date, $4 scope ("" is everybody)
const (
	stands = `CASE WHEN $4 = '' THEN stored ELSE coalesce(scoped_stored[array_position(scopes, $4)], stored) END`

	dayRows = `SELECT player, ` + stands + ` AS stored FROM results
WHERE mode = $1 AND date = $2 AND date = $3 AND ($4 = '' OR $4 = ANY (scopes))`

	daysRows = ` AS stored FROM results
WHERE mode = $1 AND date BETWEEN $2 AND $3 AND ($4 = '' OR $4 = ANY (scopes))`

	sumRows     = `SELECT player, sum(` + stands + `)` + daysRows + ` GROUP BY player`
	trueSumRows = `SELECT player, sum(floor(` + stands + `))` + daysRows + ` GROUP BY player`
	maxRows     = `SELECT player, max(` + stands + `)` + daysRows + ` GROUP BY player`
	minRows     = `SELECT player, min(` + stands + `)` + daysRows + ` GROUP BY player`
	lastRows    = `SELECT DISTINCT ON (player) player, ` + stands + daysRows + ` ORDER BY player, date DESC`
)

// rowsOf are a period's rows under an aggregate, sums of true scores alone where
// that is asked for.
func rowsOf(a game.Aggregate, trueScores bool) string {
	switch a {
	case game.Max:
		return maxRows
	case game.Min:
		return minRows
	case game.Last:
		return lastRows
	}
	if trueScores {
		return trueSumRows
	}
	return sumRows
}

// query puts a board in front of what is read from it. A day is read from its
// index in order; other periods are added up once.
func (b Board) query(read string) string {
	if b.Mode.Order == game.Asc {
		read = ascending.Replace(read)
	} else {
		read = descending.Replace(read)
	}
	if b.Scope.Kind() == game.Teams {
		return `WITH board AS MATERIALIZED (` + teamRows(b.Mode) + `)` + read
	}
	if b.Period.Kind() == game.Day {
		return `WITH board AS NOT MATERIALIZED (` + dayRows + `)` + read
	}
	return `WITH board AS MATERIALIZED (` + rowsOf(b.Mode.Aggregate, b.Period.TrueScores()) + `)` + read
}

// What is read from a board is written for both orders: ORDER is the board's
// own, BEFORE and AFTER compare places in it, BEST is the best stored score of
// a set, and BETTER compares a stored score with the next better true score.
var (
	descending = strings.NewReplacer("ORDER", "ORDER BY stored DESC, player DESC",
		"BEFORE", ">", "AFTER", "<", "BEST(", "max(", "BETTER(", ">= 1 + floor(")
	ascending = strings.NewReplacer("ORDER", "ORDER BY stored, player",
		"BEFORE", "<", "AFTER", ">", "BEST(", "min(", "BETTER(", "< floor(")
)

// shared reports whether equal scores share a rank.
func (b Board) shared() bool { return b.Mode.Ties == game.Shared }
