package board

import (
	"context"
	"slices"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/memory"
	"github.com/framedle/leaderboards/internal/notices"
	"github.com/framedle/leaderboards/internal/rdb"
	"github.com/framedle/leaderboards/internal/rollup"
	"github.com/framedle/leaderboards/upstash"
)

// Outcome is what stands after a submission.
type Outcome struct {
	Status game.Status
	Score  game.Score
	Rank   int64 // 1-based, exact at the moment of the write
	Total  int64 // players on the board, at most 10 s old, never below Rank

	// Run is what the write has read of the day's board, the player in it.
	Run Run
	// Week is what the day's week must have of the player now, where that is known.
	Week rdb.Place

	// Of a claimed play: the score with its tie fraction, and what is to be kept of its
	// details with the answer, which may be nothing.
	Stored  float64
	Details string
}

// Seen is what the write has seen of the player's place.
func (o Outcome) Seen() Seen { return Seen{Rank: o.Rank, Run: o.Run, Week: o.Week} }

// Submit writes one score to the day's board (and the scoped ones) and answers
// where the player now stands.
//
// Cost: first and best 2 billed commands in 1 round trip, sum 4 in 1, latest 4
// in 1; one more for each group, for a level, for details unless it is a play's, for the
// total where this process knows none or, above 1,000 players and where no run of the
// board tells it (look.go), one that is 10 s old, once per process for a new key,
// for a player whom the process does not know, and every 15 minutes, in a round trip
// of its own, for who is banned. A board that this process has not met is taken to be
// as large as the largest that it has: one that is larger than it is taken for takes
// 1 more, in a second round trip, and so does a player who is shown the places around
// where the score was thought to come in elsewhere. A player who is new to the game takes 2 more in a
// second one. Ties of style shared need one more when an earlier score stands.
func (s *Store) Submit(ctx context.Context, sub game.Submission) (Outcome, error) {
	return s.submit(ctx, sub, false)
}

// submit goes down once and comes back once: what the process knows becomes a write,
// the write is sent, and what it learnt is remembered.
func (s *Store) submit(ctx context.Context, sub game.Submission, queued bool) (Outcome, error) {
	if !s.Rollup.Calendar.Writable(sub.Date) {
		return Outcome{}, ErrDaySealed
	}
	if err := s.Notices.MayPlay(ctx, sub.Player); err != nil {
		return Outcome{}, err
	}
	w := s.newWrite(sub, queued)
	var err error
	if sub.Mode.Policy == game.Sum {
		err = newSumming(w).sum(ctx)
	} else {
		err = (&placing{write: w}).place(ctx)
	}
	w.rememberTotal()
	if err != nil {
		s.Windows.Outdate(w.board.Key) // it may have been written all the same
		return Outcome{}, err
	}
	w.rememberEntry()
	added := int64(0)
	if w.outcome.Status == game.Accepted {
		added = 1
	}
	lost := w.lost || w.asked && shrunk(w.before, w.counted, added, w.total)
	if err := w.house.settle(ctx, lost); err != nil || added == 0 || w.total != 1 {
		return w.outcome, err
	}
	return w.outcome, w.house.begin(ctx, notices.DayKey{Mode: w.Mode.Name, Date: w.Date})
}

// write is one submission on its way: what is known of it before anything is asked
// of Redis, and what Redis answers.
type write struct {
	s *Store
	game.Submission
	queued bool // it came out of the queue, and may come again
	late   bool // others may have written meanwhile what was said later
	board  game.Board
	scoped []string  // keys of boards that follow the day's: of groups
	own    []string  // keys of boards with entries of their own: of levels
	stored float64   // what we ask Redis to store
	known  bool      // this process has seen an entry of the player before
	was    rdb.Place // that entry, if known

	before   int64  // the total as it was last known,
	counted  bool   // if it was,
	fresh    bool   // and whether it is fresh enough for an answer
	mark     uint64 // of the total as the write began
	topMark  uint64 // of the board's top
	answered bool   // Redis has answered: what follows is known
	asked    bool   // the write had the total counted anew

	house *housekeeping
	lost  bool // Redis is not the one that the write took it for

	look     *reading      // where the board is read with the write; nil: nowhere
	read     []game.Entry  // what stands there after it
	top      []game.Entry  // the same, where it begins with the best and the total is known
	unsized  bool          // it was to tell the total, and has not
	prior    *rollup.Prior // what the week had before, where it is shown next
	now      rdb.Place     // where the player stands after the write
	added    bool          // the player was not on the board
	total    int64         // players on the board, if Redis has counted them
	recorded int64         // a total as it was answered before
	outcome  Outcome
}

