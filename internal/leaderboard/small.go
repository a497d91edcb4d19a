package leaderboard

import (
	"context"
	"slices"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

// smallBoard is the largest board that is read whole if a request needs a player's rank and the
// total, or the places around: one command for all of these, some 65 KB.
const smallBoard = 1200

// placeIn is the player's place in a run of entries that begins at a position; not found if the
// run does not have the player.
func placeIn(run []game.Entry, first int64, player string) redis.Place {
	i := slices.IndexFunc(run, func(e game.Entry) bool { return e.Player == player })
	if i < 0 {
		return redis.Place{}
	}
	return redis.Place{Position: first + int64(i), Stored: run[i].Stored, Found: true}
}

// wholeBoard is the board as a write reads it in place of the rank and the total, if it is
// likely small.
type wholeBoard struct {
	asked   bool
	grown   bool // the board is larger than was guessed
	entries []game.Entry
}

// readsWhole reports whether the write reads the whole board in place of the player's rank: the
// board is likely small, and the total is due or the sender is shown the places around.
func (w *write) readsWhole() bool {
	if w.house != nil || w.size.fresh && !w.ShowsAround {
		return false // it is not the first round trip, or the rank alone is wanted
	}
	players, _ := w.s.Totals.Likely(w.board.Key) // a process that knows no board takes the first one to be small
	return players < smallBoard
}

// sizeUp takes the total from the whole board.
func (w *write) sizeUp() {
	if !w.whole.asked {
		return
	}
	players := int64(len(w.whole.entries))
	w.whole.grown = players > smallBoard
	if w.size.asked = !w.whole.grown; w.size.asked {
		w.size.total = players
	}
}

// findInWhole takes the player's place and rank from the whole board. It reports false if the
// board has grown, or the player has left it meanwhile.
func (w *placing) findInWhole() bool {
	if w.now = placeIn(w.whole.entries, 0, w.Player); !w.now.Found || w.whole.grown {
		return false
	}
	w.board.RankAmongThemselves(w.whole.entries)
	w.now.Position, w.ranked = w.whole.entries[w.now.Position].Rank-1, true
	w.outcome.Whole = w.whole.entries
	return true
}

// askAgain asks for the rank of a player that the whole board did not show, and for the total if
// the board has grown.
func (w *placing) askAgain(ctx context.Context) error {
	var p redis.Pipeline
	w.now = redis.Place{}
	w.askRank(&p)
	if w.whole.grown {
		p.Add(upstash.Cmd("ZCARD", w.board.Key), redis.IntInto(&w.size.total))
	}
	if _, err := p.Run(ctx, w.s.DB.Redis); err != nil {
		return redis.Wrap("find the player", err)
	}
	w.size.asked = w.size.asked || w.whole.grown
	return w.findStanding(ctx)
}

// topOf is the first page of a board that was read whole. If a name is missing, it asks for all
// that are missing on the board: the same command brings the names around players and of
// friends.
func (s *Store) topOf(ctx context.Context, b game.Board, limit int64, whole []game.Entry) (game.Page, error) {
	page := s.pages.newPage(b)
	page.Entries, page.Total = whole, int64(len(whole))
	page.Cut(limit)
	if !s.Players.Directory.Knows(page.Entries) {
		if err := nameOn(ctx, s.Players, b, whole); err != nil {
			return game.Page{}, err
		}
	}
	return s.cursors.withNext(page), nil
}
