package badgestore

import (
	"context"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/feature/badge"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lifecycle/playerdata"
)

// exported is a badge that the player was given.
type exported struct {
	ID        string `json:"id"` // of the rule
	Title     string `json:"title,omitempty"`
	Earned    string `json:"earned"`
	Mode      string `json:"mode,omitempty"`
	Period    string `json:"period,omitempty"`
	PeriodKey string `json:"period_key,omitempty"`
	Scope     string `json:"scope,omitempty"`
	Taken     bool   `json:"taken,omitempty"` // by an operator
}

// exportPlace is the place of a badge among those of its player.
type exportPlace struct {
	Earned string `json:"e"`
	Rule   string `json:"r"`
	Key    string `json:"k"`
}

// Export is a player's badges, also of rules that the game no longer has.
func Export(g *game.Game, kept *archive.Archive) playerdata.Source {
	read := func(ctx context.Context, player string, after exportPlace, limit int) ([]badge.Badge, error) {
		earned, _ := game.ParseDate(after.Earned) // the zero place has none
		return In(kept).Of(ctx, player, nil, badge.Badge{Rule: after.Rule, Key: after.Key, Earned: earned}, limit)
	}
	return playerdata.Source{Lists: []playerdata.List{{Name: "badges", Optional: true, Read: playerdata.Rows(read, func(one badge.Badge) playerdata.Row {
		rule, _ := badge.RulesOf(g).Rule(one.Rule)
		return playerdata.Row{
			Value: exported{
				ID: one.Rule, Title: rule.Title, Earned: one.Earned.String(), Mode: g.Called(one.Mode),
				Period: one.Period, PeriodKey: one.Key, Scope: one.Scope, Taken: one.Taken,
			},
			Place: exportPlace{one.Earned.String(), one.Rule, one.Key},
		}
	})}}}
}
