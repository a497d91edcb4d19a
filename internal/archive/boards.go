package archive

import (
	"github.com/framedle/leaderboards/internal/game"
)

// scopeName is how a scope is written in a parameter: "" is everybody.
func scopeName(s game.Scope) string {
	if s == (game.Scope{}) {
		return ""
	}
	return s.String()
}

// A query of a board consists of the board (dayBoard, periodBoard, groupsBoard) and what is
// read from it, one text after the other: both can be pasted into psql as they are. Where a
// parameter chooses (the aggregate, the order), the planner knows its value and plans for that
// value alone.
//
// $1 mode, $2 first date, $3 last date, $4 scope ("" is everybody), $5 how days are combined,
// $6 how many members count for a group (0 is all)
const (
	// dayBoard is read from the index (mode, date, stored, player) in order.
	dayBoard = `
WITH board AS NOT MATERIALIZED (
    SELECT player, CASE WHEN $4::text = '' THEN stored ELSE coalesce(scoped_stored[array_position(scopes, $4)], stored) END AS stored
    FROM results
    WHERE mode = $1::text AND date = $2::date AND ($4 = '' OR $4 = ANY (scopes))
      AND $3::date IS NOT NULL AND $5::text IS NOT NULL AND $6::bigint IS NOT NULL -- one day has nothing to combine
)`

	// periodBoard adds the days up once for all that is read from it.
	periodBoard = `
WITH board AS (
    SELECT player, CASE $5::text
        WHEN 'max' THEN max(stored) WHEN 'min' THEN min(stored)
        WHEN 'last' THEN (array_agg(stored ORDER BY date DESC))[1]
        WHEN 'true sum' THEN sum(floor(stored)) ELSE sum(stored)
    END AS stored
    FROM (
        SELECT player, date, CASE WHEN $4::text = '' THEN stored ELSE coalesce(scoped_stored[array_position(scopes, $4)], stored) END AS stored
        FROM results
        WHERE mode = $1::text AND date BETWEEN $2::date AND $3::date AND ($4 = '' OR $4 = ANY (scopes))
          AND $6::bigint IS NOT NULL -- players have no members
    ) AS days
    GROUP BY player
)`

	// groupsBoard has groups in place of players: each with the sum of its best members, in
	// true scores.
	groupsBoard = `
WITH board AS (
    SELECT substr(scope, 7) COLLATE "C" AS player, sum(stored) AS stored
    FROM (
        SELECT scope, stored, row_number() OVER (PARTITION BY scope ORDER BY stored DESC) AS place
        FROM (
            SELECT scope, player, CASE $5::text
                WHEN 'max' THEN max(stored) WHEN 'min' THEN min(stored)
                WHEN 'last' THEN (array_agg(stored ORDER BY date DESC))[1]
                ELSE sum(stored)
            END AS stored
            FROM (
                SELECT scope, player, date, floor(coalesce(scoped_stored[slot], stored)) AS stored
                FROM results CROSS JOIN unnest(scopes) WITH ORDINALITY AS counted (scope, slot)
                WHERE mode = $1::text AND date BETWEEN $2::date AND $3::date AND $4::text = 'groups' AND starts_with(scope, 'group:')
            ) AS days
            GROUP BY scope, player
        ) AS members
    ) AS placed
    WHERE $6::bigint = 0 OR place <= $6
    GROUP BY scope
)`
)

// rowsOf returns the board that a query begins with. Its period is a day, a week, a month or a
// season: the archive never answers for all time and XP.
func rowsOf(b game.Board) string {
	switch {
	case b.Scope.Kind() == game.Teams:
		return groupsBoard
	case b.Period.Kind() == game.Day:
		return dayBoard
	}
	return periodBoard
}

// argumentsOf returns the arguments that every query of a board begins with.
func argumentsOf(b game.Board, more ...any) []any {
	q := Query{Mode: b.Mode, From: b.Period.First(), To: b.Period.Last(), Scope: b.Scope, TrueScores: b.Period.TrueScores()}
	return append(q.arguments(), more...)
}

// ascending reports whether the lowest score is the best.
func ascending(b game.Board) bool { return b.Mode.Order == game.Asc }

// shared reports whether equal scores share a rank.
func shared(b game.Board) bool { return b.Mode.Ties == game.Shared }
