package archive

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/framedle/leaderboards/internal/game"
)

// Usage is what one function cost on one day, in UTC.
type Usage struct {
	Date     game.Date
	Function string
	game.UsageCount
}

// UsageDays is the cost of days, in UTC: by function, by part, and as Upstash counted it.
type UsageDays struct{ db *DB }

// Put keeps the cost of functions. For the same day and function the larger number counts,
// column by column: the numbers are sums that only grow.
// 1 round trip.
func (a UsageDays) Put(ctx context.Context, rows []Usage) error {
	return a.db.Together(ctx, "keep the usage of days", func(b *pgx.Batch) {
		for _, u := range rows {
			b.Queue(`
INSERT INTO usage_days AS known (date, function, calls, commands, round_trips, sent, received, failed, throttled, replayed,
    accepted, queries, rows)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
ON CONFLICT (date, function) DO UPDATE SET
    calls = greatest(known.calls, excluded.calls), commands = greatest(known.commands, excluded.commands),
    round_trips = greatest(known.round_trips, excluded.round_trips), sent = greatest(known.sent, excluded.sent),
    received = greatest(known.received, excluded.received), failed = greatest(known.failed, excluded.failed),
    throttled = greatest(known.throttled, excluded.throttled), replayed = greatest(known.replayed, excluded.replayed),
    accepted = greatest(known.accepted, excluded.accepted), queries = greatest(known.queries, excluded.queries),
    rows = greatest(known.rows, excluded.rows)`,
				u.Date.Midnight(), u.Function, u.Calls, u.Commands, u.RoundTrips, u.Sent, u.Received, u.Failed, u.Throttled, u.Replayed,
				u.Accepted, u.Queries, u.Rows)
		}
	})
}

// Between reads the cost of the days from from to to, both included, by date and function.
// 1 round trip.
func (a UsageDays) Between(ctx context.Context, from, to game.Date) ([]Usage, error) {
	return Collect(ctx, a.db, "read the usage of days", `
SELECT date, function, calls, commands, round_trips, sent, received, failed, throttled, replayed,
    accepted, queries, rows
FROM usage_days
WHERE date BETWEEN $1 AND $2 ORDER BY date, function`, []any{from.Midnight(), to.Midnight()}, pgx.RowToStructByName[Usage])
}

// PutChecks keeps both figures of days, in place of those of an earlier comparison.
// 1 round trip.
func (a UsageDays) PutChecks(ctx context.Context, checks []game.UsageCheck) error {
	return a.db.Together(ctx, "keep both figures of days", func(b *pgx.Batch) {
		for _, c := range checks {
			b.Queue(`
INSERT INTO usage_checks (date, counted, upstash, checked_at) VALUES ($1, $2, $3, $4)
ON CONFLICT (date) DO UPDATE SET counted = excluded.counted, upstash = excluded.upstash, checked_at = excluded.checked_at`,
				c.Date.Midnight(), c.Counted, c.Upstash, c.At.UTC())
		}
	})
}

// Checks reads both figures of the days from from to to, both included,
// oldest first.
// 1 round trip.
func (a UsageDays) Checks(ctx context.Context, from, to game.Date) ([]game.UsageCheck, error) {
	return Collect(ctx, a.db, "read both figures of days", `
SELECT date, counted, upstash, checked_at AS at FROM usage_checks WHERE date BETWEEN $1 AND $2 ORDER BY date`,
		[]any{from.Midnight(), to.Midnight()}, pgx.RowToStructByName[game.UsageCheck])
}

// UsagePart is the cost of one function on one day, in UTC, on one route for one kind of
// caller.
type UsagePart struct {
	Date       game.Date
	Function   string
	Route      string
	Caller     string
	Calls      int64
	Commands   int64 // billed by Upstash
	RoundTrips int64
}

// PutParts keeps parts. For the same part the larger number counts, column by column: the
// numbers are sums that only grow.
// 1 round trip.
func (a UsageDays) PutParts(ctx context.Context, parts []UsagePart) error {
	return a.db.Together(ctx, "keep the parts of usage", func(b *pgx.Batch) {
		for _, p := range parts {
			b.Queue(`
INSERT INTO usage_parts AS known (date, function, route, caller, calls, commands, round_trips)
VALUES ($1, $2, $3, $4, $5, $6, $7)
ON CONFLICT (date, function, route, caller) DO UPDATE SET
    calls = greatest(known.calls, excluded.calls), commands = greatest(known.commands, excluded.commands),
    round_trips = greatest(known.round_trips, excluded.round_trips)`,
				p.Date.Midnight(), p.Function, p.Route, p.Caller, p.Calls, p.Commands, p.RoundTrips)
		}
	})
}

// Parts reads the parts of the days from from to to, both included, by date,
// function, route and caller.
// 1 round trip.
func (a UsageDays) Parts(ctx context.Context, from, to game.Date) ([]UsagePart, error) {
	return Collect(ctx, a.db, "read the parts of usage", `
SELECT date, function, route, caller, calls, commands, round_trips
FROM usage_parts
WHERE date BETWEEN $1 AND $2 ORDER BY date, function, route, caller`, []any{from.Midnight(), to.Midnight()}, pgx.RowToStructByName[UsagePart])
}
