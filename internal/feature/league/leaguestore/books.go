package leaguestore

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/feature/league"
	"github.com/framedle/leaderboards/internal/game"
)

// Books are the leagues of an archive, as a game has them.
type Books struct {
	Table
	days archive.Days
	game *game.Game
}

// BooksIn are the leagues of an archive.
func BooksIn(kept *archive.Archive, g *game.Game) Books {
	return Books{In(kept), kept.Days, g}
}

func (k Books) seat(week game.Date) func([]string, LeagueRoom) []league.Seat {
	return func(players []string, room LeagueRoom) []league.Seat {
		return league.Assign(league.RulesOf(k.game), week, players, room.Last, room.Newest)
	}
}

func (k Books) Join(ctx context.Context, week game.Date, players []string, from time.Time) ([]league.Seat, error) {
	return k.Table.Join(ctx, week, players, from, k.seat(week))
}

func (k Books) MissingDays(ctx context.Context, m *game.Mode, week game.Period, known []game.Date) ([]league.MissingDay, error) {
	begun, err := k.days.Between(ctx, m.Name, week.First(), week.Last())
	if err != nil {
		return nil, err
	}
	days := map[game.Date]league.MissingDay{}
	for _, d := range known {
		days[d] = league.MissingDay{Date: d}
	}
	for _, d := range begun {
		if days[d.Date] = (league.MissingDay{Date: d.Date, Players: d.Players}); d.Complete {
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
	slices.SortFunc(lacking, func(a, b league.MissingDay) int { return a.Date.Compare(b.Date) })
	return lacking, err
}

func (k Books) stand(seats []league.Seat, xp map[string]int64) []league.Standing {
	return league.Stand(league.RulesOf(k.game), seats, xp)
}

func (k Books) Settle(ctx context.Context, week game.Date, at time.Time) (int, bool, error) {
	ended, did, err := k.Table.Settle(ctx, week, k.game.Modes, at, k.seat(week), k.stand)
	return len(ended), did, err
}

func (k Books) SettleAgain(ctx context.Context, week game.Date, at time.Time, dryRun bool) (players, changed int, err error) {
	before, ended, err := k.Table.SettleAgain(ctx, week, k.game.Modes, at, dryRun, k.seat(week), k.stand)
	was := map[string]league.Standing{}
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
