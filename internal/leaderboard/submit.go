package leaderboard

import (
	"context"
	"maps"
	"slices"

	"github.com/framedle/leaderboards/internal/derive"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

// Outcome is the result of a submission.
type Outcome struct {
	Status game.Status
	Score  game.Score
	Rank   int64 // 1-based, exact at the moment of the write
	Total  int64 // players on the board, at most 10 s old, never below Rank

	// Whole is the day's board, with the player on it, if the write has read it whole.
	Whole []game.Entry

	// For a claimed play: the score with its tie fraction, and the record of its details that
	// is to be kept with the answer, "" for none.
	Stored  float64
	Details string
}

// Hint is what the write has seen of the player's place.
func (o Outcome) Hint() PlaceHint { return PlaceHint{Rank: o.Rank, Whole: o.Whole} }

// Submit writes one score to the day's board and to the scoped ones, and returns the player's
// current place.
//
// Cost: first and best 2 billed commands in 1 round trip, sum and latest 4 in 1. 1 more for
// each of these: a group, a level, details unless they are those of a play, a key that is new
// to the process, a player whom the process does not know, and the total if the process does
// not know it. Above 1,200 players 1 more for a total that is 10 s old; a smaller board is read
// whole then (small.go). Every 15 minutes 1 more, in another round trip, for the bans. 2 more
// in a second round trip if the board is larger than guessed (a board that the process does not
// know is guessed to be as large as the largest that it knows). A player who is new to the game
// costs 2 more in a second round trip. With shared ties, 1 more if an earlier score
// stays. A score of a day that has closed costs what [player.XP.CountLate] does too.
func (s *Store) Submit(ctx context.Context, sub game.Submission) (Outcome, error) {
	o, err := s.submit(ctx, sub, false)
	if err == nil {
		err = lateScores{s}.count(ctx, sub)
	}
	return o, err
}

// submit makes a write from what the process knows, sends it, and remembers what it has learnt
// from the answer.
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
		s.Windows.Outdate(w.board.Key) // the write may have taken effect despite the error
		return Outcome{}, err
	}
	w.rememberEntry()
	return w.outcome, w.house.settle(ctx)
}

// write is one submission: what the process knows before it asks Redis, and what Redis
// answers.
type write struct {
	s *Store
	game.Submission
	queued bool // it comes from the queue, which may deliver it again
	late   bool // it was played some time ago: a newer profile may have been written since
	board  game.Board
	scoped []string    // keys of the boards that follow the day's: of groups
	own    []string    // keys of boards with entries of their own: of levels
	stored float64     // what we ask Redis to store
	was    redis.Place // the player's entry as this process last saw it; not found: it saw none
	size   size
	whole  wholeBoard

	answered bool // Redis has answered: what follows is known
	house    *housekeeping
	now      redis.Place // the player's place after the write
	added    bool        // the player was not on the board
	recorded int64       // the total of a sum's answer, the first time and each time after
	outcome  Outcome
}

// size is how many players a write knows to be on the board.
type size struct {
	before  int64  // the last known total
	counted bool   // before is known
	fresh   bool   // before is fresh enough for an answer
	mark    uint64 // of the total when the write began
	asked   bool   // the write counts the board
	total   int64  // as Redis has counted them
}

func (s *Store) newWrite(sub game.Submission, queued bool) *write {
	w := &write{s: s, Submission: sub, queued: queued}
	w.stored, w.board = sub.Stored(s.DB.Game), sub.Day()
	w.scoped, w.own = sub.Scoped()
	w.late = queued || sub.At.Before(s.DB.Now().Add(-derive.InFlight))
	w.was, _ = s.Places.Get(derive.EntryID{Board: w.board.Key, Player: sub.Player})
	w.size.before, w.size.counted, w.size.fresh, w.size.mark = s.Totals.Begin(w.board.Key)
	return w
}

