package closing

import (
	"context"
	"slices"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/game"
)

// Period is what closing a week, month or season did.
type Period struct {
	Period    string   `json:"period"`
	Refreshed []string `json:"refreshed"` // boards made from their days, by key
	Rebuilt   []string `json:"rebuilt"`   // boards made from the archive, since their days have expired
	Partial   []string `json:"partial"`   // boards left as they were, since neither side has all days
	Snapshots int      `json:"snapshots"`
}

// Period completes every board of a closed week, month or season, and keeps their tops with
// the achievements that they are worth. For a period whose boards have left Redis it uses the
// archive.
func (c *Closing) Period(ctx context.Context, p game.Period) (Period, error) {
	report := Period{Period: p.Key(), Refreshed: []string{}, Rebuilt: []string{}, Partial: []string{}}
	var boards []game.Board
	var err error
	keep := tops{c}.keepAll
	if c.Archive != nil && !c.clock().lives(p) {
		keep = tops{c}.keepArchived
		boards, err = periodBoards{c}.ofArchive(ctx, p)
	} else {
		boards, err = periodBoards{c}.whole(ctx, p, &report)
	}
	if err != nil || c.Archive == nil {
		return report, err
	}
	report.Snapshots, err = keep(ctx, boards)
	return report, err
}

// periodBoards are the boards of a period that is over.
type periodBoards struct{ c *Closing }

// whole makes the boards of a period that are in Redis, and returns the complete ones.
func (bs periodBoards) whole(ctx context.Context, p game.Period, report *Period) ([]game.Board, error) {
	did, err := bs.c.Store.Rollup.RefreshPeriod(ctx, p)
	if err != nil {
		return nil, err
	}
	whole := did.Refreshed
	behind := map[*game.Mode]bool{} // modes whose boards of groups were missing when teams were ranked
	for _, b := range did.Refreshed {
		report.Refreshed = append(report.Refreshed, b.Key)
	}
	for _, b := range did.Partial {
		rebuilt := false
		if bs.c.Archive != nil {
			if rebuilt, err = bs.rebuild(ctx, b); err != nil {
				return nil, err
			}
		}
		if !rebuilt {
			report.Partial = append(report.Partial, b.Key)
			continue
		}
		report.Rebuilt = append(report.Rebuilt, b.Key)
		whole = append(whole, b)
		behind[b.Mode] = behind[b.Mode] || b.Scope.Kind() == game.Group
	}
	for _, m := range bs.c.Game.Modes {
		if !behind[m] || !m.HasScope(game.Teams) {
			continue
		}
		if _, err := bs.rebuild(ctx, game.BoardOf(m, p, game.TeamsScope())); err != nil {
			return nil, err
		}
	}
	return whole, nil
}

// rebuild makes a board of a closed period from the archive, if the archive has all of its
// days.
func (bs periodBoards) rebuild(ctx context.Context, b game.Board) (bool, error) {
	whole, err := bs.archived(ctx, b)
	if err != nil || !whole {
		return false, err
	}
	all, err := totals(ctx, bs.c.Archive, b, b.Period.Last())
	if err != nil {
		return false, err
	}
	return true, bs.c.Store.Rollup.Replace(ctx, b, all)
}

// archived reports whether the archive has all of a board's days that Redis has known.
func (bs periodBoards) archived(ctx context.Context, b game.Board) (bool, error) {
	// For a scope of a season only the newest days would be listed, and teams are ranked by
	// all days of their groups: so ask for the days of the global board.
	if b.Period.Kind() == game.Season || b.Scope.Kind() == game.Teams {
		b = game.BoardOf(b.Mode, b.Period, game.Scope{})
	}
	known, err := bs.c.Store.Rollup.Calendar.Days(ctx, b)
	if err != nil {
		return false, err
	}
	whole, err := bs.c.Archive.Days.Complete(ctx, b.Mode.Name, b.Period.First(), b.Period.Last())
	return !slices.ContainsFunc(known, func(d game.Date) bool { return !whole[d] }), err
}

// ofArchive returns the boards of a period that have players in the archive: a board that
// nobody was ever on has no snapshot.
func (bs periodBoards) ofArchive(ctx context.Context, p game.Period) (boards []game.Board, err error) {
	for _, m := range bs.c.Game.Modes {
		days, err := bs.c.Archive.Days.Between(ctx, m.Name, p.First(), p.Last())
		if err != nil {
			return nil, err
		}
		if !slices.ContainsFunc(days, func(d archive.ArchivedDay) bool { return d.Players > 0 }) {
			continue
		}
		scopes, err := bs.c.Archive.Results.Scopes(ctx, m.Name, p.First(), p.Last())
		if err != nil {
			return nil, err
		}
		ofGroup := func(s game.Scope) bool { return s.Kind() == game.Group }
		if m.HasScope(game.Teams) && slices.ContainsFunc(scopes, ofGroup) {
			scopes = append(scopes, game.TeamsScope())
		}
		for _, scope := range slices.Concat([]game.Scope{{}}, scopes) {
			boards = append(boards, game.BoardOf(m, p, scope))
		}
	}
	return boards, nil
}
