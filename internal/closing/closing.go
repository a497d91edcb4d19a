// Package closing is what time does to the boards: days close and are
// archived, weeks and months close and are remembered, a lost Redis is made
// again from Postgres and held against it.
//
// It knows the boards (package board) and the archive (package archive) and
// brings the two together; each run is told the time. It must not know HTTP,
// who fires it, or where it runs. Every job may run any number of times, late,
// twice at once, or be cut off anywhere, and ends with the same boards and
// rows.
package closing

import (
	"context"
	"errors"
	"time"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/standings"
	"github.com/framedle/leaderboards/upstash"
)

// ErrNoArchive is returned where a job needs Postgres and there is none.
var ErrNoArchive = errors.New("there is no archive: set DATABASE_URL")

// Closing does the scheduled work of one game.
type Closing struct {
	Game  *game.Game
	Store *standings.Parts
	// Archive may be nil: boards then close all the same, and nothing is kept
	// beyond their lives.
	Archive *archive.Archive
	Now     func() time.Time
	// Repairs says that boards which Redis has lost are to be made again: the archive
	// does not take over what is left of them.
	Repairs bool
	// Awarded is told how many players have been given a badge; nil: nobody is.
	Awarded func(rule string, players int)
}

// Spent is what a run took.
type Spent struct {
	Commands     int64 `json:"commands"` // billed
	RoundTrips   int64 `json:"round_trips"`
	Milliseconds int64 `json:"milliseconds"`
}

func (c *Closing) metered(ctx context.Context, run func(context.Context) error) (Spent, error) {
	var meter upstash.Meter
	began := time.Now()
	err := run(upstash.WithMeter(ctx, &meter))
	usage := meter.Usage()
	return Spent{usage.Commands, usage.RoundTrips, time.Since(began).Milliseconds()}, err
}

// scheduled is a run of a job; busy says that another one was at work all the time, and
// that nothing was done.
func (c *Closing) scheduled(ctx context.Context, job string, run func(context.Context) error) (spent Spent, busy bool, err error) {
	spent, err = c.metered(ctx, func(ctx context.Context) error {
		ran, err := c.Store.DB.WithLock(ctx, job, run)
		busy = !ran && err == nil
		return err
	})
	return spent, busy, err
}

// reserve is the time that a run keeps for what follows the last day it closes.
const reserve = 20 * time.Second

// outOfTime reports whether the run should stop before it begins another day.
func outOfTime(ctx context.Context) bool {
	deadline, ok := ctx.Deadline()
	return ok && time.Until(deadline) < reserve
}

// The archive begins where the calendar does, for all that matters here.
var beginning = game.NewDate(1, 1, 1)
