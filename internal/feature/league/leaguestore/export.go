package leaguestore

import (
	"context"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/feature/league"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lifecycle/playerdata"
)

// exported is a week of leagues. A week that is not settled has only a cohort.
type exported struct {
	Week      string      `json:"week"`
	TierIndex int         `json:"tier_index"` // from 0, as are pace and cohort
	Pace      int         `json:"pace"`
	Cohort    int         `json:"cohort"`
	XP        int64       `json:"xp,omitempty"`
	Rank      int         `json:"rank,omitempty"`
	Players   int         `json:"players,omitempty"` // of the cohort
	Zone      league.Zone `json:"zone,omitempty"`
	After     *int        `json:"tier_index_after,omitempty"`
	Reward    string      `json:"reward,omitempty"`
}

// Export is what is kept of a player's leagues.
func Export(kept *archive.Archive) playerdata.Source {
	read := func(ctx context.Context, player, after string, limit int) ([]league.Result, error) {
		before := game.NewDate(9999, 12, 27)
		if after != "" {
			var err error
			if before, err = game.ParseDate(after); err != nil {
				return nil, err
			}
		}
		return In(kept).Results(ctx, player, before, limit)
	}
	return playerdata.Source{Lists: []playerdata.List{{Name: "leagues", Optional: true, Read: playerdata.Rows(read, func(one league.Result) playerdata.Row {
		e := exported{
			Week: game.Week.Of(one.Week).Key(), TierIndex: one.Tier, Pace: one.Pace, Cohort: one.Cohort,
			XP: one.XP, Rank: one.Place, Players: one.Of, Zone: one.Zone, Reward: one.Reward,
		}
		if one.Place > 0 {
			e.After = &one.After
		}
		return playerdata.Row{Value: e, Place: one.Week.String()}
	})}}}
}
