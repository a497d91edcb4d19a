package board

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/memory"
	"github.com/framedle/leaderboards/internal/notices"
	"github.com/framedle/leaderboards/internal/rdb"
	"github.com/framedle/leaderboards/internal/rollup"
	"github.com/framedle/leaderboards/upstash"
)

// Submission is one score of one player for one day. It has been checked: the
// mode takes it, the day is open, ids and scopes are well formed.
type Submission struct {
	Mode    *game.Mode
	Player  string
	Date    game.Date
	Score   game.Score
	At      time.Time         // when it was played; orders equal scores
	Scopes  []game.Scope      // besides global
	Details json.RawMessage   // nil: none
	Profile game.Profile      // what the caller's credential says of the player
	Once    IdempotencyRecord // required by sum, unused by the other policies
	Kept    bool              // it came out of the outbox, and is not put there again
	queued  bool              // it came out of the queue, and may come again
}

// Once makes the effect of a sum happen a single time.
type IdempotencyRecord struct {
	ID          string // names caller, route and idempotency key
	Fingerprint string // of the request; another one under the same ID is refused
}

// Status tells what a submission did.
type Status string

// What a submission can do to a board.
const (
	Accepted Status = "accepted" // the player's first entry
	Improved Status = "improved" // the entry changed
	Kept     Status = "kept"     // an earlier entry stands
	Replayed Status = "replayed" // this very request had its effect before
)

// Outcome is what stands after a submission.
type Outcome struct {
	Status Status
	Score  game.Score
	Rank   int64 // 1-based, exact at the moment of the write
	Total  int64 // players on the board, at most 10 s old, never below Rank
}

// Submit writes one score to the day's board (and the scoped ones) and tells
// where the player now stands.
//
// Cost: first and best 2 billed commands in 1 round trip, sum 4 in 1, latest 4
// in 1; one more for each group, for details, for an unknown total or, above
// 1,000 players, one that is 10 s old, once per process for a new key, for a
// player whom the process does not know, and every 15 minutes, in a round trip
// of its own, for who is banned. A player who is new to the game takes 2 more in
// a second one. Ties of style shared need one more when an earlier score stands.
func (s *Store) Submit(ctx context.Context, sub Submission) (Outcome, error) {
	if !s.Rollup.Calendar.Writable(sub.Date) {
		return Outcome{}, ErrDayGone
	}
	if err := s.Notices.Know(ctx); err != nil {
		return Outcome{}, err
	}
	if s.Notices.Has(sub.Player) {
		return Outcome{}, notices.ErrBanned
	}
	w := s.newWrite(sub)
	var err error
	switch sub.Mode.Policy {
	case game.Sum:
		err = w.sum(ctx)
	default:
		err = w.place(ctx)
	}
	if err != nil {
		return Outcome{}, err
	}
	outcome := w.finish()
	if err := s.Players.TellProfiles(ctx, w.carried.profiles); err != nil {
		return Outcome{}, err
	}
	var added int64
	if outcome.Status == Accepted {
		added = 1
	}
	lost := w.lost || w.asked && shrunk(w.before, w.counted, added, w.total)
	return outcome, w.carried.settle(ctx, lost)
}

// write is one submission on its way.
type write struct {
	s *Store
	Submission
	board  game.Board
	day    game.Period
	tick   int64
	stored float64   // what we ask Redis to store
	known  bool      // this process has seen an entry of the player before
	was    rdb.Place // that entry, if known
	mark   uint64    // of the total as the write began

	before  int64 // the total as it was last known,
	counted bool  // if it was,
	asked   bool  // and whether this write has it counted anew

	whole   []game.Entry // the board after the write, where it was read
	reading bool         // whether it is

	calls   rdb.Pipeline
	carried *carried
	lost    bool      // Redis is not the one that the write took it for
	now     rdb.Place // where the player stands after the write
	ranked  bool      // whether its position is known with its score;
	ahead   int64     // if not, how many are better than the submitted score
	total   int64
	outcome Outcome
}

func (s *Store) newWrite(sub Submission) *write {
	day := game.Day.Of(sub.Date)
	w := &write{s: s, Submission: sub, day: day, board: game.BoardOf(sub.Mode, day, game.Scope{})}
	w.tick = sub.Mode.Tick(s.DB.Game, sub.Date, sub.At)
	w.stored = sub.Mode.Encode(sub.Score, w.tick)
	w.was, w.known = s.Places.Get(memory.EntryID{Board: w.board.Key, Player: sub.Player})
	w.mark = s.Totals.Mark(w.board.Key)
	w.before, w.counted = s.Totals.Last(w.board.Key)
	return w
}

func (w *write) scopedKey(scope game.Scope) string {
	return game.BoardKey(w.Mode.Name, w.day, scope)
}

