package soak

import (
	"context"
	"fmt"
	"strings"

	"github.com/framedle/leaderboards/internal/dev/local"
	"github.com/framedle/leaderboards/internal/game"
)

// Options say what to play, and what the product must keep.
type Options struct {
	Product *local.Product // fresh, and running Game
	Game    *game.Game
	Seed    uint64
	Players int // 1 to 1,048,576
	Start   game.Date
	Days    int // at least 1
	Steps   int // of a day: how often the clock moves and plays are sent; at least 1
	Workers int // concurrent requests; at least 1
	Every   int // days from one look at all boards to the next; at least 1

	// ImportDays is how many days back the operator imports scores; 0 for no imports.
	ImportDays int
	// LossDay is the day of the run on which Redis is emptied before the first play; 0
	// for none. Restore then makes everything in Redis again. Verify, if given,
	// compares the result with the source of the restore.
	LossDay         int
	Restore, Verify func(context.Context) error
	// PlayedLossDay is the day of the run in the middle of which Redis is emptied and
	// then restored, while everybody plays on; 0 for none.
	PlayedLossDay int
	// Removals makes the operator remove scores and erase players.
	Removals bool
	// History says that closed periods can still be read after they expired in Redis.
	History bool
	// Streaks says that GET /v1/me must tell XP, level and streak.
	Streaks bool
	// Snapshots says that the database must have snapshots of closed weeks and months.
	Snapshots bool

	// Log gets a line for each thing that happens.
	Log func(format string, args ...any)
}

func (o *Options) check() error {
	switch {
	case o.Players < 1 || o.Players > mostPlayers || o.Days < 1 || o.Steps < 1 || o.Workers < 1 || o.Every < 1:
		return fmt.Errorf("players %d, days %d, steps %d, workers %d, every %d: each must be 1 or more, and players at most 1,048,576", o.Players, o.Days, o.Steps, o.Workers, o.Every)
	case o.LossDay+o.PlayedLossDay > 0 && o.Restore == nil:
		return fmt.Errorf("a loss on day %d needs a way to restore", max(o.LossDay, o.PlayedLossDay))
	}
	return nil
}

// Report counts what a run did.
type Report struct {
	Plays    int64 // accepted, refused and repeated ones
	Refused  int64
	Repeated int64 // requests sent once more
	Runs     int64 // of scheduled functions
	Killed   int64 // of these, how many were cut off
	Looks    int64 // at all boards
	Boards   int64 // read and compared with the model
	Rows     int64
	Cards    int64
}

// Failure is what was wrong in a run.
type Failure struct {
	Seed  uint64
	Day   int      // of the run
	Steps []string // of that day, up to the failure
	Wrong []string
}

// maxWrong is how many differences a failure describes.
const maxWrong = 12

func (f *Failure) Error() string {
	text := fmt.Sprintf("seed %d, day %d: %s:", f.Seed, f.Day, strings.Join(f.Steps, ", "))
	for i, wrong := range f.Wrong {
		if i == maxWrong {
			return text + fmt.Sprintf("\n  and %d more", len(f.Wrong)-i)
		}
		text += "\n  " + wrong
	}
	return text
}
