package soak

import (
	"context"
	"fmt"
	"strings"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/local"
)

// Options say what is played, and what the product is expected to keep.
type Options struct {
	Product *local.Product // fresh, and running Game
	Game    *game.Game
	Seed    uint64
	Players int // 1 to 1,048,576
	Start   game.Date
	Days    int // at least 1
	Steps   int // of a day: how often the clock is moved and plays are sent; at least 1
	Workers int // requests under way at once; at least 1
	Every   int // days from one look at all boards to the next; at least 1

	// ImportDays is how far back the operator fills days, 0 for not at all.
	ImportDays int
	// LossDay is the day of the run that begins with an empty Redis; 0 for
	// none. Restore then brings back what was there, and Verify, where it is
	// given, holds what was restored against what it was restored from.
	LossDay         int
	Restore, Verify func(context.Context) error
	// PlayedLossDay is the day of the run in the middle of which Redis is emptied
	// while everybody plays on, and restored after that; 0 for none.
	PlayedLossDay int
	// Removals has the operator take scores and players out.
	Removals bool
	// History expects closed periods that have left Redis.
	History bool
	// Streaks expects GET /v1/me to tell XP, level and streak.
	Streaks bool
	// Snapshots expects the top of closed weeks and months in the database.
	Snapshots bool

	// Log is told what happens, a line at a time.
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

// Report tells what was done.
type Report struct {
	Plays    int64 // taken, refused and sent again
	Refused  int64
	Repeated int64 // requests sent once more
	Runs     int64 // of schedules
	Killed   int64 // of these, cut off
	Looks    int64 // at all boards
	Boards   int64 // read and held against the model
	Rows     int64
	Cards    int64
}

// Failure is what was not as it must be.
type Failure struct {
	Seed  uint64
	Day   int      // of the run
	Steps []string // of the day so far
	Wrong []string
}

// maxWrong is how many differences a failure tells.
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
