package playerdata

import (
	"context"

	"github.com/framedle/leaderboards/internal/game"
)

// PastLeagues lists everything that is kept of a player's league weeks before a date, newest
// first.
type PastLeagues interface {
	Kept(ctx context.Context, player string, before game.Date, limit int) ([]game.LeagueResult, error)
}

func (d *reading) leagues(ctx context.Context, r *room) (err error) {
	d.Leagues, d.at.Leagues, err = fill(ctx, d.at.Leagues, mostOthers, r,
		func(ctx context.Context, after string, limit int) ([]League, error) {
			before := game.NewDate(9999, 12, 27)
			if after != "" {
				var err error
				if before, err = game.ParseDate(after); err != nil {
					return nil, err
				}
			}
			rows, err := d.s.Leagues.Kept(ctx, d.Player, before, limit)
			weeks := make([]League, len(rows))
			for i, row := range rows {
				weeks[i] = League{
					Week: game.Week.Of(row.Week).Key(), TierIndex: row.Tier, Pace: row.Pace, Cohort: row.Cohort, monday: row.Week,
					XP: row.XP, Rank: row.Place, Players: row.Of, Zone: row.Zone, Reward: row.Reward,
				}
				if row.Place > 0 {
					weeks[i].After = &row.After
				}
			}
			return weeks, err
		},
		func(row League) string { return row.monday.String() }, asJSON[League])
	return err
}
