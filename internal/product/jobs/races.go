package jobs

import (
	"context"
	"crypto/rand"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/feature/play"
	"github.com/framedle/leaderboards/internal/feature/race"
	"github.com/framedle/leaderboards/internal/feature/race/racestore"
	"github.com/framedle/leaderboards/internal/product/app"
)

// Races makes the store of races. The archive may be nil.
func Races(a *app.App, kept *archive.Archive) *race.Store {
	o := race.Options{
		Redis: a.Redis(), Game: a.Game(), Now: a.Now, NewID: rand.Text,
		Text: play.NewDealer(a.Game(), nil, rand.Reader).Bind,
		MayMeet: func(ctx context.Context, player string, others ...string) error {
			return mayMeet(ctx, a, race.ErrRefused, player, others...)
		},
	}
	if kept != nil {
		o.History = racestore.In(kept)
	}
	races := race.New(o)
	a.Store().Notices.Removed.On(races.Forget)
	return races
}