// run sends a write in one round trip. The first round trip of a write also has its
// housekeeping: expiry, index, name, record, total.
func (w *write) run(ctx context.Context, p *redis.Pipeline) (attempts int, err error) {
	first := w.house == nil
	if first {
		w.house = w.keepHouse(p)
		w.countPlay(p)
		w.s.Outbox.post(p, w)
		w.s.publisher.publish(p, w)
		if w.size.asked = !w.size.fresh && !w.whole.asked && w.Mode.Policy != game.Sum; w.size.asked { // the script of a sum counts
			p.Add(upstash.Cmd("ZCARD", w.board.Key), redis.IntInto(&w.size.total))
		}
	} else {
		w.house.reopen(p, w.Mode, w.Date)
	}
	if attempts, err = p.Run(ctx, w.s.DB.Redis); err != nil || !first {
		return attempts, redis.Wrap("write the score", err)
	}
	w.answered = true
	w.sizeUp()
	return attempts, nil
}

// rememberTotal remembers the total that the write has found, even if the score was refused,
// and puts it into the outcome.
func (w *write) rememberTotal() {
	totals, key := w.s.Totals, w.board.Key
	switch {
	case !w.answered:
		return
	case w.size.asked:
		totals.Set(key, w.size.total)
	case w.added && w.outcome.Status == game.Accepted:
		totals.Grow(key, w.size.mark)
	}
	if w.outcome.Total = w.recorded; w.recorded == 0 {
		players, _ := totals.Fresh(key)
		w.outcome.Total = max(players, w.size.total)
	}
}

// rememberEntry completes the outcome, and remembers the player's present entry.
func (w *write) rememberEntry() {
	w.outcome.Score = w.Mode.Decode(w.now.Stored)
	if w.Claimed {
		w.outcome.Stored = w.now.Stored
	}
	w.outcome.Rank = w.now.Position + 1
	w.outcome.Total = max(w.outcome.Total, w.outcome.Rank)
	if w.outcome.Status != game.Kept && w.outcome.Status != game.Replayed {
		w.s.Windows.Outdate(w.board.Key)
	}
	if w.outcome.Status != game.Replayed {
		w.forgetScoped() // a kept play may have copied the entry to these boards
		w.s.Places.Add(derive.EntryID{Board: w.board.Key, Player: w.Player}, w.now)
	}
}

// forgetScoped forgets what the process remembers of the scoped boards.
func (w *write) forgetScoped() {
	for _, key := range slices.Concat(w.scoped, w.own) {
		w.s.Windows.Forget(key)
		w.s.Totals.Forget(key)
	}
}

// lateScores are scores that were written to days that have closed: XP and streaks may have
// taken these days in, and boards that are made from them may be made once an hour only.
type lateScores struct{ s *Store }

// count brings those of the submissions that are late to their players' XP, streaks and own
// cards. It does so whatever became of them: a request that is sent again may have been cut off
// before.
func (l lateScores) count(ctx context.Context, subs ...game.Submission) error {
	players := map[game.Date]map[string]bool{} // of each day
	all := map[string]bool{}
	for _, sub := range subs {
		if !l.has(sub.Date) {
			continue
		}
		if players[sub.Date] == nil {
			players[sub.Date] = map[string]bool{}
		}
		players[sub.Date][sub.Player], all[sub.Player] = true, true
	}
	if len(all) == 0 {
		return nil
	}
	if err := l.s.Rollup.NoteLate(ctx, slices.Sorted(maps.Keys(all))); err != nil {
		return err
	}
	for _, d := range slices.SortedFunc(maps.Keys(players), game.Date.Compare) {
		if err := l.s.XP.CountLate(ctx, d, slices.Sorted(maps.Keys(players[d]))); err != nil {
			return err
		}
		l.s.Windows.Forget(game.XPKey)
		l.s.Totals.Forget(game.XPKey)
	}
	return nil
}

// has reports whether scores of a day are late.
func (l lateScores) has(d game.Date) bool { return l.s.DB.Age(game.Day.Of(d)) >= game.Closed }

// countLate counts the late scores of a batch. If that fails, they are answered with its error:
// they are to be sent again.
func (b *batch) countLate(ctx context.Context) {
	late := lateScores{b.s}
	var written []game.Submission
	for i, sub := range b.subs {
		if b.outcomes[i].Err == nil {
			written = append(written, sub)
		}
	}
	err := late.count(ctx, written...)
	for i, sub := range b.subs {
		if err != nil && b.outcomes[i].Err == nil && late.has(sub.Date) {
			b.outcomes[i].Err = err
		}
	}
}
