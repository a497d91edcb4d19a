package jobs

import (
	"context"
	"crypto/rand"
	"time"

	"github.com/framedle/leaderboards/internal/app"
	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/duel"
	"github.com/framedle/leaderboards/internal/game"
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
		o.History = PastDuels(kept)
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

// PastDuels makes the archive a duel.History.
func PastDuels(kept *archive.Archive) duel.History { return pastDuels{kept.Duels} }

// pastDuels keeps duels in the archive.
type pastDuels struct{ kept archive.Duels }

func (p pastDuels) PutDuels(ctx context.Context, duels []game.Duel) error {
	return away(p.kept.Put(ctx, duels))
}

func (p pastDuels) DuelsOf(ctx context.Context, player string, after duel.Mark, limit int) ([]game.Duel, error) {
	found, err := p.kept.Of(ctx, player, after.At, after.ID, limit)
	return found, away(err)
}

func (p pastDuels) DuelsSince(ctx context.Context, since time.Time, page func([]game.Duel) error) error {
	return away(p.kept.Since(ctx, since, page))
}

func (p pastDuels) HasDuels(ctx context.Context, ids []string) (bool, error) {
	found, err := p.kept.HasAny(ctx, ids)
	return found, away(err)
}

func (p pastDuels) Standings(ctx context.Context, start float64, without []string, page func([]duel.Standing) error) error {
	return away(p.kept.Standings(ctx, start, without, page))
}

func (p pastDuels) LastStandings(ctx context.Context, start float64, without []string, page func([]duel.Standing) error) error {
	return away(p.kept.LastStandings(ctx, start, without, page))
}

func (p pastDuels) Begun(ctx context.Context, page func([]duel.Begun) error) error {
	return away(p.kept.Begun(ctx, page))
}

func (p pastDuels) PutOpen(ctx context.Context, open []game.Duel, ended []string) error {
	return away(p.kept.PutOpen(ctx, open, ended))
}

func (p pastDuels) Open(ctx context.Context, page func([]game.Duel) error) error {
	return away(p.kept.Open(ctx, page))
}

func (p pastDuels) Carry(ctx context.Context, all []duel.Carried) error {
	return away(p.kept.PutCarried(ctx, all))
}

func (p pastDuels) Carried(ctx context.Context) ([]duel.Carried, error) {
	all, err := p.kept.Carried(ctx)
	return all, away(err)
}
