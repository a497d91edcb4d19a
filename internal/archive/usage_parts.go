package archive

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/framedle/leaderboards/internal/game"
)

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
	return a.db.together(ctx, "keep the parts of usage", func(b *pgx.Batch) {
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
	return collect(ctx, a.db, "read the parts of usage", `
SELECT date, function, route, caller, calls, commands, round_trips
FROM usage_parts
WHERE date BETWEEN $1 AND $2 ORDER BY date, function, route, caller`, []any{from.Midnight(), to.Midnight()}, pgx.RowToStructByName[UsagePart])
}
