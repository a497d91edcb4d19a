package jobs_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/feature/badge"
	"github.com/framedle/leaderboards/internal/feature/badge/badgestore"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/product/jobs"
)

// A device's badges go to its owner, who keeps the earlier of two dates. Repeating the claim
// changes nothing, wherever it was cut off, in Redis and in Postgres.
func TestAClaimBringsTheDevicesBadges(t *testing.T) {
	onRepairs(t, "name: t\nmodes:\n  daily: {max: 1000}\nbadges:\n  week: {title: A week, streak: 7}\n  wins: {title: Wins, wins: 1}\n  days: {title: Days, days: 3}\n", func(w *world) {
		d := game.DateOf(w.now)
		given := func(player, rule string, days int) badgestore.PlayerBadge {
			return badgestore.PlayerBadge{Player: player, Badge: badge.Badge{Rule: rule, Earned: d.AddDays(days), Since: d.AddDays(days)}}
		}
		_, err := badgestore.In(w.kept).Give(w.Context(), []badgestore.PlayerBadge{
			given("device", "week", -3), given("device", "days", -1), given("owner", "week", -1), given("owner", "wins", -2), given("other", "days", 0),
		}, w.now)
		require.NoError(w, err)
		has := func(player string) map[string]string {
			badges, err := badgestore.In(w.kept).Of(w.Context(), player, nil, badge.Badge{}, 10)
			require.NoError(w, err)
			all := map[string]string{}
			for _, b := range badges {
				all[b.Rule] = b.Earned.String()
			}
			return all
		}
		claims := jobs.Claims(w.app, w.kept)
		for range 2 {
			_, err := claims.Claim(w.Context(), "device", "owner")
			require.NoError(w, err)
			require.Equal(w, map[string]string{"week": d.AddDays(-3).String(), "wins": d.AddDays(-2).String(), "days": d.AddDays(-1).String()}, has("owner"))
			require.Empty(w, has("device"))
			require.Equal(w, map[string]string{"days": d.String()}, has("other"))
		}
	})
}
