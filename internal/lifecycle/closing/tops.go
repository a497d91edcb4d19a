package closing

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lifecycle"
)

// boardsAtOnce is how many boards' tops are read in one request.
const boardsAtOnce = 100

// tops keeps the tops of boards whose period is over.
type tops struct{ c *Closing }

// keepAll keeps the tops of boards that are complete in Redis; for global boards also the tops
// of each country and region.
func (t tops) keepAll(ctx context.Context, boards []game.Board) (taken int, err error) {
	for some := range slices.Chunk(boards, boardsAtOnce) {
		at := t.c.Now()
		tops, err := t.c.Store.Boards.Top(ctx, some, lifecycle.TopSize)
		if err != nil {
			return taken, err
		}
		for _, top := range tops {
			kept, err := t.keepOne(ctx, top, at)
			if err != nil {
				return taken, err
			}
			taken += kept
		}
	}
	boards = slices.DeleteFunc(slices.Clone(boards), func(b game.Board) bool {
		return b.Scope != (game.Scope{}) || !game.RanksByCountry(b.Mode)
	})
	if len(boards) == 0 {
		return taken, nil
	}
	countries, err := t.c.Store.Players.Countries(ctx)
	if err != nil {
		return taken, err
	}
	at := t.c.Now()
	for _, b := range boards {
		tops, err := t.c.Store.Boards.TopsByCountry(ctx, b, countries, lifecycle.TopSize)
		if err != nil {
			return taken, err
		}
		for _, top := range tops {
			if err := t.keep(ctx, top, at); err != nil {
				return taken, err
			}
			taken++
		}
	}
	return taken, nil
}

// keepOne keeps the top of a board. An empty board has no snapshot: everybody was removed, or
// nobody was ever on it.
func (t tops) keepOne(ctx context.Context, top game.Page, at time.Time) (taken int, err error) {
	if len(top.Entries) == 0 {
		before, err := t.c.Archive.Snapshots.Of(ctx, top.Board)
		if err != nil || before == nil {
			return 0, err
		}
	}
	return 1, t.keep(ctx, top, at)
}

// keepArchived keeps the tops of boards as the archive computes them.
func (t tops) keepArchived(ctx context.Context, boards []game.Board) (taken int, err error) {
	for _, b := range boards {
		at := t.c.Now()
		top, err := t.c.Archive.Boards.Page(ctx, b, lifecycle.TopSize, 0, nil)
		if err != nil {
			return taken, err
		}
		top.Board = b
		if err := t.keep(ctx, top, at); err != nil {
			return taken, err
		}
		taken++
	}
	return taken, nil
}

// keep keeps the top of a board that was read at a time, with the ranks of the period before,
// and its entries' achievements.
func (t tops) keep(ctx context.Context, top game.Page, at time.Time) error {
	won := awards(top)
	before, err := t.ranksBefore(ctx, top.Board)
	if err != nil {
		return err
	}
	s := archive.SnapshotOf(top, before, at)
	return errors.Join(t.c.Archive.Snapshots.Put(ctx, top.Board, s), t.c.Archive.Achievements.Put(ctx, top.Board, won, at),
		lifecycle.Each(t.c.Features, func(f lifecycle.TopCloser) error { return f.CloseTop(ctx, top, at) }))
}

// ranksBefore returns the ranks in a board's snapshot of the period before.
func (t tops) ranksBefore(ctx context.Context, b game.Board) (map[string]int64, error) {
	previous, ok := b.Period.Previous()
	if !ok {
		return nil, nil
	}
	s, err := t.c.Archive.Snapshots.Of(ctx, game.BoardOf(b.Mode, previous, b.Scope))
	if err != nil || s == nil {
		return nil, err
	}
	ranks := make(map[string]int64, len(s.Entries))
	for _, e := range s.Entries {
		ranks[e.Player] = e.Rank
	}
	return ranks, nil
}

// awards returns the achievements of the entries in a board's top.
func awards(top game.Page) []archive.Award {
	var all []archive.Award
	if top.Board.OfTeams() {
		return nil // badges are for players, not groups
	}
	for _, e := range top.Entries {
		if kind := achieved(e.Rank); top.Board.Scope == (game.Scope{}) || kind == archive.Champion || kind == archive.Podium {
			all = append(all, archive.Award{Player: e.Player, Kind: kind, Rank: e.Rank})
		}
	}
	return all
}

// achieved returns the achievement for a rank within a snapshot.
func achieved(rank int64) archive.Kind {
	switch {
	case rank == 1:
		return archive.Champion
	case rank <= 3:
		return archive.Podium
	case rank <= 10:
		return archive.Top10
	}
	return archive.Top100
}

// staleAtOnce is the largest number of snapshots that one run takes again.
const staleAtOnce = 1000

// renew takes stale snapshots again, from what the archive still has.
func (t tops) renew(ctx context.Context) error {
	keys, err := t.c.Archive.Snapshots.Stale(ctx, staleAtOnce)
	if err != nil {
		return err
	}
	if len(keys) == 0 {
		return nil
	}
	importing, err := t.c.Archive.Days.Importing(ctx)
	if err != nil {
		return err
	}
	var boards []game.Board
	for _, key := range keys {
		name, p, scope, err := t.c.Game.ParseBoardKey(key)
		if errors.Is(err, game.ErrNoSeason) {
			continue // the game no longer has the mode
		}
		if err != nil {
			return err
		}
		m, ok := t.c.Game.Mode(name)
		if !ok || scope.Kind() == game.Teams && !m.HasScope(game.Teams) {
			continue // the same
		}
		if slices.ContainsFunc(importing, p.Contains) {
			continue // the import takes them itself, once it has finished
		}
		boards = append(boards, game.BoardOf(m, p, scope))
	}
	_, err = t.keepArchived(ctx, boards)
	return err
}

// through makes the query for what the days of a board up to last add up to.
func through(b game.Board, last game.Date) archive.Query {
	q := archive.Query{Mode: b.Mode, From: b.Period.First(), To: last, Scope: b.Scope, TrueScores: b.Period.TrueScores(), Decays: b.Decays()}
	switch {
	case b.Period.Kind() == game.AllTime:
		q.From = beginning
	case b.Period.Last().Before(last):
		q.To = b.Period.Last()
	}
	return q
}

// totals reads by player what the days of a board up to last add up to.
func totals(ctx context.Context, a *archive.Archive, b game.Board, last game.Date) (map[string]float64, error) {
	q, all := through(b, last), map[string]float64{}
	return all, a.Results.Totals(ctx, q, entriesInto(all))
}

func entriesInto(all map[string]float64) func([]game.Entry) error {
	return func(entries []game.Entry) error {
		for _, e := range entries {
			all[e.Player] = e.Stored
		}
		return nil
	}
}

// xpTotals reads by player the XP of the days from from to to.
func xpTotals(ctx context.Context, a *archive.Archive, modes []*game.Mode, from, to game.Date) (map[string]float64, error) {
	all := map[string]float64{}
	return all, a.Results.XPTotals(ctx, modes, from, to, entriesInto(all))
}
