package archive

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/framedle/leaderboards/internal/game"
)

// WebhooksOut are what other programs are told. What happens is noted in the
// transaction in which it happens, for those that Announce named.
type WebhooksOut struct{ db *database }

// ErrTaken says that another run tells the events of a lane, or that the pause after a
// failure is not over.
var ErrTaken = errors.New("another run tells these events, or it is too early to try again")

// newsAge is how long ago a period may have ended that others are told of: who loads
// years of a past, or puts a lost database together again, tells nobody.
const newsAge = 31 * 24 * time.Hour

// Announce says who is told of what happens from now on.
func (a *Archive) Announce(to game.Webhooks) { a.db.told.Store(&to) }

// listeners are the names of those that are told of a kind.
func (db *database) listeners(kind game.Happening) []string {
	if to := db.told.Load(); to != nil {
		return to.Told(kind)
	}
	return nil
}

// tell begins a statement that notes an event for everybody who is told of it. Rows of
// its source have identity, which no other event of the kind has, player and data.
//
// To, kind and at are its parameters, as $7: names of endpoints, the kind, and when it
// happened.
func tell(source, to, kind, at string) string {
	return `INSERT INTO webhooks_out (endpoint, id, kind, player, data, made_at, since)
SELECT listener.name, 'evt_' || left(encode(sha256(convert_to(` + kind + `::text || E'\n' || news.identity, 'UTF8')), 'hex'), 32),
       ` + kind + `::text, news.player, news.data, ` + at + `::timestamptz, ` + at + `::timestamptz
FROM (` + source + `) AS news, unnest(` + to + `::text[]) AS listener (name)
ON CONFLICT (endpoint, id) DO NOTHING`
}

// closed notes that a period of a mode is over, unless that was long ago.
func (db *database) closed(b *pgx.Batch, mode string, p game.Period, players int64, at time.Time) {
	kind := game.PeriodClosed
	if p.Kind() == game.Season {
		kind = game.SeasonClosed
	}
	to := db.listeners(kind)
	if len(to) == 0 || p.Last().Midnight().Before(at.Add(-newsAge)) {
		return
	}
	b.Queue(tell(`SELECT concat_ws(E'\n', $1::text, $2::text, $3::text) AS identity, '' AS player,
    jsonb_build_object('mode', $1::text, 'period', $2::text, 'key', $3::text, 'first', $4::text, 'last', $5::text, 'players', $6::bigint) AS data`,
		"$7", "$8", "$9"), mode, p.Kind().String(), p.Key(), p.First().String(), p.Last().String(), players, to, string(kind), at)
}

// dayClosed notes that a day of a mode is whole, where the run of a number has just
// finished it, unless that day was long ago.
func (db *database) dayClosed(b *pgx.Batch, mode string, d game.Date, run int64, at time.Time) {
	to := db.listeners(game.PeriodClosed)
	if len(to) == 0 || d.Midnight().Before(at.Add(-newsAge)) {
		return
	}
	b.Queue(tell(`SELECT concat_ws(E'\n', mode, 'day', date::text) AS identity, '' AS player,
    jsonb_build_object('mode', mode, 'period', 'day', 'key', date::text, 'first', date::text, 'last', date::text, 'players', players) AS data
    FROM archived_days WHERE mode = $1 AND date = $2 AND finished = $3 AND complete`,
		"$4", "$5", "$6"), mode, d.Midnight(), run, to, string(game.PeriodClosed), at)
}

// Lane is the events of one kind for one endpoint.
type Lane struct{ Endpoint, Kind string }

// News is an event that somebody is to be told of.
type News struct {
	ID     string
	Player string // empty: nobody
	Data   map[string]any
	Made   time.Time
	Since  time.Time // when it was first to be told, or again
}

// LaneState is how a lane does.
type LaneState struct {
	Lane
	Waiting  int64     // events that are not told yet
	Dead     int64     // that were given up
	Oldest   time.Time // since when the first of those that wait does; zero: none waits
	Failures int64     // in a row
	Error    string    // of the last of them
}

// Waits lists the lanes of some endpoints in which something waits.
// 1 round trip.
func (a WebhooksOut) Waits(ctx context.Context, endpoints []string) ([]Lane, error) {
	return collect(ctx, a.db, "list who is to be told", `
SELECT DISTINCT endpoint, kind FROM webhooks_out
WHERE endpoint = ANY ($1::text[]) AND delivered_at IS NULL AND dead_at IS NULL ORDER BY 1, 2`, []any{endpoints},
		func(rows pgx.Rows, l *Lane) error { return rows.Scan(&l.Endpoint, &l.Kind) })
}

// Take has a run tell the events of a lane until a moment, and says how often telling has
// failed in a row.
// 1 round trip. Errors: ErrTaken.
func (a WebhooksOut) Take(ctx context.Context, l Lane, holder string, now, until time.Time) (failures int64, err error) {
	err = a.db.change(ctx, "take a lane", `
INSERT INTO webhook_lanes AS lane (endpoint, kind, due_at, holder) VALUES ($1, $2, $4, $3)
ON CONFLICT (endpoint, kind) DO UPDATE SET due_at = excluded.due_at, holder = excluded.holder
WHERE lane.due_at <= $5 OR lane.holder = excluded.holder
RETURNING failures`, []any{l.Endpoint, l.Kind, holder, until, now}, &failures)
	if errors.Is(err, pgx.ErrNoRows) {
		return 0, ErrTaken
	}
	return failures, err
}

// Next is the first event of a lane that waits; nil: none does.
// 1 round trip.
func (a WebhooksOut) Next(ctx context.Context, l Lane) (next *News, err error) {
	err = a.db.together(ctx, "read what is to be told", func(b *pgx.Batch) { next = queueNext(b, l) })
	if err != nil || next.ID == "" {
		return nil, err
	}
	return next, nil
}

