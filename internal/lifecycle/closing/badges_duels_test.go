package closing_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/feature/badge"
	"github.com/framedle/leaderboards/internal/feature/badge/badgestore"
	"github.com/framedle/leaderboards/internal/feature/duel"
	"github.com/framedle/leaderboards/internal/feature/duel/duelstore"
)

// The badge for a hundred wins counts finished duels, each once, however often the job runs.
// Nothing is counted for an erased player.
func TestDuelsThatAreWonGiveABadge(t *testing.T) {
	ctx := context.Background()
	k := newKit(t)
	k.game = testkit.Game(t, "name: testing\nrefresh: 1s\nmodes: {first: {max: 9}}\nbadges: {wins_3: {title: Three, wins: 3}}\n")
	a := k.archive()
	var duels []duel.Duel
	for n := range 4 { // one a day from monday on
		at := monday.AddDays(n).Midnight().Add(23 * time.Hour)
		duels = append(duels, duel.Duel{
			ID: fmt.Sprint("d", n), State: duel.Decided, Players: [2]string{"a", "b"}, CreatedAt: at.Add(-time.Hour), K: 32,
			Outcome: &duel.Outcome{Winner: 0}, DecidedAt: at,
		})
	}
	require.NoError(t, duelstore.In(a).Put(ctx, duels))
	k.at(monday.AddDays(2), 12, 0)
	k.run(0)
	require.Empty(t, k.badges(), "the third is not over with its day")
	k.at(monday.AddDays(5), 0, 30)
	k.run(0)
	require.Equal(t, map[given]string{{"a", "wins_3", ""}: monday.AddDays(2).String()}, k.badges())
	_, err := badgestore.In(a).Give(ctx, []badgestore.PlayerBadge{{Player: "a", Badge: badge.Rule{ID: "wins_3"}.Reached(monday.AddDays(4))}}, k.now)
	require.NoError(t, err)
	require.Equal(t, map[given]string{{"a", "wins_3", ""}: monday.AddDays(2).String()}, k.badges(), "the earlier day stays")
}
