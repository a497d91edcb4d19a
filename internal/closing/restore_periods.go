package closing

import (
	"context"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/board"
	"github.com/framedle/leaderboards/internal/game"
)

// folded makes what outlives the day boards: all time, months, seasons, and the boards
// of weeks, months and seasons that are over, which need not be made from their days any
// more when somebody looks, or some of whose days have expired.
func (r *restore) folded(ctx context.Context, m *game.Mode, scope game.Scope, periods []game.Period, oldest game.Date) error {
	last := oldest.AddDays(-1)
	allTime := archive.Query{Mode: m, From: beginning, To: last, Scope: scope, TrueScores: true}
	if err := r.fold(ctx, r.Store.Board(m, game.AllTime.Of(last), scope), allTime, r.Store.RestoreFolded); err != nil {
		return err
	}
	for _, p := range periods {
		aged := p.First().Before(oldest)
		if !aged && !r.Game.Closed(p, r.Now()) {
			continue // made from its days when somebody looks
		}
		to := p.Last()
		b := r.Store.Board(m, p, scope)
		if p.Kind() != game.Week && aged {
			query := archive.Query{Mode: m, From: p.First(), To: minDate(to, last), Scope: scope, TrueScores: p.TrueScores()}
			if err := r.fold(ctx, b, query, r.Store.RestoreFolded); err != nil {
				return err
			}
		}
		if err := r.fold(ctx, b, archive.Query{Mode: m, From: p.First(), To: to, Scope: scope, TrueScores: p.TrueScores()}, r.Store.Replace); err != nil {
			return err
		}
		r.report.Periods++
	}
	return nil
}

// teams makes the boards of groups that are not made from what is in Redis: of
// periods that are over, and of all time, which has groups that have not played for
// long.
func (r *restore) teams(ctx context.Context, m *game.Mode, periods []game.Period) error {
	today := r.Game.Today(r.Now())
	for _, p := range append(periods, game.AllTime.Of(today)) {
		query := archive.Query{Mode: m, From: p.First(), To: p.Last(), Scope: game.TeamsScope()}
		if p.Kind() == game.AllTime {
			query.From, query.To = beginning, today.AddDays(1)
		} else if !r.Game.Closed(p, r.Now()) {
			continue
		}
		if err := r.fold(ctx, r.Store.Board(m, p, game.TeamsScope()), query, r.Store.Replace); err != nil {
			return err
		}
	}
	return nil
}

func (r *restore) fold(ctx context.Context, b board.Board, q archive.Query, put func(context.Context, board.Board, map[string]float64) error) error {
	all, err := r.totals(ctx, q)
	if err != nil || r.options.DryRun {
		return err
	}
	r.report.Folded++
	return put(ctx, b, all)
}

// totals reads aggregated scores by player.
func (c *Closing) totals(ctx context.Context, q archive.Query) (map[string]float64, error) {
	all := map[string]float64{}
	return all, c.Archive.Results.Totals(ctx, q, entriesInto(all))
}

func entriesInto(all map[string]float64) func([]archive.Entry) error {
	return func(entries []archive.Entry) error {
		for _, e := range entries {
			all[e.Player] = e.Stored
		}
		return nil
	}
}
