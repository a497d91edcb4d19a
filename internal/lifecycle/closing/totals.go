package closing

import (
	"context"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/game"
)

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
