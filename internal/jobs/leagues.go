package jobs

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/framedle/leaderboards/internal/app"
	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/earnings"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/league"
)

// Leagues makes the leagues; nil for a game without leagues, and without an archive.
func Leagues(a *app.App, kept *archive.Archive) earnings.Leagues {
	if kept == nil || a.Game().Leagues == nil {
		return nil
	}
	s := a.Store()
	return league.New(league.Options{
		DB: s.DB, Rollup: s.Rollup, XP: s.XP, Archive: keptLeagues{kept, a.Game()}, Names: s.Boards.Names, Banned: s.Notices.IsBanned,
	})
}

// settleReserve is the part of a run's time that settling leaves to the rest of the run.
const settleReserve = 30 * time.Second

// settleLeagues settles weeks of leagues that are over. closed says that the archive was just
// seen to have all closed days.
func settleLeagues(ctx context.Context, j *Jobs, closed bool) error {
	c := j.closing
	if c.Archive == nil || c.Game.Leagues == nil {
		return nil
	}
	settler := league.Settler{DB: c.Store.DB, Calendar: c.Store.Rollup.Calendar, Books: keptLeagues{c.Archive, c.Game}, Closed: closed}
	did, err := settler.Run(ctx, settleReserve)
	for _, week := range did {
		j.log.LogAttrs(ctx, slog.LevelInfo, "leagues are settled", slog.String("week", week.Week), slog.Int("players", week.Players))
	}
	return err
}

// keptLeagues is the archive as package league uses it.
type keptLeagues struct {
	kept *archive.Archive
	game *game.Game
}

func (k keptLeagues) seat(week game.Date) func([]string, archive.LeagueRoom) []game.LeagueSeat {
	return func(players []string, room archive.LeagueRoom) []game.LeagueSeat {
		newest := make([]league.Cohort, len(room.Newest))
		for i, c := range room.Newest {
			newest[i] = league.Cohort{Tier: c.Tier, Pace: c.Pace, Cohort: c.Cohort, Players: c.Players}
		}
		return league.Seat(k.game.Leagues, week, players, room.Last, newest)
	}
}

func (k keptLeagues) Join(ctx context.Context, week game.Date, players []string, from time.Time) ([]game.LeagueSeat, error) {
	seats, err := k.kept.Leagues.Join(ctx, week, players, from, k.seat(week))
	return seats, ofLeagues(err)
}

func (k keptLeagues) Next(ctx context.Context) (game.Date, error) {
	next, err := k.kept.Leagues.Next(ctx)
	return next, ofLeagues(err)
}

func (k keptLeagues) Of(ctx context.Context, player string, before game.Date, limit int) ([]game.LeagueResult, error) {
	results, err := k.kept.Leagues.Of(ctx, player, before, limit)
	return results, ofLeagues(err)
}

func (k keptLeagues) Kept(ctx context.Context, player string, before game.Date, limit int) ([]game.LeagueResult, error) {
	results, err := k.kept.Leagues.Kept(ctx, player, before, limit)
	return results, ofLeagues(err)
}

func (k keptLeagues) Due(ctx context.Context, last, today game.Date) ([]game.Date, error) {
	due, err := k.kept.Leagues.Due(ctx, last, today)
	return due, ofLeagues(err)
}

func (k keptLeagues) Whole(ctx context.Context, m *game.Mode, week game.Period, known []game.Date) (bool, error) {
	whole, err := k.kept.Days.Complete(ctx, m.Name, week.First(), week.Last())
	if err != nil {
		return false, ofLeagues(err)
	}
	for _, d := range known {
		if !whole[d] {
			return false, nil
		}
	}
	for _, has := range whole {
		if !has {
			return false, nil
		}
	}
	return true, nil
}

func (k keptLeagues) Settle(ctx context.Context, week game.Date, at time.Time) (int, bool, error) {
	ended, did, err := k.kept.Leagues.Settle(ctx, week, k.game.Modes, at, k.seat(week),
		func(seats []game.LeagueSeat, xp map[string]int64) []game.LeagueStanding {
			return league.Stand(k.game.Leagues, seats, xp)
		})
	return len(ended), did, ofLeagues(err)
}

// ofLeagues translates the archive's errors into those of package league.
func ofLeagues(err error) error {
	switch {
	case errors.Is(err, archive.ErrUnsettled):
		return fmt.Errorf("%w: %w", league.ErrUnsettled, err)
	case errors.Is(err, archive.ErrClosed):
		return fmt.Errorf("%w: %w", league.ErrOver, err)
	}
	return err
}
