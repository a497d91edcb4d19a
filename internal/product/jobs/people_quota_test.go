package jobs_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lifecycle/playerdata"
)

func TestThreeExportsADayOverAllProcesses(t *testing.T) {
	onWorlds(t, func(w *world) {
		for range playerdata.OwnExports {
			_, err := w.people().ExportPage(w.Context(), "user_a", "")
			require.NoError(w, err)
		}
		service := w.people()
		var often *playerdata.TooOftenError
		_, err := service.ExportPage(w.Context(), "user_a", "")
		require.ErrorAs(w, err, &often)
		require.Equal(w, 12*time.Hour, often.Wait)
		before := w.client.Meter().Usage().Commands
		_, err = service.ExportPage(w.Context(), "user_a", "")
		require.ErrorAs(w, err, &often)
		require.Equal(w, before, w.client.Meter().Usage().Commands, "a process remembers whom it has refused")
		_, err = service.ExportPage(w.Context(), "user_b", "")
		require.NoError(w, err)
		w.now = w.now.AddDate(0, 0, 1)
		_, err = service.ExportPage(w.Context(), "user_a", "")
		require.NoError(w, err)
		ends, err := w.redis.Redis().Do(w.Context(), "TTL", game.ExportKey(game.DateOf(w.now), "user_a"))
		require.NoError(w, err)
		require.Positive(w, ends)
	})
}

func TestAnExportThatFailsDoesNotCount(t *testing.T) {
	w := newWorld(t, "", true)
	good := w.kept
	var err error
	w.kept, err = archive.Open(archive.Options{URL: "postgres://nobody@127.0.0.1:1/none"})
	require.NoError(t, err)
	for range playerdata.OwnExports + 1 {
		_, err = w.people().ExportPage(t.Context(), "user_a", "")
		require.ErrorIs(t, err, game.ErrDatabaseAway)
	}
	w.kept = good
	_, err = w.people().ExportPage(t.Context(), "user_a", "")
	require.NoError(t, err)
}
