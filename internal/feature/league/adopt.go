package league

import (
	"context"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/redis"
)

// Adopter is what an archive that was lost needs.
type Adopter interface {
	// Next returns the first week that is not settled; zero: leagues have not begun.
	Next(ctx context.Context) (game.Date, error)
	// Adopt begins leagues with a week and the seats that players have in it, read from a
	// moment on. Where leagues have begun, it does nothing.
	Adopt(ctx context.Context, week game.Date, seats []Seat, from time.Time) error
}

// adopt gives an archive in which leagues have not begun the cohorts that Redis has: an archive
// that was lost. So nobody's tier or cohort changes in the middle of a week.
//
// Cost: nothing if leagues have begun; else 1 billed command, and if Redis has cohorts 1 for
// every 20,000 players.
func adopt(ctx context.Context, db *redis.DB, archive Adopter) error {
	next, err := archive.Next(ctx)
	if err != nil || !next.IsZero() {
		return err
	}
	from := db.Now()
	week := game.Week.Of(game.DateOf(from))
	weeks := []game.Period{week}
	if before, _ := week.Previous(); from.Before(expires(db.Game, before)) {
		weeks = append(weeks, before) // it may not be settled yet
	}
	for _, week := range weeks {
		var seats []Seat
		err := db.EachMember(ctx, Key(week.First()), func(page []redis.Member) error {
			for _, m := range page {
				seats = append(seats, SeatOf(m.Player, int64(m.Stored)))
			}
			return nil
		})
		if err != nil {
			return err
		}
		if len(seats) > 0 {
			return archive.Adopt(ctx, week.First(), seats, from)
		}
	}
	return nil
}
