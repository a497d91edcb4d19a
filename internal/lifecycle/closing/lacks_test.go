package closing_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/archive/archivetest"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lifecycle/closing"
)

// refillAfterALoss makes a Redis that was restored once, and then loses and refills its
// Postgres: now only Redis knows which days have been rolled up.
func refillAfterALoss(k *kit) {
	k.playDays(monday, 12, 5)
	k.expireDays(monday)
	k.lose()
	k.restore()
	k.agree()
	k.url = archivetest.Database(k.t)
	filled, err := k.process().Refill(context.Background(), closing.RefillOptions{})
	require.NoError(k.t, err)
	require.NotEmpty(k.t, filled)
}

func (k *kit) refused() {
	k.t.Helper()
	before := k.contents()
	_, err := k.process().Restore(context.Background(), closingOptions)
	var lack *closing.LackError
	require.ErrorAs(k.t, err, &lack)
	require.Equal(k.t, before, k.contents(), "nothing has changed")
}

func TestADayThatIsRolledUpIsLackingAlsoWhereARestoreHasNotedIt(t *testing.T) {
	onEngines(t, func(k *kit) {
		refillAfterALoss(k)
		k.refused()
		lacks, err := k.process().Lacks(context.Background())
		require.NoError(k.t, err)
		require.Contains(k.t, lacks[0], "first: ")
		require.Contains(k.t, lacks[0], "closed days, from "+monday.String())
	})
}

// A day leaves the index when its month has expired. All time and XP still have what the day
// gave.
func TestXPThatOnlyRedisHasIsLackingWhenItsDaysAreForgotten(t *testing.T) {
	onEngines(t, func(k *kit) {
		refillAfterALoss(k)
		for _, m := range k.game.Modes {
			_, err := k.server.Redis().Do(k.t.Context(), "DEL", game.DaysKey(m.Name))
			require.NoError(k.t, err)
		}
		k.refused()
		lacks, err := k.process().Lacks(k.t.Context())
		require.NoError(k.t, err)
		require.Equal(k.t, []string{"XP of 5 of 5 players, all or part"}, lacks)
	})
}
