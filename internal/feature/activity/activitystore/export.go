package activitystore

import (
	"context"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/lifecycle/playerdata"
)

// Export is how many acts name a player, on each day of a group.
func Export(kept *archive.Archive) playerdata.Source {
	type activeDay struct {
		Group string `json:"group"`
		Date  string `json:"date"`
		Acts  int64  `json:"acts"`
	}
	return playerdata.Source{About: func(ctx context.Context, player string) (playerdata.Fields, bool, error) {
		all, err := In(kept).Of(ctx, player)
		if len(all) == 0 {
			return nil, false, err
		}
		days := make([]activeDay, len(all))
		for i, day := range all {
			days[i] = activeDay{day.Group, day.Date.String(), day.Acts}
		}
		return playerdata.Fields{"activity": days}, true, err
	}}
}
