package jobs_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/feature/badge"
	"github.com/framedle/leaderboards/internal/feature/badge/badgestore"
	"github.com/framedle/leaderboards/internal/game"
)

// The document has the player's badges, however many there are.
func TestAPlayersDocumentHasBadges(t *testing.T) {
	onWorlds(t, func(w *world) {
		w.game = peopleGame + "badges: {top: {title: Top, rank: 3, period: day, mode: daily}, week: {title: A week, streak: 7}}\n"
		w.restart()
		require.Empty(w, part[[]listed](w, w.read("user_a"), "badges"))
		if w.kept == nil {
			return
		}
		today := game.DateOf(w.now)
		given := []badgestore.PlayerBadge{{Player: "user_b", Badge: badge.Badge{Rule: "week", Earned: today, Since: today}}}
		for i := range 1100 { // more than are read at once
			d := today.AddDays(-i)
			given = append(given, badgestore.PlayerBadge{Player: "user_a", Badge: badge.Badge{Rule: "top", Key: d.String(), Earned: d, Since: d, Mode: "daily", Scope: "global", Period: "day"}})
		}
		given = append(given, badgestore.PlayerBadge{Player: "user_a", Badge: badge.Badge{Rule: "gone", Earned: today, Since: today}})
		_, err := badgestore.In(w.kept).Give(w.Context(), given, w.now)
		require.NoError(w, err)
		d := w.read("user_a")
		require.Len(w, part[[]listed](w, d, "badges"), 1101)
		require.Equal(w, listed{ID: "top", Title: "Top", Earned: today.String(), Mode: "daily", Period: "day", Key: today.String(), Scope: "global"}, part[[]listed](w, d, "badges")[0])
		require.Equal(w, listed{ID: "gone", Earned: today.String()}, part[[]listed](w, d, "badges")[1])
		require.True(w, w.read("user_b").Known)
	})
}
