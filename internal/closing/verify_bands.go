package closing

import (
	"context"

	"github.com/framedle/leaderboards/internal/bands"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/rollup"
)

// inBands compares a board of all time that is kept in bands, which has the best of all
// days: none may be worse than what rolled-up days add up to, and none better than these
// and the days that are in Redis. Whose newest day is not carried yet stands in between.
func (v *verify) inBands(ctx context.Context, in *rollup.InBands, b game.Board, last game.Date) error {
	least, err := totals(ctx, v.archive, b, last)
	if err != nil {
		return err
	}
	days, err := in.Days(ctx)
	if err != nil {
		return err
	}
	stands := map[string]float64{}
	err = bands.Each(ctx, in.Bands, in.Board, func(page []bands.Entry) error {
		for _, e := range page {
			stands[e.Player] = e.Stored
			should, there := least[e.Player]
			if day, played := days[e.Player]; played && (!there || in.Better(day, should)) && !in.Better(e.Stored, day) && (!there || !in.Better(should, e.Stored)) {
				least[e.Player] = e.Stored // as good as what is to be carried, or on its way
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	compare(v, b.Key, stands, least)
	return nil
}
