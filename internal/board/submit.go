package board

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/upstash"
)

// Submission is one score of one player for one day. It has been checked: the
// mode takes it, the day is open, ids and scopes are well formed.
type Submission struct {
	Mode    *game.Mode
	Player  string
	Date    game.Date
	Score   game.Score
	At      time.Time       // when it was played; orders equal scores
	Scopes  []game.Scope    // besides global
	Details json.RawMessage // nil: none
	Profile Profile         // what the caller's credential says of the player
	Once    Once            // required by sum, unused by the other policies
	Kept    bool            // it came out of the outbox, and is not put there again
	queued  bool            // it came out of the queue, and may come again
}

// Once makes the effect of a sum happen a single time.
type Once struct {
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
	if !s.writable(sub.Date) {
		return Outcome{}, ErrDayGone
	}
	if err := s.knowBans(ctx); err != nil {
		return Outcome{}, err
	}
	if s.bans.has(sub.Player) {
		return Outcome{}, ErrBanned
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
	if err := s.tellProfiles(ctx, w.carried.profiles); err != nil {
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
	board  Board
	day    game.Period
	tick   int64
	stored float64 // what we ask Redis to store
	known  bool    // this process has seen an entry of the player before
	was    place   // that entry, if known
	mark   uint64  // of the total as the write began

	before  int64 // the total as it was last known,
	counted bool  // if it was,
	asked   bool  // and whether this write has it counted anew

	whole   []Entry // the board after the write, where it was read
	reading bool    // whether it is

	calls   pipeline
	carried *carried
	lost    bool  // Redis is not the one that the write took it for
	now     place // where the player stands after the write
	ranked  bool  // whether its position is known with its score;
	ahead   int64 // if not, how many are better than the submitted score
	total   int64
	outcome Outcome
}

func (s *Store) newWrite(sub Submission) *write {
	day := game.Day.Of(sub.Date)
	w := &write{s: s, Submission: sub, day: day, board: BoardOf(sub.Mode, day, game.Scope{})}
	w.tick = sub.Mode.Tick(s.game, sub.Date, sub.At)
	w.stored = sub.Mode.Encode(sub.Score, w.tick)
	w.was, w.known = s.standing.Get(entryID{w.board.Key, sub.Player})
	w.mark = s.totals.mark(w.board.Key)
	w.before, w.counted = s.totals.last(w.board.Key)
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
		ours := w.now.stored == w.stored
		switch {
		case added:
			w.s.totals.grow(w.board.Key, w.mark)
			w.outcome.Status = Accepted
		case ours && attempts > 1 && !(w.known && w.was.stored == w.stored):
			w.outcome.Status = Accepted // an earlier sending of this very call added it
		case w.beats(w.now.stored):
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
		w.s.totals.grow(w.board.Key, w.mark)
		w.outcome.Status = Accepted
	case w.now.stored != w.stored, w.was.stored == w.stored:
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
	w.calls, w.now, w.ranked, w.reading = pipeline{}, place{}, false, false
	var players int64
	if len(w.Scopes) > 0 || how == ifLater {
		w.put(&w.calls, how, &players)
	} else {
		w.calls.add(zadd(how, w.board.Key, game.FormatStored(w.stored), w.Player), intInto(&players))
		w.askStanding()
	}
	if w.keepsDetails() && w.Mode.Policy == game.First {
		w.calls.add(upstash.Cmd("HSETNX", game.DetailsKey(w.Mode.Name, w.Date), w.Player, w.detailsRecord()).Idempotent(), nil)
	}
	if first {
		attempts, err = w.run(ctx)
	} else {
		attempts, err = w.calls.run(ctx, w.s.redis)
		err = wrap("write the score", err)
	}
	if err != nil {
		return false, attempts, err
	}
	if players == 1 && !w.ranked {
		w.now.found, w.now.stored = true, w.stored
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
	if w.now.stored != w.stored || w.Mode.Policy == game.First {
		return nil
	}
	details := dayKey{mode: w.Mode.Name, date: w.Date, details: true}
	c := w.s.carry()
	var p pipeline
	switch {
	case w.keepsDetails():
		p.add(upstash.Cmd("HSET", details.key(), w.Player, w.detailsRecord()).Idempotent(), nil)
		c.see(&p, details) // behind what makes the key: one that is not there takes no expiry
	case w.outcome.Status == Improved && w.dropsDetails(w.was.stored):
		p.add(upstash.Cmd("HDEL", details.key(), w.Player).Idempotent(), nil)
	default:
		return nil
	}
	if _, err := p.run(ctx, w.s.redis); err != nil {
		return wrap("keep the details", err)
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
	if _, fresh := w.s.totals.fresh(w.board.Key); w.counted && w.before < smallBoard && !fresh {
		w.reading = true
		w.calls.add(rangeCommand(w.board, 0, smallBoard), entriesInto(w.board, &w.whole))
		return
	}
	w.askRank(&w.calls)
}

func (w *write) askRank(p *pipeline) {
	if w.Mode.Ties == game.Earliest {
		w.ranked = true
		p.add(upstash.Cmd(rankCommand(w.board), w.board.Key, w.Player, "WITHSCORE"), placeInto(&w.now))
		return
	}
	p.add(aheadCommand(w.board, w.Score), intInto(&w.ahead))
	if w.Mode.Policy != game.First {
		p.add(upstash.Cmd("ZSCORE", w.board.Key, w.Player), scoreInto(&w.now))
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
	if !w.now.found && !w.ranked {
		var p pipeline
		p.add(upstash.Cmd("ZSCORE", w.board.Key, w.Player), scoreInto(&w.now))
		if _, err := p.run(ctx, w.s.redis); err != nil {
			return wrap("read the standing score", err)
		}
	}
	if !w.now.found {
		return ErrVanished
	}
	return nil
}

// rankStanding makes w.now.position true. For shared ranks the count that came
// along is that of the submitted score, which need not be the one that stands.
func (w *write) rankStanding(ctx context.Context) error {
	if w.ranked {
		return nil
	}
	w.now.position = w.ahead
	stands := w.Mode.Decode(w.now.stored)
	if stands == w.Score {
		return nil
	}
	var p pipeline
	p.add(aheadCommand(w.board, stands), intInto(&w.now.position))
	_, err := p.run(ctx, w.s.redis)
	return wrap("rank the standing score", err)
}

// findInWhole finds the player on the board as it was read. On one that has
// outgrown being read, it asks as for a larger board.
func (w *write) findInWhole(ctx context.Context) (found bool, err error) {
	w.board.rankAmongThemselves(w.whole)
	for _, e := range w.whole {
		if e.Player == w.Player {
			w.now, w.ranked = place{position: e.Rank - 1, stored: e.stored, found: true}, true
			return true, nil
		}
	}
	if len(w.whole) <= smallBoard {
		return false, ErrVanished
	}
	var p pipeline
	w.askRank(&p)
	_, err = p.run(ctx, w.s.redis)
	return false, wrap("find the player", err)
}

// run adds what every write carries along (expiry, index, name, total) and
// sends it all.
func (w *write) run(ctx context.Context) (attempts int, err error) {
	w.carried = w.carry()
	w.s.post(&w.calls, w)
	_, known := w.s.totals.fresh(w.board.Key)
	if w.asked = !known; w.asked && !w.reading {
		w.calls.add(upstash.Cmd("ZCARD", w.board.Key), intInto(&w.total))
	}
	mark := w.s.windows.begin(w.board.Key)
	attempts, err = w.calls.run(ctx, w.s.redis)
	if err != nil {
		return attempts, wrap("write the score", err)
	}
	w.lost = !w.carried.done()
	switch {
	case w.reading && len(w.whole) <= smallBoard:
		w.total = int64(len(w.whole))
		w.s.totals.set(w.board.Key, w.total)
		w.keepTop(mark)
	case w.reading:
		w.asked = false
		w.s.totals.forget(w.board.Key)
	case w.asked:
		w.s.totals.set(w.board.Key, w.total)
	}
	return attempts, nil
}

// keepTop keeps the top of the board for those who look next.
func (w *write) keepTop(mark uint64) {
	page := w.s.newPage(w.board)
	page.Entries, page.Total = slices.Clone(w.whole[:min(len(w.whole), windowSize)]), w.total
	page.more = len(w.whole) > windowSize
	w.board.rankAmongThemselves(page.Entries)
	w.s.windows.keep(w.board.Key, mark, page, 0)
}

// finish completes the outcome and what the process remembers of it.
func (w *write) finish() Outcome {
	w.outcome.Score = w.Mode.Decode(w.now.stored)
	w.outcome.Rank = w.now.position + 1
	if w.outcome.Status != Kept && w.outcome.Status != Replayed {
		stands := Entry{Player: w.Player, stored: w.now.stored, Score: w.outcome.Score}
		known, _ := w.s.totals.last(w.board.Key)
		w.s.windows.put(w.board, stands, known)
		if w.outcome.Status == Improved && w.Mode.HasScope(game.Group) {
			w.s.windows.follow(w.board, stands)
		}
	}
	if w.outcome.Status != Replayed {
		for _, scope := range w.Scopes { // a kept play may have brought the entry there
			w.s.windows.forget(w.scopedKey(scope))
			w.s.totals.forget(w.scopedKey(scope))
		}
		w.s.standing.Add(entryID{w.board.Key, w.Player}, w.now)
	}
	players, _ := w.s.totals.fresh(w.board.Key)
	w.outcome.Total = max(players, w.total, w.outcome.Rank)
	return w.outcome
}

// isLate reports whether others may have written meanwhile what was said later:
// the play came out of the queue, or from an import of earlier days.
func (w *write) isLate() bool { return w.queued || w.At.Before(w.s.now().Add(-inFlight)) }
