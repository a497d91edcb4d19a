package archive

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/framedle/leaderboards/internal/game"
)

// errNoHistory is returned for boards that the archive never answers for.
var errNoHistory = errors.New("history has boards of days, weeks, months and seasons only")

// pageRows reads a run of a board with the board's size, the number of players up to the
// cursor and, with shared ranks, the number of players with a better true score than the run's
// first.
//
// $7 whether the lowest is the best, $8 whether ranks are shared, $9 limit, $10 offset, $11
// and $12 cursor
const pageRows = `, page AS (
    SELECT player, stored FROM board
    WHERE $11::double precision IS NULL
       OR CASE WHEN $7::boolean THEN (stored, player) > ($11, $12::text) ELSE (stored, player) < ($11, $12) END
    ORDER BY CASE WHEN $7 THEN stored END, CASE WHEN $7 THEN player END, stored DESC, player DESC
    LIMIT $9::bigint OFFSET $10::bigint
)
SELECT (SELECT count(*) FROM board),
       (SELECT count(*) FROM board WHERE $11 IS NOT NULL
            AND CASE WHEN $7 THEN (stored, player) <= ($11, $12) ELSE (stored, player) >= ($11, $12) END),
       (SELECT count(*) FROM board WHERE $8::boolean
            AND CASE WHEN $7 THEN stored < floor((SELECT min(stored) FROM page)) ELSE stored >= 1 + floor((SELECT max(stored) FROM page)) END),
       page.player, page.stored
FROM (SELECT) AS one LEFT JOIN page ON true
ORDER BY CASE WHEN $7 THEN page.stored END, CASE WHEN $7 THEN page.player END, page.stored DESC, page.player DESC`

// Boards answers for boards of the past.
type Boards struct{ db *DB }

// Page reads up to limit entries from an offset or, if after is not nil, from the entry after
// that place.
//
// 1 round trip for a page of a day, and for the top of a week or month that its snapshot
// contains; 2 for other pages of a week or month, which add up all its days. For days that are
// not complete (see Days) it answers with the results that are in.
func (a Boards) Page(ctx context.Context, b game.Board, limit, offset int64, after *game.Place) (game.Page, error) {
	switch b.Period.Kind() {
	case game.AllTime:
		return game.Page{}, errNoHistory
	case game.Day:
	default:
		snapshot, err := Snapshots(a).Of(ctx, b)
		if err != nil {
			return game.Page{}, err
		}
		if page, ok := pageOf(snapshot, b, limit, offset, after); ok {
			return page, nil
		}
	}
	return a.readPage(ctx, b, limit, offset, after)
}

func (a Boards) readPage(ctx context.Context, b game.Board, limit, offset int64, after *game.Place) (game.Page, error) {
	var stored *float64
	var player *string
	if after != nil {
		stored, player, offset = &after.Stored, &after.Player, 0
	}
	var page game.Page
	var passed, better int64
	err := a.db.Do(ctx, "read a page of "+b.Key, func(ctx context.Context, c *pgx.Conn) error {
		page.Entries = nil
		rows, err := c.Query(ctx, rowsOf(b)+pageRows, argumentsOf(b, ascending(b), shared(b), limit, offset, stored, player)...)
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			var player *string
			var stored *float64
			if err := rows.Scan(&page.Total, &passed, &better, &player, &stored); err != nil {
				return err
			}
			if player != nil && stored != nil { // an empty page is one row of nulls
				page.Entries = append(page.Entries, game.Entry{Player: *player, Stored: *stored, Score: game.TrueScore(*stored)})
			}
		}
		return rows.Err()
	})
	page.Position = offset + passed
	b.Rank(page.Entries, page.Position, better)
	return page, err
}

// standingRow reads one player's place.
//
// $7 whether the lowest is the best, $8 whether ranks are shared, $9 player
const standingRow = `
SELECT me.stored,
       (SELECT count(*) FROM board),
       (SELECT count(*) FROM board
            WHERE CASE WHEN $7::boolean THEN (stored, player) < (me.stored, me.player) ELSE (stored, player) > (me.stored, me.player) END),
       (SELECT count(*) FROM board WHERE $8::boolean
            AND CASE WHEN $7 THEN stored < floor(me.stored) ELSE stored >= 1 + floor(me.stored) END)
FROM board AS me WHERE me.player = $9::text`

// Standing reads one player's standing.
// 1 round trip; a week or month adds up all its days. Errors: ErrNotOnBoard.
func (a Boards) Standing(ctx context.Context, b game.Board, player string) (game.Standing, error) {
	if b.Period.Kind() == game.AllTime {
		return game.Standing{}, errNoHistory
	}
	s := game.Standing{Entry: game.Entry{Player: player}}
	var better int64
	err := a.db.Change(ctx, "read a standing on "+b.Key, rowsOf(b)+standingRow, argumentsOf(b, ascending(b), shared(b), player),
		&s.Stored, &s.Total, &s.Position, &better)
	if errors.Is(err, pgx.ErrNoRows) {
		return game.Standing{}, ErrNotOnBoard
	}
	s.Score = game.TrueScore(s.Stored)
	s.Rank = s.Position + 1
	if shared(b) {
		s.Rank = better + 1
	}
	return s, err
}

// Around reads reach entries above and below a player. At the ends of the board it moves the
// run up or down, so that the run is as long as the board allows.
// 2 or 3 round trips: a Standing and a Page. Errors: ErrNotOnBoard.
func (a Boards) Around(ctx context.Context, b game.Board, player string, reach int64) (game.Page, error) {
	if reach < 0 {
		return game.Page{}, fmt.Errorf("a reach of %d is too small; use 0 or more", reach)
	}
	s, err := a.Standing(ctx, b, player)
	if err != nil {
		return game.Page{}, err
	}
	window := 2*reach + 1
	return a.Page(ctx, b, window, max(0, min(s.Position-reach, s.Total-window)), nil)
}

// lookupRows reads the scores of given players.
//
// $7 whether the lowest is the best, $8 players
const lookupRows = `
SELECT player, stored FROM board WHERE player = ANY ($8::text[])
ORDER BY CASE WHEN $7::boolean THEN stored END, CASE WHEN $7 THEN player END, stored DESC, player DESC`

// Lookup reads given players and ranks them among themselves. It leaves out players without an
// entry.
// 1 round trip.
func (a Boards) Lookup(ctx context.Context, b game.Board, players []string) ([]game.Entry, error) {
	if b.Period.Kind() == game.AllTime {
		return nil, errNoHistory
	}
	entries, err := Collect(ctx, a.db, "look players up on "+b.Key,
		rowsOf(b)+lookupRows, argumentsOf(b, ascending(b), players), scanEntry)
	b.Rank(entries, 0, 0)
	return entries, err
}

func scanEntry(row pgx.CollectableRow) (e game.Entry, err error) {
	err = row.Scan(&e.Player, &e.Stored)
	e.Score = game.TrueScore(e.Stored)
	return e, err
}
