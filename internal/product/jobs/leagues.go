package jobs

import (
	"context"
	"log/slog"
	"maps"
	"slices"
	"time"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/feature/league"
	"github.com/framedle/leaderboards/internal/feature/league/leaguestore"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lifecycle/closing"
	"github.com/framedle/leaderboards/internal/product/app"
)

// Leagues makes the leagues; nil for a game without leagues, and without an archive.
func Leagues(a *app.App, kept *archive.Archive) league.Reader {
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
	c := &j.closing
	if c.Archive == nil || c.Game.Leagues == nil {
		return nil
	}
	settler := Settler(c)
	settler.Closed = closed
	did, err := settler.Run(ctx, settleReserve)
	for _, week := range did {
		level, left := slog.LevelInfo, []slog.Attr{slog.String("week", week.Week), slog.Int("players", week.Players)}
		if len(week.LeftOut) > 0 {
			level, left = slog.LevelWarn, append(left, slog.Any("left_out", week.LeftOut))
		}
		j.log.LogAttrs(ctx, level, "leagues are settled", left...)
	}
	return err
}

// Settler settles weeks of a game that has leagues, and an archive.
func Settler(c *closing.Closing) *league.Settler {
	return &league.Settler{DB: c.Store.DB, Calendar: c.Store.Rollup.Calendar, Books: leaguesOf(c.Archive, c.Game)}
}

// keptLeagues is the archive as package league uses it.
type keptLeagues struct {
	leaguestore.Table
	days archive.Days
	game *game.Game
}

func leaguesOf(kept *archive.Archive, g *game.Game) keptLeagues {
	return keptLeagues{leaguestore.In(kept), kept.Days, g}
}

func (k keptLeagues) seat(week game.Date) func([]string, leaguestore.LeagueRoom) []game.LeagueSeat {
	return func(players []string, room leaguestore.LeagueRoom) []game.LeagueSeat {
		return league.Seat(k.game.Leagues, week, players, room.Last, room.Newest)
	}
}

func (k keptLeagues) Join(ctx context.Context, week game.Date, players []string, from time.Time) ([]game.LeagueSeat, error) {
	return k.Table.Join(ctx, week, players, from, k.seat(week))
}

func (k keptLeagues) Lacking(ctx context.Context, m *game.Mode, week game.Period, known []game.Date) ([]league.Lacking, error) {
	begun, err := k.days.Between(ctx, m.Name, week.First(), week.Last())
	if err != nil {
		return nil, err
	}
	days := map[game.Date]league.Lacking{}
	for _, d := range known {
		days[d] = league.Lacking{Date: d}
	}
	for _, d := range begun {
		if days[d.Date] = (league.Lacking{Date: d.Date, Players: d.Players}); d.Complete {
			delete(days, d.Date)
		}
	}
	if len(days) == 0 {
		return nil, nil
	}
	imported, err := k.days.Imported(ctx, m.Name, week.First(), week.Last())
	for _, d := range imported {
		if day, lacks := days[d]; lacks {
			day.Imported = true
			days[d] = day
		}
	}
	lacking := slices.Collect(maps.Values(days))
	slices.SortFunc(lacking, func(a, b league.Lacking) int { return a.Date.Compare(b.Date) })
	return lacking, err
}

func (k keptLeagues) stand(seats []game.LeagueSeat, xp map[string]int64) []game.LeagueStanding {
	return league.Stand(k.game.Leagues, seats, xp)
}

func (k keptLeagues) Settle(ctx context.Context, week game.Date, at time.Time) (int, bool, error) {
	ended, did, err := k.Table.Settle(ctx, week, k.game.Modes, at, k.seat(week), k.stand)
	return len(ended), did, err
}

func (k keptLeagues) SettleAgain(ctx context.Context, week game.Date, at time.Time, dryRun bool) (players, changed int, err error) {
	before, ended, err := k.Table.SettleAgain(ctx, week, k.game.Modes, at, dryRun, k.seat(week), k.stand)
	was := map[string]game.LeagueStanding{}
	for _, s := range before {
		was[s.Player] = s
	}
	for _, s := range ended {
		if was[s.Player] != s {
			changed++
		}
		delete(was, s.Player)
	}
	return len(ended), changed + len(was), err
}
