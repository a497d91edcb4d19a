package backfill

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lifecycle"
)

// pageRows is how many rows are written at once.
const pageRows = 5000

// dayTries is how often a day is begun again after a removal came in between.
const dayTries = 10

// write writes days into the archive that it does not have yet.
func (r *run) write(ctx context.Context, done map[lifecycle.ModeDay]bool) error {
	var all, written int64
	for _, d := range r.fresh {
		all += d.entries
	}
	for _, d := range r.fresh {
		if !done[d.ModeDay] {
			if err := r.writeDay(ctx, d, func(n int) {
				written += int64(n)
				r.summary.Written += int64(n)
				r.report(Progress{Phase: Writing, Share: float64(written) / float64(max(1, all)), Count: r.summary.Written})
			}); err != nil {
				return err
			}
			continue
		}
		written += d.entries
	}
	return nil
}

func (r *run) writeDay(ctx context.Context, d *day, wrote func(rows int)) (err error) {
	for range dayTries {
		if err = r.writeOnce(ctx, d, wrote); !errors.Is(err, archive.ErrSuperseded) {
			return err
		}
	}
	return err
}

func (r *run) writeOnce(ctx context.Context, d *day, wrote func(rows int)) error {
	w, err := r.imported.BeginDay(ctx, d.Mode.Name, d.Date)
	if err != nil || w.Done {
		return err
	}
	var page []*standing
	put := func() error {
		if len(page) == 0 {
			return nil
		}
		err := r.writePage(ctx, w, d.Mode, page)
		wrote(len(page))
		page = page[:0]
		return err
	}
	err = r.days.eachStanding(d, func(s *standing) error {
		if s.player <= w.Through {
			return nil
		}
		if page = append(page, s); len(page) < r.pageSize {
			return nil
		}
		return put()
	})
	if err == nil {
		err = put()
	}
	if err != nil {
		return err
	}
	return w.Finish(ctx, r.Closing.Now())
}

func (r *run) writePage(ctx context.Context, w *TableDay, m *game.Mode, page []*standing) error {
	var err error
	if w.Erased {
		if page, err = r.unerased(ctx, page); err != nil {
			return err
		}
	}
	here := map[string]game.Result{}
	if !w.New {
		if here, err = archivedResults(ctx, w, page); err != nil {
			return err
		}
	}
	rows := make([]game.Result, len(page))
	var names []game.PlayerProfile
	for i, s := range page {
		result, err := s.result(m)
		if err != nil {
			return err
		}
		rows[i] = result
		if old, ok := here[s.player]; ok {
			rows[i] = merged(m, old, rows[i])
		}
		if p := result.Profile; p != (game.Profile{}) && r.isNews(s.player, p) {
			names = append(names, game.PlayerProfile{Player: s.player, Profile: p, UpdatedAt: s.moment})
		}
	}
	if err := r.imported.PutNames(ctx, names); err != nil {
		return err
	}
	return w.Put(ctx, rows)
}

// archivedResults reads the archive's results of a page's players.
func archivedResults(ctx context.Context, w *TableDay, page []*standing) (map[string]game.Result, error) {
	players := make([]string, len(page))
	for i, s := range page {
		players[i] = s.player
	}
	rows, err := w.Results(ctx, players)
	here := make(map[string]game.Result, len(rows))
	for _, row := range rows {
		here[row.Player] = row
	}
	return here, err
}

// unerased leaves out players who have been erased since their entry was made.
func (r *run) unerased(ctx context.Context, page []*standing) ([]*standing, error) {
	erased, err := r.erased(ctx, page)
	if err != nil || len(erased) == 0 {
		return page, err
	}
	r.summary.Erased += int64(len(erased))
	return slices.DeleteFunc(page, func(s *standing) bool { return slices.Contains(erased, s.player) }), nil
}

// erased lists the players of a page who have been erased since their entry was made.
func (r *run) erased(ctx context.Context, page []*standing) ([]string, error) {
	players, moments := make([]string, len(page)), make([]time.Time, len(page))
	for i, s := range page {
		players[i], moments[i] = s.player, s.moment
	}
	return r.imported.FindErased(ctx, players, moments)
}

// pages reads a day's entries in pages.
func (r *run) pages(d *day, take func([]*standing) error) error {
	var page []*standing
	err := r.days.eachStanding(d, func(s *standing) error {
		if page = append(page, s); len(page) < r.pageSize {
			return nil
		}
		err := take(page)
		page = page[:0]
		return err
	})
	if err == nil && len(page) > 0 {
		err = take(page)
	}
	return err
}

// merged merges a result of the archive with one of the files, as if both had been played
// here. It is on the boards of all groups of both.
func merged(m *game.Mode, here, files game.Result) game.Result {
	row := here
	stored, byFiles := lifecycle.Merged(m, here.Stored, files.Stored)
	switch {
	case m.Policy == game.Sum && byFiles && len(files.Details) > 0, m.Policy == game.Sum && len(here.Details) == 0:
		row.Details = files.Details
	case m.Policy != game.Sum && byFiles:
		row.Details = files.Details
	}
	row.Stored = stored
	row.Scopes = nil
	lived := slices.ContainsFunc(here.Scopes, func(s game.ScopedResult) bool { return s.Scope.ByCountry() })
	for _, s := range here.Scopes {
		row.Scopes = append(row.Scopes, game.ScopedResult{Scope: s.Scope, Stored: stored})
	}
	for _, s := range files.Scopes {
		has := func(old game.ScopedResult) bool { return old.Scope == s.Scope }
		if !(lived && s.Scope.ByCountry()) && !slices.ContainsFunc(here.Scopes, has) {
			row.Scopes = append(row.Scopes, game.ScopedResult{Scope: s.Scope, Stored: stored})
		}
	}
	return row
}

// mostNames is how many players' profiles are remembered, so that a profile that comes on
// every line is written once.
const mostNames = 500_000

func (r *run) isNews(player string, p game.Profile) bool {
	if r.names[player] == p {
		return false
	}
	if _, has := r.names[player]; has || len(r.names) < mostNames {
		r.names[player] = p
	}
	return true
}

// results reads a day of the files that can still be in Redis.
func (r *run) results(ctx context.Context, d *day) ([]game.Result, error) {
	var all []game.Result
	err := r.pages(d, func(page []*standing) error {
		left, err := r.unerased(ctx, page)
		if err != nil {
			return err
		}
		var names []game.PlayerProfile
		for _, s := range left {
			result, err := s.result(d.Mode)
			if err != nil {
				return err
			}
			all = append(all, result)
			if p := result.Profile; p != (game.Profile{}) && r.isNews(s.player, p) {
				names = append(names, game.PlayerProfile{Player: s.player, Profile: p, UpdatedAt: s.moment})
			}
		}
		return r.imported.PutNames(ctx, names)
	})
	return all, err
}
