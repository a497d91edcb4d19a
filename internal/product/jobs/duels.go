package jobs

import (
	"context"
	"crypto/rand"
	"time"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/feature/duel"
	"github.com/framedle/leaderboards/internal/feature/duel/duelstore"
	"github.com/framedle/leaderboards/internal/product/app"
)

// Duels makes the store of duels. The archive may be nil.
func Duels(a *app.App, kept *archive.Archive) *duel.Store {
	o := duel.Options{
		Redis: a.Redis(), Game: a.Game(), Now: a.Now, NewID: rand.Text,
		MayDuel: func(ctx context.Context, player, other string) error {
			return mayMeet(ctx, a, duel.ErrRefused, player, other)
		},
		Races: Races(a, kept).Keeper(),
	}
	if kept != nil {
		o.History = duelstore.In(kept)
	}
	return duel.New(o)
}

// saveDuelsEvery is how often one process looks at all duels under way. Each look costs a
// command for each duel, and a game whose outbox is saved every minute does not need it so
// often.
const saveDuelsEvery = 15 * time.Minute

// saveDuels brings duels that are over to the archive, unless this process has done so
// recently.
func (j *Jobs) saveDuels(ctx context.Context) error {
	now := j.closing.Now()
	if since := now.Sub(time.Unix(0, j.savedDuels.Load())); since >= 0 && since < saveDuelsEvery {
		return nil
	}
	_, err := j.duels.Keep(ctx)
	if err == nil {
		j.savedDuels.Store(now.UnixNano())
	}
	return err
}

// forfeitDuels takes a player who is removed out of the duels that gave others XP; nil if none did.
func forfeitDuels(a *app.App, history *archive.Archive) func(context.Context, string) error {
	if !a.Game().DuelXP {
		return nil
	}
	duels := Duels(a, nil)
	return func(ctx context.Context, player string) error {
		err := duels.Forfeit(ctx, player)
		if err == nil && history != nil {
			err = duelstore.In(history).Forfeit(ctx, player)
		}
		return err
	}
}
