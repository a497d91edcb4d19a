// Package closing does what time does to boards: it closes and archives days, closes weeks and
// months and keeps their tops, makes a lost Redis again from Postgres, and compares Redis with
// Postgres.
//
// sides*.go keep Redis and Postgres in agreement about what both keep of players besides boards:
// profiles, bans, claims, and what features mirror, in one order.
//
// It knows the boards (package leaderboard) and the archive (package archive) and brings the two
// together; each run is given the time. It does not know HTTP, its caller, or where it runs.
// Every job may run any number of times, late, twice at once, or be cut off anywhere, and ends
// with the same boards and rows.
package closing

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lifecycle"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

// ErrNoArchive is returned if a job needs Postgres and there is none.
var ErrNoArchive = errors.New("there is no archive: set DATABASE_URL")

// Closing does the scheduled work of one game.
type Closing struct {
	Game  *game.Game
	Store *lifecycle.Parts
	// Archive may be nil: then boards close all the same, and nothing outlives them.
	Archive *archive.Archive
	Now     func() time.Time
	// Repairs says that boards which Redis has lost will be made again: until then the archive
	// does not take over what is left of them.
	Repairs bool
	// Features take part in the order of the list, see package lifecycle.
	Features []any
}

// Spent is what a run cost.
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

// scheduled makes a run of a job. busy says that another run was at work all the time, and
// this one did nothing.
func (c *Closing) scheduled(ctx context.Context, job string, run func(context.Context) error) (spent Spent, busy bool, err error) {
	spent, err = c.metered(ctx, func(ctx context.Context) error {
		ran, err := c.Store.DB.WithLock(ctx, job, run)
		busy = !ran && err == nil
		return err
	})
	return spent, busy, err
}

// ErrAtWork is returned if a schedule holds the lock all the time.
var ErrAtWork = errors.New("a schedule is running; try again when it has finished")

// alone runs a job under its lock. Errors: ErrAtWork.
func alone(ctx context.Context, db *redis.DB, job string, run func(context.Context) error) error {
	ran, err := db.WithLock(ctx, job, run)
	if err == nil && !ran {
		return ErrAtWork
	}
	return err
}

// beginning is before every day in the archive.
var beginning = game.NewDate(1, 1, 1)

// closePeriods has features take in days, and those that the archive has got back.
func (c *Closing) closePeriods(ctx context.Context, n lifecycle.Night) error {
	return lifecycle.Each(c.Features, func(f lifecycle.PeriodCloser) error { return f.ClosePeriods(ctx, n) })
}

// GroupDay has features take in a group's day that is over in the group's time zone.
func (c *Closing) GroupDay(ctx context.Context, group string, d game.Date) error {
	return lifecycle.Each(c.Features, func(f lifecycle.GroupDayCloser) error { return f.CloseGroupDay(ctx, group, d) })
}

// clock says, by the present time, which of a game's days and periods are over, and which may
// still be in Redis.
type clock struct {
	game *game.Game
	now  func() time.Time
}

func (c *Closing) clock() clock { return clock{c.Game, c.Now} }

func (k clock) today() game.Date { return k.game.Today(k.now()) }

func (k clock) closed(p game.Period) bool { return k.game.Closed(p, k.now()) }

// lives reports whether a period's board may still be in Redis.
func (k clock) lives(p game.Period) bool { return k.game.Lifecycle(p, k.now()) < game.Expired }

// outlived reports whether the board of a month or season of a day may still be in Redis.
func (k clock) outlived(d game.Date) bool {
	return slices.ContainsFunc(k.game.OutlivingOf(d), func(p game.Period) bool { return p.Kind() != game.AllTime && k.lives(p) })
}

// oldest returns the first day whose board may still be in Redis; earlier days have been
// rolled up.
func (k clock) oldest() game.Date {
	d := k.today().AddDays(1)
	for k.lives(game.Day.Of(d.AddDays(-1))) && d.After(beginning) {
		d = d.AddDays(-1)
	}
	return d
}

// OtherGameError is returned if the archive has results, but none of a mode of the game: the
// game's boards would become empty, and a comparison would find no difference.
type OtherGameError struct{ Game string }

func (e *OtherGameError) Error() string {
	return fmt.Sprintf("the archive has results, but none of a mode of the game %s: it belongs to another game; name that one with --game FILE or $GAME; nothing was changed", e.Game)
}

// ofThisGame returns an *OtherGameError if the history is another game's. An empty one fits
// every game. It only asks the archive.
func (k clock) ofThisGame(ctx context.Context, kept *archive.Archive) error {
	tomorrow := k.today().AddDays(1)
	for _, m := range k.game.Modes {
		days, err := kept.Days.Between(ctx, m.Name, beginning, tomorrow)
		if err != nil || len(days) > 0 {
			return err
		}
	}
	return kept.Results.PlayedDates(ctx, beginning, tomorrow, func(players []game.Played) error {
		if len(players) > 0 {
			return &OtherGameError{k.game.Name}
		}
		return nil
	})
}
