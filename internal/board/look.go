package board

import (
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/memory"
	"github.com/framedle/leaderboards/internal/rdb"
)

const (
	// smallBoard is the largest board that is read whole where both the player's rank
	// and the total are to be known, or the places around: one command for all of them,
	// some 50 KB, and a top for those who look next.
	smallBoard = 1000
	// smallInBytes is that board where bytes are spared, and longestInBytes the longest run.
	smallInBytes, longestInBytes = 100, 100
	// longestRun is how many entries a write may plan to read for its rank and the total
	// of a larger board, 55 bytes each, and mayGrow by how many more the board may have
	// grown since it was counted.
	longestRun, mayGrow = 5000, 1000
	// widestGuess is how many positions a score may be looked for among before it is
	// better to ask for its rank.
	widestGuess = 200
	// shownAround is how many places above and below a player's own are shown with a
	// score.
	shownAround = 5
)

// readWhole is the largest board that is read whole.
func readWhole(db *rdb.DB) int64 {
	if db.SparesBytes {
		return smallInBytes
	}
	return smallBoard
}

// whereToLook is the run of the board that a write reads in the place of the player's
// rank, in the same round trip; nil: none.
//   - All of a board that is likely small, where its total is due or what is shown next
//     is on it.
//   - From where the score is likely to come in to an end of the board, where the total
//     or the top is due: one command tells what would take two or three.
//   - The places where the score is likely to come in, where those around it are shown
//     next.
//
// A run tells no rank that is shared, unless it is the whole board.
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

// toAnEnd is the run from a player's places to the worst or to the best of a board of so
// many players, whichever is the shorter; to the best, where the top is due. Players who
// have come since make it longer, and move neither end of it off the places. Nil: it would
// be too long.
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

// topDue reports whether the board's top is shown next, and not in memory.
func (w *write) topDue() bool {
	if w.ShowsTop == 0 {
		return false
	}
	_, _, held := w.s.pages.top(w.board, w.ShowsTop)
	return !held
}

// sizeUp takes the board's total from a run that was to tell it, and its top where that
// is in it.
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

// findInRun finds the player in what was read of the board, and reports whether that
// has them, and their rank.
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
