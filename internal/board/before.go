package board

import (
	"context"
	"slices"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/rdb"
	"github.com/framedle/leaderboards/internal/rollup"
	"github.com/framedle/leaderboards/upstash"
)

// ranksHold is how long a process keeps the ranks of a derived board whose period is over. Only
// removals, claims and late scores still change them, and the board itself is refreshed at most
// once an hour.
const ranksHold = time.Hour

// absentHold is how long a process believes that a player has no rank there. It is shorter,
// since a claim may give the player one.
const absentHold = time.Minute

// wholeBefore is the largest board of the period before that is read whole: 450 KB, once an
// hour in each process. Boards above [rollup.SmallWeek] are read whole only in games with
// large days: in other games the bytes of a free plan would run out before its commands.
const wholeBefore = 10_000

// before finds the rank that a card's player had in the period before. It reads a derived board
// whose period is over whole, and keeps its ranks for every card that comes later. It reads
// that board as it is stored or, if the board is small, as the union of its days.
//
// Cost: nothing for a player whose rank is kept; else 1 billed command in the card's round
// trip, and the refresh of a derived board that is due, at most once an hour. 2 more in another
// round trip if a board proves too large to be read whole.
type before struct {
	s      *Store
	of     game.Board // the board of the card
	player string

	board game.Board // of the period before; the zero Board: nothing to ask
	rank  int64      // as it was kept, or found on the whole board

	united *rollup.United // that board, if it is read as the union of its days
	whole  []game.Entry
	keep   func([]game.Entry) // keeps the ranks of the whole board; nil: it is not read whole
	at     rdb.Place          // the player's place, if Redis was asked for this player alone
}

// prepare takes the rank that the process has kept; without one, it gets the board ready to be
// asked.
func (f *before) prepare(ctx context.Context) error {
	earlier, ok := f.of.Period.Previous()
	if !ok {
		return nil
	}
	b := game.BoardOf(f.of.Mode, earlier, f.of.Scope)
	ended := earlier.Kind() != game.Day && b.Derived() && f.s.DB.Age(earlier) >= game.Closed
	held := false
	if ended {
		rank, found, others := f.s.Windows.Rank(b.Key, f.player, ranksHold, absentHold)
		if found {
			f.rank = rank
			return nil
		}
		held = others
	}
	since := f.s.Windows.Mark(b.Key)
	keep := func(whole []game.Entry) { f.s.Windows.KeepRanks(b.Key, since, whole) }
	if ended {
		united, err := rollup.UnitedOf(ctx, f.s.Rollup, b)
		if f.united = united; united != nil {
			f.board, f.keep = b, keep
			return nil
		} else if err != nil {
			return err
		}
	}
	if !f.isSpent(b) {
		if err := f.s.Rollup.Refresh(ctx, b); err != nil { // nobody may have looked at it since it last changed
			return err
		}
	}
	f.board = b
	if players, known := f.likelySize(); ended && known && f.isReadWhole(players, held) {
		f.keep = keep
	}
	return nil
}

// isReadWhole reports whether a board of so many players is read whole. If the process holds
// the ranks of a larger board, it does not read that board again: only a player without a rank
// there gets here, and asking for that one player is cheaper.
func (f *before) isReadWhole(players int64, held bool) bool {
	if players <= rollup.SmallWeek {
		return true
	}
	large, _ := f.s.Notices.Begun.Large()
	return large && !held && players <= wholeBefore
}

// isSpent reports whether a board is to stay as cron-weekly made it: it is a week of all
// players, and its first day has expired. A refresh from the days that are left would lose a
// part of it.
func (f *before) isSpent(b game.Board) bool {
	return b.Period.Kind() == game.Week && b.Scope == (game.Scope{}) && !f.s.DB.Alive(b.Period.First())
}

// likelySize is how many players the board has as far as this process knows: as it counted
// that board, else as it counted the card's, else as [memory.Totals.Likely] guesses.
func (f *before) likelySize() (players int64, known bool) {
	players, known = f.s.Totals.Last(f.board.Key)
	if !known {
		players, known = f.s.Totals.Last(f.of.Key)
	}
	if !known {
		players, known = f.s.Totals.Likely(f.board.Key)
	}
	return players, known
}

// ask queues the question.
func (f *before) ask(p *rdb.Pipeline) {
	switch {
	case f.board.Mode == nil:
	case f.united != nil:
		f.united.Ask(p)
	case f.keep != nil:
		p.Add(rdb.RangeCommand(f.board, 0, wholeBefore), rdb.EntriesInto(f.board, &f.whole))
	default:
		p.Add(upstash.Cmd(rdb.RankCommand(f.board), f.board.Key, f.player, "WITHSCORE"), rdb.PlaceInto(&f.at))
	}
}

// find works the rank out from the answer; 0: the player was not on the board.
func (f *before) find(ctx context.Context) (rank int64, err error) {
	if f.united != nil {
		f.whole = f.united.Entries
	}
	switch {
	case f.keep == nil:
	case f.united != nil || len(f.whole) <= wholeBefore:
		f.board.RankAmongThemselves(f.whole)
		if len(f.whole) <= wholeBefore {
			f.keep(f.whole)
		}
		if i := slices.IndexFunc(f.whole, func(e game.Entry) bool { return e.Player == f.player }); i >= 0 {
			f.rank = f.whole[i].Rank
		}
	default: // it is larger than was known
		var p rdb.Pipeline
		var total int64
		f.keep = nil
		f.ask(&p)
		p.Add(upstash.Cmd("ZCARD", f.board.Key), rdb.IntInto(&total))
		if _, err := p.Run(ctx, f.s.DB.Redis); err != nil {
			return 0, rdb.Wrap("find the rank before", err)
		}
		f.s.Totals.Set(f.board.Key, total)
	}
	if f.at.Found {
		return f.at.Position + 1, nil
	}
	return f.rank, nil
}
