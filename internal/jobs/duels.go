package jobs

import (
	"context"
	"crypto/rand"
	"errors"
	"net/http"

	"github.com/framedle/leaderboards/internal/app"
	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/duel"
	"github.com/framedle/leaderboards/internal/friends"
	"github.com/framedle/leaderboards/internal/game"
)

// Duels wires duels. The archive may be nil.
func Duels(a *app.App, kept *archive.Archive) *duel.Store {
	o := duel.Options{
		Redis: a.Redis(), Game: a.Game(), Now: a.Now, NewID: rand.Text,
		MayDuel: func(ctx context.Context, player, other string) error {
			err := a.Lists().MayMeet(ctx, player, other)
			if errors.Is(err, friends.ErrBlocked) {
				return duel.ErrRefused
			}
			return err
		},
	}
	if kept != nil {
		o.History = pastDuels{kept}
	}
	return duel.New(o)
}

// DuelHandler is the handler of the function duel. The archive may be nil.
func DuelHandler(a *app.App, kept *archive.Archive) http.Handler { return a.Duel(Duels(a, kept)) }

// pastDuels is the archive as duels see it.
type pastDuels struct{ archive *archive.Archive }

func (p pastDuels) PutDuels(ctx context.Context, duels []game.Duel) error {
	return away(p.archive.PutDuels(ctx, duels))
}

func (p pastDuels) DuelsOf(ctx context.Context, player string, after duel.Mark, limit int) ([]game.Duel, error) {
	found, err := p.archive.DuelsOf(ctx, player, after.At, after.ID, limit)
	return found, away(err)
}
