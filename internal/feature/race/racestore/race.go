// Package racestore keeps races in Postgres. It knows SQL, and nothing of Redis or HTTP.
package racestore

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/feature/race"
)

// Table has the races that have started and are over.
type Table struct{ db *archive.DB }

// In is the table of an archive.
func In(a *archive.Archive) Table { return Table{a.DB()} }

// Put keeps races that are over, up to MostRows. A race that is already kept does not change.
// Erased takes the place of players who have been erased since.
// 1 round trip.
func (a Table) Put(ctx context.Context, races []race.Race) error {
	if len(races) > archive.MostRows {
		return fmt.Errorf("%d races are too many to put at once; use up to %d", len(races), archive.MostRows)
	}
	if len(races) == 0 {
		return nil
	}
	return a.db.Together(ctx, "put races", func(b *pgx.Batch) {
		for _, r := range races {
			b.Queue(`
INSERT INTO races (id, state, mode, size, open, created_at, starts_at, until, decided_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT (id) DO NOTHING`,
				r.ID, string(r.State), r.Mode, r.Size, r.Open, r.CreatedAt, r.StartsAt, r.Until, r.DecidedAt)
			for i, seat := range r.Seats {
				b.Queue(`
INSERT INTO race_seats (race, seat, player, k, score, gave_up, place, before, after)
VALUES ($1, $2, CASE WHEN erased_since($3, $10) THEN $11 ELSE $3 END, $4, $5, $6, $7, $8, $9) ON CONFLICT (race, seat) DO NOTHING`,
					r.ID, i+1, seat.Player, seat.K, (*int64)(seat.Score), seat.Left, seat.Place, seat.Rating.Before, seat.Rating.After,
					r.DecidedAt, archive.Erased)
			}
		}
	})
}

// raceRows reads the seats of races, one race after another.
const raceRows = `
SELECT r.id, r.state, r.mode, r.size, r.open, r.created_at, r.starts_at, r.until, r.decided_at,
    s.player, s.k, s.score, s.gave_up, s.place, s.before, s.after
FROM races AS r JOIN race_seats AS s ON s.race = r.id `

// raceRow is one seat with its race.
type raceRow struct {
	race race.Race
	seat race.Seat
}

func scanRace(row pgx.CollectableRow) (of raceRow, err error) {
	r, s := &of.race, &of.seat
	return of, row.Scan(&r.ID, &r.State, &r.Mode, &r.Size, &r.Open, &r.CreatedAt, &r.StartsAt, &r.Until, &r.DecidedAt,
		&s.Player, &s.K, &s.Score, &s.Left, &s.Place, &s.Rating.Before, &s.Rating.After)
}

// gather adds rows of seats to races; the seats of a race are consecutive rows.
func gather(races []race.Race, rows []raceRow) []race.Race {
	for _, row := range rows {
		if n := len(races); n == 0 || races[n-1].ID != row.race.ID {
			races = append(races, row.race)
		}
		last := &races[len(races)-1]
		last.Seats = append(last.Seats, row.seat)
	}
	return races
}

// racesPage is roughly how many races Since gives in one call.
const racesPage = 500

// Since reads the races that were made at a time or later, oldest first. It calls each as
// [archive.Results.OfDay] does.
// 1 round trip.
func (a Table) Since(ctx context.Context, since time.Time, each func([]race.Race) error) error {
	var races []race.Race
	give := func(least int) error {
		// The last race may have seats in the next rows.
		if len(races) <= least {
			return nil
		}
		whole := len(races) - least
		if err := each(races[:whole]); err != nil {
			return err
		}
		races = append([]race.Race(nil), races[whole:]...)
		return nil
	}
	err := archive.Stream(ctx, a.db, "read the latest races", raceRows+`WHERE r.created_at >= $1 ORDER BY r.created_at, r.id, s.seat`,
		[]any{since}, scanRace, func(rows []raceRow) error {
			races = gather(races, rows)
			if len(races) < racesPage {
				return nil
			}
			return give(1)
		})
	if err != nil {
		return err
	}
	return give(0)
}

// Of lists a player's races, newest first: those made before a moment, or at that moment with
// a lesser id.
// 1 round trip.
func (a Table) Of(ctx context.Context, player string, at time.Time, id string, limit int) ([]race.Race, error) {
	rows, err := archive.Collect(ctx, a.db, "list the races of a player", raceRows+`
WHERE r.id IN (
    SELECT o.id FROM races AS o JOIN race_seats AS mine ON mine.race = o.id
    WHERE mine.player = $1 AND (o.created_at, o.id) < ($2, $3) ORDER BY o.created_at DESC, o.id DESC LIMIT $4
) ORDER BY r.created_at DESC, r.id DESC, s.seat`, []any{player, at, id, limit}, scanRace)
	return gather(nil, rows), err
}

// eraseRaces puts Erased in a player's place.
const eraseRaces = `UPDATE race_seats SET player = $2 WHERE player = $1`

// Tables are the tables of races.
func Tables() archive.Tables {
	return archive.Tables{
		Name:  "races",
		Keeps: archive.Keeping(`EXISTS (SELECT FROM race_seats WHERE player = $1)`),
		Erase: func(b *pgx.Batch, player string) { b.Queue(eraseRaces, player, archive.Erased) },
	}
}