// queueNext reads the first event of a lane that waits. It has no id where none does.
func queueNext(b *pgx.Batch, l Lane) *News {
	next := &News{}
	b.Queue(`
SELECT id, player, data::text, made_at, since FROM webhooks_out
WHERE endpoint = $1 AND kind = $2 AND delivered_at IS NULL AND dead_at IS NULL ORDER BY seq LIMIT 1`,
		l.Endpoint, l.Kind).QueryRow(func(row pgx.Row) error {
		*next = News{}
		var data string
		err := row.Scan(&next.ID, &next.Player, &data, &next.Made, &next.Since)
		if errors.Is(err, pgx.ErrNoRows) {
			return nil
		}
		if err != nil {
			return err
		}
		return json.Unmarshal([]byte(data), &next.Data)
	})
	return next
}

// Told notes that an event was told, or that it is given up, keeps the lane until a
// moment, and returns what is to be told next; nil: nothing. What was told stays told,
// whoever has the lane. Nothing is read further ahead: a player may be erased, or claim a
// device, before it is told.
// 1 round trip. Errors: ErrTaken, where another run has it meanwhile.
func (a WebhooksOut) Told(ctx context.Context, l Lane, holder, id string, dead bool, at, until time.Time) (next *News, err error) {
	column := "delivered_at"
	if dead {
		column = "dead_at"
	}
	held := true
	err = a.db.together(ctx, "note what was told", func(b *pgx.Batch) {
		b.Queue(`UPDATE webhooks_out SET `+column+` = $3 WHERE endpoint = $1 AND id = $2 AND delivered_at IS NULL AND dead_at IS NULL`, l.Endpoint, id, at)
		b.Queue(`UPDATE webhook_lanes SET due_at = $4, failures = CASE WHEN $5 THEN failures ELSE 0 END, error = CASE WHEN $5 THEN error ELSE '' END
WHERE endpoint = $1 AND kind = $2 AND holder = $3`, l.Endpoint, l.Kind, holder, until, dead).Exec(func(kept pgconn.CommandTag) error {
			held = kept.RowsAffected() > 0
			return nil
		})
		next = queueNext(b, l)
	})
	if err == nil && !held {
		err = ErrTaken
	}
	if err != nil || next.ID == "" {
		return nil, err
	}
	return next, nil
}

// Leave ends a run's hold of a lane: others may take it from due on. Where telling has
// failed, why is not empty.
// 1 round trip.
func (a WebhooksOut) Leave(ctx context.Context, l Lane, holder string, due time.Time, why string) error {
	return a.db.run(ctx, "leave a lane", `
UPDATE webhook_lanes SET due_at = $4, holder = '', failures = failures + ($5 <> '')::int, error = CASE WHEN $5 = '' THEN error ELSE $5 END
WHERE endpoint = $1 AND kind = $2 AND holder = $3`, l.Endpoint, l.Kind, holder, due, why)
}

// Forget deletes what was told, or given up, or waits for somebody who is told no more,
// since before a moment.
// 1 round trip.
func (a WebhooksOut) Forget(ctx context.Context, before time.Time) error {
	return a.db.run(ctx, "forget what was told", `DELETE FROM webhooks_out WHERE since < $1`, before)
}

// States are how the lanes of all endpoints do that there ever were.
// 1 round trip.
func (a WebhooksOut) States(ctx context.Context) ([]LaneState, error) {
	return collect(ctx, a.db, "read how telling goes", `
SELECT endpoint, kind, coalesce(waiting, 0), coalesce(dead, 0), oldest, coalesce(failures, 0), coalesce(error, '')
FROM (
    SELECT endpoint, kind, count(*) FILTER (WHERE dead_at IS NULL AND delivered_at IS NULL) AS waiting, count(dead_at) AS dead,
           min(since) FILTER (WHERE dead_at IS NULL AND delivered_at IS NULL) AS oldest
    FROM webhooks_out GROUP BY endpoint, kind
) AS events FULL JOIN webhook_lanes USING (endpoint, kind) ORDER BY 1, 2`, nil, func(rows pgx.Rows, s *LaneState) error {
		var oldest *time.Time
		err := rows.Scan(&s.Endpoint, &s.Kind, &s.Waiting, &s.Dead, &oldest, &s.Failures, &s.Error)
		if oldest != nil {
			s.Oldest = *oldest
		}
		return err
	})
}

// Resend has events be told again from now on: one by its id, or, for an empty id, all
// that were given up. They come in their old order. It says how many.
// 1 round trip.
func (a WebhooksOut) Resend(ctx context.Context, endpoint, id string, now time.Time) (events int64, err error) {
	err = a.db.together(ctx, "tell again", func(b *pgx.Batch) {
		b.Queue(`UPDATE webhooks_out SET delivered_at = NULL, dead_at = NULL, since = $3
WHERE endpoint = $1 AND CASE WHEN $2 = '' THEN dead_at IS NOT NULL ELSE id = $2 END`, endpoint, id, now).Exec(func(some pgconn.CommandTag) error {
			events = some.RowsAffected()
			return nil
		})
		b.Queue(`UPDATE webhook_lanes SET due_at = $2 WHERE endpoint = $1 AND holder = ''`, endpoint, now)
	})
	return events, err
}

// moveNews has what a device was given be told of who claims it, and eraseNews has
// nothing be told of a player.
const (
	moveNews  = `UPDATE webhooks_out SET player = $2 WHERE player = $1`
	eraseNews = `DELETE FROM webhooks_out WHERE player = $1`
)
