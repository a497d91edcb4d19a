package archive

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/framedle/leaderboards/internal/game"
)

// Days are the days of modes, and how far each is archived.
type Days struct{ db *database }

// ArchivedDay is how far a day of a mode is archived.
type ArchivedDay struct {
	Date       game.Date
	Players    int64
	Complete   bool
	AsClosed   bool      // the newest closing has written it as it stands; not known for days from before migration 16
	Changed    bool      // a score was removed since a run last finished, or a run was cut off
	ArchivedAt time.Time // when a run last finished; zero: none has
	Source     string    // the Redis that it was written from; "": from before Redis had a name
}

// Between lists the days of a mode that runs have begun to write, ascending.
// 1 round trip.
func (a Days) Between(ctx context.Context, mode string, from, to game.Date) ([]ArchivedDay, error) {
	return collect(ctx, a.db, "list the archived days of "+mode, `
SELECT date, players, complete, complete AND closing = finished AS as_closed, begun > finished AS changed, archived_at, source FROM archived_days
WHERE mode = $1 AND date BETWEEN $2 AND $3 ORDER BY date`,
		[]any{mode, from.Midnight(), to.Midnight()}, pgx.RowToStructByName[ArchivedDay])
}

// Complete returns the days that Between lists, and for each whether it is complete.
// 1 round trip.
func (a Days) Complete(ctx context.Context, mode string, from, to game.Date) (map[game.Date]bool, error) {
	days, err := a.Between(ctx, mode, from, to)
	complete := make(map[game.Date]bool, len(days))
	for _, d := range days {
		complete[d.Date] = d.Complete
	}
	return complete, err
}

// Whole lists the complete days from one date on.
// 1 round trip.
func (a Days) Whole(ctx context.Context, from game.Date) ([]game.DayName, error) {
	return collect(ctx, a.db, "list whole days", `SELECT mode, date FROM archived_days WHERE complete AND date >= $1`,
		[]any{from.Midnight()}, pgx.RowToStructByName[game.DayName])
}
