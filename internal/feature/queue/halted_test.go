package queue_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/control"
	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/gamefile/ruleset"
	"github.com/framedle/leaderboards/internal/platform/host"
)

// everyMode is a play of ana and one of ben in every mode.
func (k *kit) everyMode() (messages []host.QueueMessage, want map[string]map[string]game.Score) {
	want = map[string]map[string]game.Score{}
	for _, mode := range modes {
		want[mode] = map[string]game.Score{}
		for i, player := range []string{"ana", "ben"} {
			n := len(messages)
			score := game.Score(3 + i)
			messages = append(messages, message(k.tb, n, k.play(n, mode, player, score)))
			want[mode][player] = score
		}
	}
	return messages, want
}

// During a maintenance each message is delivered again, however often and to whichever
// process, at the cost of one look a minute. Afterwards each counts once, with its own time
// of play.
func TestWhatWaitsThroughAMaintenanceIsWrittenOnceAfterIt(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		messages, want := k.everyMode()
		operator := k.store()
		_, err := operator.Notices.Maintain(t.Context(), control.Maintenance{Since: k.now, Until: k.now.Add(48 * time.Hour), Reason: "moving"})
		require.NoError(t, err)
		for range 25 { // more often than the queue gives a message before it is a dead letter
			failed, err := k.ingest().Take(t.Context(), messages)
			require.NoError(t, err)
			require.Len(t, failed, len(messages))
		}
		for _, mode := range modes {
			require.Empty(t, k.standings(t, mode))
		}
		in := k.ingest()
		_, err = in.Take(t.Context(), messages)
		require.NoError(t, err)
		before := k.Client.Meter().Usage().Commands
		_, err = in.Take(t.Context(), messages)
		require.NoError(t, err)
		require.Zero(t, k.Client.Meter().Usage().Commands-before, "a process that knows asks nothing")

		k.now = k.now.Add(24 * time.Hour)
		require.NoError(t, operator.Notices.EndMaintenance(t.Context()))
		after := k.ingest()
		for range 2 { // as dead letters that are sent back may come
			failed, err := after.Take(t.Context(), messages)
			require.NoError(t, err)
			require.Empty(t, failed)
		}
		for _, mode := range modes {
			require.Equal(t, want[mode], k.standings(t, mode), mode)
		}
	})
}

// Scores that were queued before a build with other rules was deployed wait for
// the build that fits.
func TestWhatARefusedBuildTakesComesAgain(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		messages, want := k.everyMode()
		_, err := k.ingest().Take(t.Context(), messages[:2])
		require.NoError(t, err)
		right := k.game
		k.game = testkit.Game(t, testGame+"  later: {max: 9}\n")
		golf, ok := k.game.Mode("golf")
		require.True(t, ok)
		golf.Order = game.Desc
		wrong := k.ingest()
		require.ErrorAs(t, k.store().Notices.MayWrite(t.Context()), new(*ruleset.ChangedError))
		failed, err := wrong.Take(t.Context(), messages)
		require.NoError(t, err)
		require.Len(t, failed, len(messages))
		k.game = right
		failed, err = k.ingest().Take(t.Context(), messages)
		require.NoError(t, err)
		require.Empty(t, failed)
		for _, mode := range modes {
			require.Equal(t, want[mode], k.standings(t, mode), mode)
		}
	})
}
