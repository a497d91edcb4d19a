package archive

import (
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/framedle/leaderboards/internal/game"
)

// newsAge is how long ago a period may have ended to be announced: loading years of a past, or
// rebuilding a lost database, announces nothing old.
const newsAge = 31 * 24 * time.Hour

// Announce sets who hears of events from now on: the names of the endpoints for a kind.
func (a *Archive) Announce(listening func(game.Happening) []string) { a.db.listening.Store(&listening) }

// Listeners returns the names of the endpoints that hear of a kind.
func (db *DB) Listeners(kind game.Happening) []string {
	if listening := db.listening.Load(); listening != nil {
		return (*listening)(kind)
	}
	return nil
}

// insertEvents begins a statement that writes an event for every listening endpoint. The rows of
// source have identity, which is unique among events of the kind, player and data.
//
// to, kind and at name parameters, such as $7: the names of endpoints, the kind, and when it
// happened.
func InsertEvents(source, to, kind, at string) string {
	return `INSERT INTO webhooks_out (endpoint, id, kind, player, data, made_at, since)
SELECT listener.name, 'evt_' || left(encode(sha256(convert_to(` + kind + `::text || E'\n' || news.identity, 'UTF8')), 'hex'), 32),
       ` + kind + `::text, news.player, news.data, ` + at + `::timestamptz, ` + at + `::timestamptz
FROM (` + source + `) AS news, unnest(` + to + `::text[]) AS listener (name)
ON CONFLICT (endpoint, id) DO NOTHING`
}

// closed writes the event that a period of a mode is over, unless that was long ago.
func (db *DB) closed(b *pgx.Batch, mode string, p game.Period, players int64, at time.Time) {
	kind := game.PeriodClosed
	if p.Kind() == game.Season {
		kind = game.SeasonClosed
	}
	to := db.Listeners(kind)
	if len(to) == 0 || p.Last().Midnight().Before(at.Add(-newsAge)) {
		return
	}
	b.Queue(InsertEvents(`SELECT concat_ws(E'\n', $1::text, $2::text, $3::text) AS identity, '' AS player,
    jsonb_build_object('mode', $1::text, 'period', $2::text, 'key', $3::text, 'first', $4::text, 'last', $5::text, 'players', $6::bigint) AS data`,
		"$7", "$8", "$9"), mode, p.Kind().String(), p.Key(), p.First().String(), p.Last().String(), players, to, string(kind), at)
}

// dayClosed writes the event that a day of a mode is complete, if the given run has just
// finished it and the day is not long ago.
func (db *DB) dayClosed(b *pgx.Batch, mode string, d game.Date, run int64, at time.Time) {
	to := db.Listeners(game.PeriodClosed)
	if len(to) == 0 || d.Midnight().Before(at.Add(-newsAge)) {
		return
	}
	b.Queue(InsertEvents(`SELECT concat_ws(E'\n', mode, 'day', date::text) AS identity, '' AS player,
    jsonb_build_object('mode', mode, 'period', 'day', 'key', date::text, 'first', date::text, 'last', date::text, 'players', players) AS data
    FROM archived_days WHERE mode = $1 AND date = $2 AND finished = $3 AND complete`,
		"$4", "$5", "$6"), mode, d.Midnight(), run, to, string(game.PeriodClosed), at)
}

// MoveNews gives a device's events to the player who claims it. eraseNews deletes a player's
// events.
const (
	MoveNews  = `UPDATE webhooks_out SET player = $2 WHERE player = $1`
	eraseNews = `DELETE FROM webhooks_out WHERE player = $1`
)
