package jobs

import (
	"context"

	"github.com/framedle/leaderboards/internal/feature/badge"
	"github.com/framedle/leaderboards/internal/feature/badge/badgestore"
	"github.com/framedle/leaderboards/internal/game"
)

// Badges lists a player's badges for places, newest first. 1 round trip to Postgres.
func (h *History) Badges(ctx context.Context, player string, most int) (badges []game.Achievement, err error) {
	err = within(ctx, func(ctx context.Context) (err error) {
		badges, err = h.archive.Achievements.Of(ctx, player)
		badges = badges[:min(len(badges), most)]
		return err
	})
	return badges, err
}

// Earned lists a player's badges by rules, newest first, and how rare each rule's badges are.
// 2 round trips to Postgres.
func (h *History) Earned(ctx context.Context, player string, rules []string, most int) (badges []badge.Badge, rarities map[string]badge.Rarity, err error) {
	err = within(ctx, func(ctx context.Context) (err error) {
		if badges, err = badgestore.In(h.archive).Of(ctx, player, rules, badge.Badge{}, most); err != nil {
			return err
		}
		rarities, err = badgestore.In(h.archive).Rarities(ctx)
		return err
	})
	return badges, rarities, err
}
