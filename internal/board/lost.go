package board

import (
	"context"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/rdb"
)

// A board of a period that is over may be empty in Redis because nobody played,
// or because Redis has lost it. Which it is, is remembered for a while, so that
// the archive is not asked again for each reader of an empty board.

const (
	rememberFindings = 4096             // boards
	findingFresh     = 10 * time.Minute // how long it is believed
)

// finding is what was last found of a board of a period that is over.
type finding struct {
	board state
	at    time.Time
}

type state int

const (
	there state = 1 + iota // Redis has it
	empty                  // nobody is on it
	lost                   // the archive has it, and Redis does not
)

func (r *Reader) remembers(b game.Board, as state) bool {
	f, ok := r.found.Get(b.Key)
	age := r.boards.DB.Now().Sub(f.at)
	return ok && f.board == as && age >= 0 && age < findingFresh
}

// isArchived reports whether the archive answers for a board whose period is that
// old: it has left Redis, or Redis is known to have lost it.
func (r *Reader) isArchived(b game.Board, age game.Lifecycle) bool {
	return r.archive != nil && (age == game.Expired || r.remembers(b, lost))
}

// isLost reports whether a board of a period that is over is not in Redis, but
// in the archive.
//
// Cost: nothing where that is remembered; else 1 billed command where the board
// has not just been counted and, where nobody is on it, 1 or 2 round trips to
// Postgres. Errors: those of the archive.
func (r *Reader) isLost(ctx context.Context, b game.Board) (bool, error) {
	if r.remembers(b, empty) {
		return false, nil
	}
	var players int64
	var p rdb.Pipeline
	r.boards.Rollup.AskTotal(&p, b, &players)
	if _, err := p.Run(ctx, r.boards.DB.Redis); err != nil {
		return false, rdb.Wrap("count "+b.Key, err)
	}
	found := there
	if players == 0 {
		run, err := r.archive.Page(ctx, b, 1, 0, nil)
		if err != nil {
			return false, err
		}
		if found = empty; run.Total > 0 {
			found = lost
		}
	}
	r.found.Add(b.Key, finding{found, r.boards.DB.Now()})
	return found == lost, nil
}