func (s *Store) newWrite(sub game.Submission, queued bool) *write {
	w := &write{s: s, Submission: sub, queued: queued}
	w.stored, w.board = sub.Stored(s.DB.Game), sub.Day()
	w.scoped, w.own = sub.Scoped()
	w.late = queued || sub.At.Before(s.DB.Now().Add(-rollup.InFlight))
	w.was, w.known = s.Places.Get(memory.EntryID{Board: w.board.Key, Player: sub.Player})
	w.before, w.counted, w.fresh, w.mark = s.Totals.Begin(w.board.Key)
	w.topMark = s.Windows.Begin(w.board.Key)
	return w
}

// run sends a write in one round trip; what every write brings along (expiry,
// index, name, record, total) goes with the first.
func (w *write) run(ctx context.Context, p *rdb.Pipeline) (attempts int, err error) {
	first := w.house == nil
	if first {
		w.house = w.keepHouse(p)
		w.countPlay(p)
		w.s.Outbox.post(p, w)
		w.s.told.of(p, w)
		if w.asked = !w.fresh && (w.look == nil || !w.look.toEnd); w.asked {
			p.Add(upstash.Cmd("ZCARD", w.board.Key), rdb.IntInto(&w.total))
		}
	} else {
		w.house.reopen(p, w.Mode, w.Date)
	}
	if attempts, err = p.Run(ctx, w.s.DB.Redis); err != nil || !first {
		return attempts, rdb.Wrap("write the score", err)
	}
	w.answered, w.lost = true, !w.house.done()
	w.sizeUp()
	return attempts, nil
}

// rememberTotal tells the process what the write has learnt of the board's size,
// be the score itself refused, and answers it.
func (w *write) rememberTotal() {
	totals, key := w.s.Totals, w.board.Key
	switch {
	case !w.answered:
		return
	case w.asked:
		totals.Set(key, w.total)
		w.s.Notices.Begun.Met(w.total)
	case w.unsized:
		totals.Forget(key)
		w.s.Notices.Begun.Met(int64(len(w.read)))
	case w.added && w.outcome.Status == game.Accepted:
		totals.Grow(key, w.mark)
	}
	players, _ := totals.Fresh(key)
	w.outcome.Total = max(players, w.total, w.recorded)
}

// rememberEntry completes the outcome, and tells the process what stands.
func (w *write) rememberEntry() {
	w.outcome.Score = w.Mode.Decode(w.now.Stored)
	if w.Claimed {
		w.outcome.Stored = w.now.Stored
	}
	w.outcome.Rank = w.now.Position + 1
	w.outcome.Total = max(w.outcome.Total, w.outcome.Rank)
	if w.top != nil {
		w.s.pages.keepTop(w.board, w.topMark, w.top, w.total)
	}
	if w.outcome.Status != game.Kept && w.outcome.Status != game.Replayed {
		stands := game.Entry{Player: w.Player, Stored: w.now.Stored, Score: w.outcome.Score}
		known, _ := w.s.Totals.Last(w.board.Key)
		w.s.Windows.Put(w.board, stands, known)
		if w.notesLanding() {
			w.s.landings.Note(w.board, w.outcome.Score, w.now.Position, w.outcome.Total)
		}
		if w.outcome.Status == game.Improved && w.Mode.HasScope(game.Group) {
			w.s.Windows.Follow(w.board, stands)
		}
	}
	if w.outcome.Status != game.Replayed {
		w.forgetScoped() // a kept play may have brought the entry there
		w.s.Places.Add(memory.EntryID{Board: w.board.Key, Player: w.Player}, w.now)
	}
}

// notesLanding reports whether a later write may have use for where this one has come in.
func (w *write) notesLanding() bool {
	return w.Mode.Ties == game.Earliest && (w.ShowsAround || w.ShowsTop > 0 || w.outcome.Total <= 2*longestRun)
}

// forgetScoped forgets the boards of scopes.
func (w *write) forgetScoped() {
	for _, key := range slices.Concat(w.scoped, w.own) {
		w.s.Windows.Forget(key)
		w.s.Totals.Forget(key)
	}
}
