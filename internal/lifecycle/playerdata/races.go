package playerdata

import (
	"context"

	"github.com/framedle/leaderboards/internal/game"
)

func (d *reading) races(ctx context.Context, r *room) (err error) {
	d.Races, d.at.Races, err = fill(ctx, d.at.Races, mostOthers, r,
		func(ctx context.Context, after mark, limit int) ([]Race, error) {
			rows, err := d.s.Archive.Races(ctx, d.Player, after.At, after.ID, limit)
			races := make([]Race, len(rows))
			for i, row := range rows {
				races[i] = d.race(row)
			}
			return races, err
		},
		func(row Race) mark { return mark{row.CreatedAt, row.ID} }, asJSON[Race])
	return err
}

// race returns how a race ended for the player, without what other players have typed: that is
// theirs.
func (d *reading) race(of game.Race) Race {
	r := Race{ID: of.ID, State: of.State, Mode: of.Mode, CreatedAt: of.CreatedAt, StartsAt: of.StartsAt, DecidedAt: of.DecidedAt}
	for _, seat := range of.Seats {
		r.Players = append(r.Players, seat.Player)
		if seat.Player != d.Player {
			continue
		}
		r.Left, r.Place = seat.Left, seat.Place
		if seat.Score != nil {
			r.Score, r.Values = d.s.score(of.Mode, *seat.Score), d.s.values(of.Mode, *seat.Score)
		}
		if seat.Place > 0 {
			r.Rating = &RaceRating{seat.Rating.Before, seat.Rating.After}
		}
	}
	return r
}
