package webhookstore_test

import (
	"context"

	"github.com/framedle/leaderboards/internal/feature/badge"
	"github.com/framedle/leaderboards/internal/feature/badge/badgestore"
	"github.com/framedle/leaderboards/internal/game"
)

func init() {
	givesBadges = "badges: {week: {title: A week, streak: 7}}"
	badgeGiven = func(w *world, player string) error {
		_, err := badgestore.In(w.kept).Give(w.Context(), []badgestore.PlayerBadge{{
			Player: player, Badge: badge.Badge{Rule: "week", Earned: game.DateOf(noon), Since: game.DateOf(noon)},
		}}, w.now())
		return err
	}
	badgesMoved = func(w *world, device, player string) error {
		return badgestore.In(w.kept).Move(context.Background(), device, player)
	}
}
