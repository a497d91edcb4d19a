package api

import (
	"context"
	"time"

	"github.com/framedle/leaderboards/internal/game"
)

// A board of a period that is over may be empty in Redis because nobody played,
// or because Redis has lost it. Which it is, is remembered for a while, so that
// the history is not asked again for each reader of an empty board.

const (
	rememberPlaces = 4096             // boards
	placeFresh     = 10 * time.Minute // how long it is believed
)

// place is what was last found of a board of a period that is over.
type place struct {
	found whereabouts
	at    time.Time
}

type whereabouts int

const (
	there whereabouts = 1 + iota // Redis has it
	empty                        // nobody is on it
	lost                         // the history has it, and Redis does not
)

func (rs reads) remembers(b game.Board, found whereabouts) bool {
	p, ok := rs.places.Get(b.Key)
	age := rs.now().Sub(p.at)
	return ok && p.found == found && age >= 0 && age < placeFresh
}

// isLost reports whether a board of a period that is over is not in Redis, but
// in the history.
//
// Cost: nothing where that is remembered; else 1 billed command where the board
// has not just been counted and, where nobody is on it, 1 or 2 round trips to
// Postgres. Errors: ErrHistoryAway.
func (rs reads) isLost(ctx context.Context, b game.Board) (bool, error) {
	if rs.remembers(b, empty) {
		return false, nil
	}
	nobody, err := rs.boards.Nobody(ctx, b)
	if err != nil {
		return false, err
	}
	found := there
	if nobody {
		run, err := rs.history.Page(ctx, b, 1, 0, nil)
		if err != nil {
			return false, err
		}
		if found = empty; run.Total > 0 {
			found = lost
		}
	}
	rs.places.Add(b.Key, place{found, rs.now()})
	return found == lost, nil
}
