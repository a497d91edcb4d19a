package board

import (
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/memory"
	"github.com/framedle/leaderboards/internal/notices"
	"github.com/framedle/leaderboards/internal/rdb"
)

const (
	// smallBoard is the largest board that is read whole if a request needs a player's rank and
	// the total, or the places around: one command for all of these, some 65 KB. The process
	// then also has the top for the next reader.
	smallBoard = notices.LargeFrom
	// smallInBytes replaces smallBoard, and longestInBytes longestRun, if the deployment spares
	// bytes.
	smallInBytes, longestInBytes = 100, 100
	// longestRun is how many entries of a larger board a write may plan to read for its rank
	// and the total, at 55 bytes each. mayGrow is how many more players may have entered the
	// board since it was counted.
	longestRun, mayGrow = 5000, 1000
	// widestGuess is the most positions among which a write looks for a score. For a wider
	// guess it is cheaper to ask for the rank.
	widestGuess = 200
	// shownAround is how many places above and below the player's own are shown with a score.
	shownAround = 5
)

// look is the run of the board that a write reads in its first round trip.
type look struct {
	*reading              // nil: none
	entries  []game.Entry // of that run, the best first once it is sized up
	isTop    bool         // they begin with the best, and the total is known
	unsized  bool         // the run should have shown the total, and did not
	mark     uint64       // of the board's top when the write began
}

// showsTotal reports whether the run is meant to show how many players are on the board.
func (l look) showsTotal() bool { return l.reading != nil && l.toEnd }

// readWhole is how many players a board may have that is read whole.
func readWhole(db *rdb.DB) int64 {
	if db.SparesBytes {
		return smallInBytes
	}
	return smallBoard
}

// whereToLook is the run of the board that a write reads instead of asking for the player's
// rank, in the same round trip; nil: none. It reads one if the total is due, or if the request
// shows places of the board:
//   - From the position at which the score is likely to enter to an end of the board. That is
//     one command instead of two or three.
//   - The whole board, if it is likely small, and either that position cannot be guessed or
//     this process serves pages too: then the next reader has the top.
//   - If the board is large and the request shows the places around: those around that position.
//
// A run does not show shared ranks, unless it is the whole board.
func (w *write) whereToLook() *reading {
	top := w.topDue()
	if w.house != nil || w.size.fresh && !top && !w.ShowsAround {
		return nil // it is not the first round trip, or the rank alone is wanted
	}
	likely, guessed := w.s.Totals.Likely(w.board.Key)
	small := guessed && likely < readWhole(w.s.DB)
	guesses := w.size.counted && w.Mode.Ties != game.Shared
	switch {
	case small && (!guesses || w.s.Windows.AreRead.Load()):
		return &reading{last: readWhole(w.s.DB), toEnd: true}
	case !guesses:
		return nil
	}
	first, last := w.s.landings.Guess(w.board, w.Score, w.size.before)
	first, last = max(0, first-shownAround), last+shownAround
	if top {
		if run := toAnEnd(w.s.DB, first, last, w.size.before, true); run != nil {
			return run
		}
	}
	if small || !w.size.fresh {
		if run := toAnEnd(w.s.DB, first, last, w.size.before, false); run != nil {
			return run
		}
	}
	if w.ShowsAround && last-first < widestGuess+2*shownAround {
		return &reading{first: first, last: last}
	}
	return nil
}

// toAnEnd is the run from a player's places to an end of a board with that many players: to the
// nearer end, or to the best if the top is due. Its positions count from the other end of the
// board. So if players enter meanwhile, the run only gets longer: it still has the places and
// reaches the end. It is nil if the run would be too long.
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

// sizeUp takes the total from a run that should reach the board's end, and the top if the run
// has it.
func (w *write) sizeUp() {
	if !w.look.showsTotal() {
		return
	}
	players, whole := w.look.end(w.look.entries)
	w.size.asked, w.look.unsized = whole, !whole
	if !whole {
		return
	}
	w.size.total = players
	*w.look.reading = w.look.bestFirst(w.look.entries)
	w.look.isTop = w.look.first == 0
}

// findInRun takes the player's place and rank from the run. It reports false if the run does
// not have the player, or should have reached the board's end and did not.
func (w *placing) findInRun() bool {
	at := w.look.placeOf(w.Player, w.look.entries)
	if !at.Found || w.look.unsized {
		return false
	}
	w.now, w.ranked = at, true
	if w.look.first == 0 { // the run has all better entries, so it shows shared ranks
		w.board.RankAmongThemselves(w.look.entries)
		w.now.Position = w.look.entries[at.Position].Rank - 1
	}
	w.outcome.Run = Run{w.look.entries, *w.look.reading}
	return true
}