// place writes the entry under the policies first, best and latest.
//
// What an entry replaced cannot be told from a write that was sent twice, since
// it leaves the same behind either way. So a process that does not know of an
// entry writes only if there is none, whatever the policy: what then stands is
// the player's first entry, or was there before. Only an entry that was there
// before is replaced, in a second round trip, or at once where it is known.
func (w *write) place(ctx context.Context) error {
	if !w.known || w.Mode.Policy == game.First {
		added, attempts, err := w.send(ctx, ifNew)
		if err != nil {
			return err
		}
		ours := w.now.Stored == w.stored
		switch {
		case added:
			w.s.Totals.Grow(w.board.Key, w.mark)
			w.outcome.Status = Accepted
		case ours && attempts > 1 && !(w.known && w.was.Stored == w.stored):
			w.outcome.Status = Accepted // an earlier sending of this very call added it
		case w.beats(w.now.Stored):
			w.was, w.known = w.now, true
			return w.improve(ctx)
		default:
			w.outcome.Status = Kept
		}
		return w.settle(ctx)
	}
	return w.improve(ctx)
}

// improve writes the entry in place of the one that is known to be there.
func (w *write) improve(ctx context.Context) error {
	added, _, err := w.send(ctx, replacing(w.Mode))
	if err != nil {
		return err
	}
	switch {
	case added: // the entry that was known has been removed
		w.s.Totals.Grow(w.board.Key, w.mark)
		w.outcome.Status = Accepted
	case w.now.Stored != w.stored, w.was.Stored == w.stored:
		w.outcome.Status = Kept
	default:
		w.outcome.Status = Improved
	}
	return w.settle(ctx)
}

// send writes the entry and learns what stands, in one round trip. What a write
// carries along goes with the first.
func (w *write) send(ctx context.Context, how string) (added bool, attempts int, err error) {
	first := w.carried == nil
	w.calls, w.now, w.ranked, w.reading = rdb.Pipeline{}, rdb.Place{}, false, false
	var players int64
	if len(w.Scopes) > 0 || how == ifLater {
		w.put(&w.calls, how, &players)
	} else {
		w.calls.Add(zadd(how, w.board.Key, game.FormatStored(w.stored), w.Player), rdb.IntInto(&players))
		w.askStanding()
	}
	if w.keepsDetails() && w.Mode.Policy == game.First {
		w.calls.Add(upstash.Cmd("HSETNX", game.DetailsKey(w.Mode.Name, w.Date), w.Player, w.detailsRecord()).Idempotent(), nil)
	}
	if first {
		attempts, err = w.run(ctx)
	} else {
		attempts, err = w.calls.Run(ctx, w.s.DB.Redis)
		err = rdb.Wrap("write the score", err)
	}
	if err != nil {
		return false, attempts, err
	}
	if players == 1 && !w.ranked {
		w.now.Found, w.now.Stored = true, w.stored
	}
	return players == 1, attempts, w.findStanding(ctx)
}

// zadd writes entries of which each is conditional. It may be sent any number
// of times.
func zadd(how, key string, members ...string) upstash.Command {
	return upstash.Cmd(append([]string{"ZADD", key, how}, members...)...).Idempotent()
}

// settle completes the rank, and what follows an improvement in a round trip of
// its own: its details.
func (w *write) settle(ctx context.Context) error {
	if err := w.rankStanding(ctx); err != nil {
		return err
	}
	if w.now.Stored != w.stored || w.Mode.Policy == game.First {
		return nil
	}
	details := notices.DayKey{Mode: w.Mode.Name, Date: w.Date, Details: true}
	c := w.s.carry()
	var p rdb.Pipeline
	switch {
	case w.keepsDetails():
		p.Add(upstash.Cmd("HSET", details.Key(), w.Player, w.detailsRecord()).Idempotent(), nil)
		c.See(&p, details) // behind what makes the key: one that is not there takes no expiry
	case w.outcome.Status == Improved && w.dropsDetails(w.was.Stored):
		p.Add(upstash.Cmd("HDEL", details.Key(), w.Player).Idempotent(), nil)
	default:
		return nil
	}
	if _, err := p.Run(ctx, w.s.DB.Redis); err != nil {
		return rdb.Wrap("keep the details", err)
	}
	w.lost = !c.done() || w.lost
	return nil
}

// smallBoard is the largest board that is read whole where both the player's
// rank and the total are to be known: one command for both, some 50 KB, and a
// top for those who look next.
const smallBoard = 1000

// askStanding queues what tells the player's rank in the same round trip: the
// whole of a small board whose total is due, else the position for distinct
// ranks, and the count of better scores for shared ones.
func (w *write) askStanding() {
	if _, fresh := w.s.Totals.Fresh(w.board.Key); w.counted && w.before < smallBoard && !fresh {
		w.reading = true
		w.calls.Add(rdb.RangeCommand(w.board, 0, smallBoard), rdb.EntriesInto(w.board, &w.whole))
		return
	}
	w.askRank(&w.calls)
}

func (w *write) askRank(p *rdb.Pipeline) {
	if w.Mode.Ties == game.Earliest {
		w.ranked = true
		p.Add(upstash.Cmd(rdb.RankCommand(w.board), w.board.Key, w.Player, "WITHSCORE"), rdb.PlaceInto(&w.now))
		return
	}
	p.Add(rdb.AheadCommand(w.board, w.Score), rdb.IntInto(&w.ahead))
	if w.Mode.Policy != game.First {
		p.Add(upstash.Cmd("ZSCORE", w.board.Key, w.Player), rdb.ScoreInto(&w.now))
	}
}

