package webhookstore

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/framedle/leaderboards/internal/archive"
)

// Queue has the events that wait for delivery. Package archive writes each in the transaction in
// which it happens.
type Queue struct{ db *archive.DB }

// ErrTaken is returned when another run delivers the events of a lane, or the pause after a
// failure is not over.
var ErrTaken = errors.New("another run delivers these events, or it is too early to try again")

// In is the queue of an archive.
func In(a *archive.Archive) Queue { return Queue{a.DB()} }

// Lane is the events of one kind for one endpoint.
type Lane struct{ Endpoint, Kind string }

// News is an event that waits for delivery.
type News struct {
	ID     string
	Player string // empty: no player's event
	Data   map[string]any
	Made   time.Time
	Since  time.Time // when its first delivery was due; after a Resend, when that was
}

// LaneState is the state of a lane.
type LaneState struct {
	Lane
	Waiting  int64     // events that are not delivered yet
	Dead     int64     // events that were given up
	Oldest   time.Time // since when the oldest waiting event waits; zero: none waits
	Failures int64     // in a row
	Error    string    // the error of the last failure
}

// Waits lists the lanes of some endpoints in which an event waits.
// 1 round trip.
func (a Queue) Waits(ctx context.Context, endpoints []string) ([]Lane, error) {
	return archive.Collect(ctx, a.db, "list pending webhooks", `
SELECT DISTINCT endpoint, kind FROM webhooks_out
WHERE endpoint = ANY ($1::text[]) AND delivered_at IS NULL AND dead_at IS NULL ORDER BY 1, 2`, []any{endpoints}, pgx.RowToStructByName[Lane])
}

// Take reserves a lane for a run until a moment, and returns the number of failures in a row
// so far.
// 1 round trip. Errors: ErrTaken.
func (a Queue) Take(ctx context.Context, l Lane, holder string, now, until time.Time) (failures int64, err error) {
	err = a.db.Change(ctx, "take a lane", `
INSERT INTO webhook_lanes AS lane (endpoint, kind, due_at, holder) VALUES ($1, $2, $4, $3)
ON CONFLICT (endpoint, kind) DO UPDATE SET due_at = excluded.due_at, holder = excluded.holder
WHERE lane.due_at <= $5 OR lane.holder = excluded.holder
RETURNING failures`, []any{l.Endpoint, l.Kind, holder, until, now}, &failures)
	if errors.Is(err, pgx.ErrNoRows) {
		return 0, ErrTaken
	}
	return failures, err
}

// Next returns the first waiting event of a lane; nil: none waits.
// 1 round trip.
func (a Queue) Next(ctx context.Context, l Lane) (next *News, err error) {
	err = a.db.Together(ctx, "read a pending webhook", func(b *pgx.Batch) { next = queueNext(b, l) })
	if err != nil || next.ID == "" {
		return nil, err
	}
	return next, nil
}

// queueNext reads the first waiting event of a lane. Its ID is empty if none waits.
func queueNext(b *pgx.Batch, l Lane) *News {
	next := &News{}
	b.Queue(`
SELECT id, player, data, made_at, since FROM webhooks_out
WHERE endpoint = $1 AND kind = $2 AND delivered_at IS NULL AND dead_at IS NULL ORDER BY seq LIMIT 1`,
		l.Endpoint, l.Kind).QueryRow(func(row pgx.Row) error {
		*next = News{}
		err := row.Scan(&next.ID, &next.Player, &next.Data, &next.Made, &next.Since)
		if errors.Is(err, pgx.ErrNoRows) {
			return nil
		}
		return err
	})
	return next
}

// Settle notes that an event was delivered or given up, reserves the lane until a moment, and
// returns the next event; nil: none waits. The event counts as delivered even if another run
// has the lane. Settle reads one event only: before a later one is delivered, its player may be
// erased or may claim a device.
// 1 round trip. Errors: ErrTaken if another run has the lane meanwhile.
func (a Queue) Settle(ctx context.Context, l Lane, holder, id string, dead bool, at, until time.Time) (next *News, err error) {
	column := "delivered_at"
	if dead {
		column = "dead_at"
	}
	held := true
	err = a.db.Together(ctx, "note a delivered webhook", func(b *pgx.Batch) {
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

// Leave ends a run's reservation of a lane: others may take the lane from due on. If a
// delivery has failed, why says so.
// 1 round trip.
func (a Queue) Leave(ctx context.Context, l Lane, holder string, due time.Time, why string) error {
	return a.db.Run(ctx, "leave a lane", `
UPDATE webhook_lanes SET due_at = $4, holder = '', failures = failures + ($5 <> '')::int, error = CASE WHEN $5 = '' THEN error ELSE $5 END
WHERE endpoint = $1 AND kind = $2 AND holder = $3`, l.Endpoint, l.Kind, holder, due, why)
}

// Forget deletes all events from before a moment: delivered, given up, or waiting for an
// endpoint that hears no more.
// 1 round trip.
func (a Queue) Forget(ctx context.Context, before time.Time) error {
	return a.db.Run(ctx, "delete old webhooks", `DELETE FROM webhooks_out WHERE since < $1`, before)
}

// States returns the states of all lanes of all endpoints that there ever were.
// 1 round trip.
func (a Queue) States(ctx context.Context) ([]LaneState, error) {
	return archive.Collect(ctx, a.db, "read the state of webhooks", `
SELECT endpoint, kind, coalesce(waiting, 0) AS waiting, coalesce(dead, 0) AS dead, oldest,
    coalesce(failures, 0) AS failures, coalesce(error, '') AS error
FROM (
    SELECT endpoint, kind, count(*) FILTER (WHERE dead_at IS NULL AND delivered_at IS NULL) AS waiting, count(dead_at) AS dead,
           min(since) FILTER (WHERE dead_at IS NULL AND delivered_at IS NULL) AS oldest
    FROM webhooks_out GROUP BY endpoint, kind
) AS events FULL JOIN webhook_lanes USING (endpoint, kind) ORDER BY 1, 2`, nil, pgx.RowToStructByName[LaneState])
}

// Resend makes events wait again from now on, in their old order: one by its id or, with an
// empty id, all that were given up. It returns their number.
// 1 round trip.
func (a Queue) Resend(ctx context.Context, endpoint, id string, now time.Time) (events int64, err error) {
	err = a.db.Together(ctx, "resend webhooks", func(b *pgx.Batch) {
		b.Queue(`UPDATE webhooks_out SET delivered_at = NULL, dead_at = NULL, since = $3
WHERE endpoint = $1 AND CASE WHEN $2 = '' THEN dead_at IS NOT NULL ELSE id = $2 END`, endpoint, id, now).Exec(func(some pgconn.CommandTag) error {
			events = some.RowsAffected()
			return nil
		})
		b.Queue(`UPDATE webhook_lanes SET due_at = $2 WHERE endpoint = $1 AND holder = ''`, endpoint, now)
	})
	return events, err
}
