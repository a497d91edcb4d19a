package closing

import (
	"context"

	"github.com/framedle/leaderboards/internal/bands"
	"github.com/framedle/leaderboards/internal/derive"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lifecycle"
)

// inBands compares a board of all time that is kept in bands, which has the best of all days.
// No entry may be worse than the best of the rolled-up days, and none may be better than the
// best of these and the days in Redis. A player whose newest day has not been carried to the
// board yet may be anywhere between the two.
func (v *verify) inBands(ctx context.Context, in *derive.InBands, b game.Board, last game.Date) error {
	least, err := totals(ctx, v.c.Archive, b, last)
	if err != nil {
		return err
	}
	days, err := in.Days(ctx)
	if err != nil {
		return err
	}
	stands := map[string]float64{}
	err = in.Bands.Each(ctx, in.Board, func(page []bands.Entry) error {
		for _, e := range page {
			stands[e.Player] = e.Stored
			should, there := least[e.Player]
			if day, played := days[e.Player]; played && (!there || in.Board.Better(day, should)) && !in.Board.Better(e.Stored, day) && (!there || !in.Board.Better(should, e.Stored)) {
				least[e.Player] = e.Stored // still to be carried, or on its way
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	lifecycle.Compare(&v.Comparison, b.Key, stands, least)
	return nil
}
