package clerk

import (
	"context"

	"github.com/framedle/leaderboards/internal/lifecycle/playerdata"
)

// ExportSteady is what Export costs.
var ExportSteady = playerdata.Cost{One: 1, None: 1}

// Export is the player's present groups.
func (g *Groups) Export() playerdata.Source {
	return playerdata.Source{About: func(ctx context.Context, player string) (playerdata.Fields, bool, error) {
		groups, err := g.Of(ctx, player)
		return playerdata.Fields{"groups": append([]string{}, groups...)}, len(groups) > 0, err
	}}
}
