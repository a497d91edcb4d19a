package jobs

import (
	"context"
	"crypto/rand"
	"errors"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/feature/friend"
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

// mayMeet returns refused if one of the others is banned, or if a block separates the player
// and one of them.
func mayMeet(ctx context.Context, a *app.App, refused error, player string, others ...string) error {
	for _, other := range others {
		banned, err := a.Store().Notices.IsBanned(ctx, other)
		if err != nil || banned {
			return errors.Join(err, refused)
		}
	}
	err := a.Lists().MayMeet(ctx, player, others...)
	if errors.Is(err, friend.ErrBlocked) {
		return refused
	}
	return err
}
