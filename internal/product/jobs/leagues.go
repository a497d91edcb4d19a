package jobs

import (
	"context"
	"log/slog"
	"time"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/feature/league"
	"github.com/framedle/leaderboards/internal/feature/league/leaguestore"
	"github.com/framedle/leaderboards/internal/lifecycle/closing"
	"github.com/framedle/leaderboards/internal/product/app"
)

// Leagues makes the leagues; nil for a game without leagues, and without an archive.
func Leagues(a *app.App, kept *archive.Archive) league.Reader {
	if kept == nil || league.RulesOf(a.Game()) == nil {
		return nil
	}
	s := a.Store()
	leagues := league.New(league.Options{
		DB: s.DB, Rollup: s.Rollup, XP: s.XP, Archive: leaguestore.BooksIn(kept, a.Game()), Names: s.Boards.Names, Banned: s.Notices.IsBanned,
	})
	s.Notices.Removed.On(leagues.Forget)
	return leagues
}

// settleReserve is the part of a run's time that settling leaves to the rest of the run.
const settleReserve = 30 * time.Second

// settleLeagues settles weeks of leagues that are over. closed says that the archive was just
// seen to have all closed days.
func (j *Jobs) settleLeagues(ctx context.Context, closed bool) error {
	c := &j.closing
	if c.Archive == nil || league.RulesOf(c.Game) == nil {
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
	return &league.Settler{DB: c.Store.DB, Calendar: c.Store.Rollup.Calendar, Books: leaguestore.BooksIn(c.Archive, c.Game)}
}