// findStanding makes w.now.stored true.
func (w *write) findStanding(ctx context.Context) error {
	if w.reading {
		found, err := w.findInWhole(ctx)
		if found || err != nil {
			return err
		}
	}
	if !w.now.Found && !w.ranked {
		var p rdb.Pipeline
		p.Add(upstash.Cmd("ZSCORE", w.board.Key, w.Player), rdb.ScoreInto(&w.now))
		if _, err := p.Run(ctx, w.s.DB.Redis); err != nil {
			return rdb.Wrap("read the standing score", err)
		}
	}
	if !w.now.Found {
		return rdb.ErrVanished
	}
	return nil
}

// rankStanding makes w.now.position true. For shared ranks the count that came
// along is that of the submitted score, which need not be the one that stands.
func (w *write) rankStanding(ctx context.Context) error {
	if w.ranked {
		return nil
	}
	w.now.Position = w.ahead
	stands := w.Mode.Decode(w.now.Stored)
	if stands == w.Score {
		return nil
	}
	var p rdb.Pipeline
	p.Add(rdb.AheadCommand(w.board, stands), rdb.IntInto(&w.now.Position))
	_, err := p.Run(ctx, w.s.DB.Redis)
	return rdb.Wrap("rank the standing score", err)
}

// findInWhole finds the player on the board as it was read. On one that has
// outgrown being read, it asks as for a larger board.
func (w *write) findInWhole(ctx context.Context) (found bool, err error) {
	w.board.RankAmongThemselves(w.whole)
	for _, e := range w.whole {
		if e.Player == w.Player {
			w.now, w.ranked = rdb.Place{Position: e.Rank - 1, Stored: e.Stored, Found: true}, true
			return true, nil
		}
	}
	if len(w.whole) <= smallBoard {
		return false, rdb.ErrVanished
	}
	var p rdb.Pipeline
	w.askRank(&p)
	_, err = p.Run(ctx, w.s.DB.Redis)
	return false, rdb.Wrap("find the player", err)
}

// run adds what every write carries along (expiry, index, name, total) and
// sends it all.
func (w *write) run(ctx context.Context) (attempts int, err error) {
	w.carried = w.carry()
	w.s.post(&w.calls, w)
	_, known := w.s.Totals.Fresh(w.board.Key)
	if w.asked = !known; w.asked && !w.reading {
		w.calls.Add(upstash.Cmd("ZCARD", w.board.Key), rdb.IntInto(&w.total))
	}
	mark := w.s.Windows.Begin(w.board.Key)
	attempts, err = w.calls.Run(ctx, w.s.DB.Redis)
	if err != nil {
		return attempts, rdb.Wrap("write the score", err)
	}
	w.lost = !w.carried.done()
	switch {
	case w.reading && len(w.whole) <= smallBoard:
		w.total = int64(len(w.whole))
		w.s.Totals.Set(w.board.Key, w.total)
		w.keepTop(mark)
	case w.reading:
		w.asked = false
		w.s.Totals.Forget(w.board.Key)
	case w.asked:
		w.s.Totals.Set(w.board.Key, w.total)
	}
	return attempts, nil
}

// keepTop keeps the top of the board for those who look next.
func (w *write) keepTop(mark uint64) {
	page := w.s.pages.newPage(w.board)
	page.Entries, page.Total = slices.Clone(w.whole[:min(len(w.whole), memory.WindowSize)]), w.total
	page.More = len(w.whole) > memory.WindowSize
	w.board.RankAmongThemselves(page.Entries)
	w.s.Windows.Keep(w.board.Key, mark, page, 0)
}

// finish completes the outcome and what the process remembers of it.
func (w *write) finish() Outcome {
	w.outcome.Score = w.Mode.Decode(w.now.Stored)
	w.outcome.Rank = w.now.Position + 1
	if w.outcome.Status != Kept && w.outcome.Status != Replayed {
		stands := game.Entry{Player: w.Player, Stored: w.now.Stored, Score: w.outcome.Score}
		known, _ := w.s.Totals.Last(w.board.Key)
		w.s.Windows.Put(w.board, stands, known)
		if w.outcome.Status == Improved && w.Mode.HasScope(game.Group) {
			w.s.Windows.Follow(w.board, stands)
		}
	}
	if w.outcome.Status != Replayed {
		for _, scope := range w.Scopes { // a kept play may have brought the entry there
			w.s.Windows.Forget(w.scopedKey(scope))
			w.s.Totals.Forget(w.scopedKey(scope))
		}
		w.s.Places.Add(memory.EntryID{Board: w.board.Key, Player: w.Player}, w.now)
	}
	players, _ := w.s.Totals.Fresh(w.board.Key)
	w.outcome.Total = max(players, w.total, w.outcome.Rank)
	return w.outcome
}

// isLate reports whether others may have written meanwhile what was said later:
// the play came out of the queue, or from an import of earlier days.
func (w *write) isLate() bool { return w.queued || w.At.Before(w.s.DB.Now().Add(-rollup.InFlight)) }
