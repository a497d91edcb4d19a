package board

import (
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/memory"
	"github.com/framedle/leaderboards/internal/rdb"
)

const (
	// smallBoard is the largest board that is read whole where a request needs a player's rank
	// and the total, or the places around: one command for all of these, some 50 KB. It also
	// brings the top for the next reader.
	smallBoard = 1000
	// smallInBytes is smallBoard, and longestInBytes is longestRun, where bytes are spared.
	smallInBytes, longestInBytes = 100, 100
	// longestRun is how many entries of a larger board a write may plan to read for its rank
	// and the total, 55 bytes each. mayGrow is how many more players may have come onto the
	// board since it was counted.
	longestRun, mayGrow = 5000, 1000
	// widestGuess is the most positions among which a write looks for a score; beyond that it
	// is better to ask for the rank.
	widestGuess = 200
	// shownAround is how many places above and below the player's own are shown with a score.
	shownAround = 5
)

// readWhole is the largest board that is read whole.
func readWhole(db *rdb.DB) int64 {
	if db.SparesBytes {
		return smallInBytes
	}
	return smallBoard
}

// whereToLook is the run of the board that a write reads instead of asking for the player's
// rank, in the same round trip; nil: none.
//   - All of a board that is likely small, where its total is due or the request goes on to
//     show places of it.
//   - From where the score is likely to come in to an end of the board, where the total or
//     the top is due: one command in place of two or three.
//   - The places around where the score is likely to come in, where the request shows them
//     next.
//
// A run does not show shared ranks, unless it is the whole board.
func (w *write) whereToLook() *reading {
	likely, guessed := w.s.Totals.Likely(w.board.Key)
	top := w.topDue()
	switch {
	case w.house != nil: // it is not the first round trip
		return nil
	case guessed && likely < readWhole(w.s.DB) && (!w.fresh || top || w.ShowsAround):
		return &reading{last: readWhole(w.s.DB), toEnd: true}
	case !w.counted || w.Mode.Ties == game.Shared || w.fresh && !top && !w.ShowsAround:
		return nil
	}
	first, last := w.s.landings.Guess(w.board, w.Score, w.before)
	first, last = max(0, first-shownAround), last+shownAround
	if top {
		if run := toAnEnd(w.s.DB, first, last, w.before, true); run != nil {
			return run
		}
	}
	if !w.fresh {
		if run := toAnEnd(w.s.DB, first, last, w.before, false); run != nil {
			return run
		}
	}
	if w.ShowsAround && last-first < widestGuess+2*shownAround {
		return &reading{first: first, last: last}
	}
	return nil
}

// toAnEnd is the run from a player's places to an end of a board of so many players: to the
// worst or to the best, whichever is nearer; to the best where the top is due. Positions count
// from the other end of the board, so players who come in meanwhile only make the run longer:
// it still has the places and reaches the end. Nil: the run would be too long.
func toAnEnd(db *rdb.DB, first, last, players int64, top bool) *reading {
	longest := int64(longestRun)
	if db.SparesBytes {
		longest = longestInBytes
	}
	run := reading{first: max(0, players-max(last+1, memory.WindowSize)), upwards: true, toEnd: true}
	if !top && first >= run.first {
		run = reading{first: first, toEnd: true}
	}
	if players-run.first > longest {
		return nil
	}
	run.last = run.first + longest + mayGrow
	return &run
}

// topDue reports whether the request shows the board's top next and memory does not have it.
func (w *write) topDue() bool {
	if w.ShowsTop == 0 {
		return false
	}
	_, _, held := w.s.pages.top(w.board, w.ShowsTop)
	return !held
}

// sizeUp takes the total from a run that was meant to reach the board's end, and the top where
// the run has it.
func (w *write) sizeUp() {
	if w.look == nil || !w.look.toEnd {
		return
	}
	players, told := w.look.end(w.read)
	w.asked, w.unsized = told, !told
	if !told {
		return
	}
	w.total = players
	*w.look = w.look.bestFirst(w.read)
	if w.look.first == 0 {
		w.top = w.read
	}
}

// findInRun takes the player's place and rank from the run. It reports false where the run
// does not have the player, or did not reach the board's end as it was meant to.
func (w *placing) findInRun() bool {
	at := w.look.placeOf(w.Player, w.read)
	if !at.Found || w.unsized {
		return false
	}
	w.now, w.ranked = at, true
	if w.look.first == 0 { // with all who are better
		w.board.RankAmongThemselves(w.read)
		w.now.Position = w.read[at.Position].Rank - 1
	}
	w.outcome.Run = Run{w.read, *w.look}
	return true
}
