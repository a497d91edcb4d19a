package playerdata

import (
	"context"

	"github.com/framedle/leaderboards/internal/game"
)

// BadgeList lists a player's badges by rules, newest first, also those of rules that the game
// no longer has.
type BadgeList interface {
	Of(ctx context.Context, player string, after game.Badge, limit int) ([]game.Badge, error)
}

// Badge is a badge that the player was given.
type Badge struct {
	ID        string `json:"id"` // of the rule
	Title     string `json:"title,omitempty"`
	Earned    string `json:"earned"`
	Mode      string `json:"mode,omitempty"`
	Period    string `json:"period,omitempty"`
	PeriodKey string `json:"period_key,omitempty"`
	Scope     string `json:"scope,omitempty"`
}

// badges adds a page of the player's badges.
func badges(d *reading) func(context.Context, *room) error {
	return func(ctx context.Context, r *room) (err error) {
		d.Badges, d.at.Badges, err = fill(ctx, d.at.Badges, mostOthers, r,
			func(ctx context.Context, after badgePlace, limit int) ([]Badge, error) {
				rows, err := d.s.Badges.Of(ctx, d.Player, after.badge(), limit)
				shown := make([]Badge, len(rows))
				for i, row := range rows {
					rule, _ := d.s.Game.Badges.Rule(row.Rule)
					shown[i] = Badge{
						ID: row.Rule, Title: rule.Title, Earned: row.Earned.String(), Mode: d.s.Game.Called(row.Mode),
						Period: row.Period, PeriodKey: row.Key, Scope: row.Scope,
					}
				}
				return shown, err
			},
			func(row Badge) badgePlace { return badgePlace{row.Earned, row.ID, row.PeriodKey} }, asJSON[Badge])
		return err
	}
}

// badgePlace is the place of a badge among those of its player.
type badgePlace struct {
	Earned string `json:"e"`
	Rule   string `json:"r"`
	Key    string `json:"k"`
}

func (p badgePlace) badge() game.Badge {
	earned, _ := game.ParseDate(p.Earned) // the zero place has none
	return game.Badge{Rule: p.Rule, Key: p.Key, Earned: earned}
}
