package jobs

import (
	"context"
	"log/slog"
	"maps"
	"slices"
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
	leagues := league.New(league.Options{
		DB: s.DB, Rollup: s.Rollup, XP: s.XP, Archive: leaguesOf(kept, a.Game()), Names: s.Boards.Names, Banned: s.Notices.IsBanned,
	})
	s.Notices.Removed.On(leagues.Forget)
	return leagues
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
	settler := league.Settler{DB: c.Store.DB, Calendar: c.Store.Rollup.Calendar, Books: leaguesOf(c.Archive, c.Game), Closed: closed}
	did, err := settler.Run(ctx, settleReserve)
	for _, week := range did {
		j.log.LogAttrs(ctx, slog.LevelInfo, "leagues are settled", slog.String("week", week.Week), slog.Int("players", week.Players))
	}
	return err
}

// keptLeagues is the archive as package league uses it.
type keptLeagues struct {
	archive.Leagues
	days archive.Days
	game *game.Game
}

func leaguesOf(kept *archive.Archive, g *game.Game) keptLeagues {
	return keptLeagues{kept.Leagues, kept.Days, g}
}

func (k keptLeagues) seat(week game.Date) func([]string, archive.LeagueRoom) []game.LeagueSeat {
	return func(players []string, room archive.LeagueRoom) []game.LeagueSeat {
		return league.Seat(k.game.Leagues, week, players, room.Last, room.Newest)
	}
}

func (k keptLeagues) Join(ctx context.Context, week game.Date, players []string, from time.Time) ([]game.LeagueSeat, error) {
	return k.Leagues.Join(ctx, week, players, from, k.seat(week))
}

func (k keptLeagues) Whole(ctx context.Context, m *game.Mode, week game.Period, known []game.Date) (bool, error) {
	whole, err := k.days.Complete(ctx, m.Name, week.First(), week.Last())
	lacks := slices.ContainsFunc(known, func(d game.Date) bool { return !whole[d] })
	return err == nil && !lacks && !slices.Contains(slices.Collect(maps.Values(whole)), false), err
}

func (k keptLeagues) Settle(ctx context.Context, week game.Date, at time.Time) (int, bool, error) {
	ended, did, err := k.Leagues.Settle(ctx, week, k.game.Modes, at, k.seat(week),
		func(seats []game.LeagueSeat, xp map[string]int64) []game.LeagueStanding {
			return league.Stand(k.game.Leagues, seats, xp)
		})
	return len(ended), did, err
}
