package jobs_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/lifecycle"
	"github.com/framedle/leaderboards/internal/lifecycle/playerdata"
	"github.com/framedle/leaderboards/internal/product/jobs"
)

func TestBansAndTheLogArePaged(t *testing.T) {
	onWorlds(t, func(w *world) {
		ctx := w.Context()
		removals := jobs.Removals(w.app, w.kept)
		for i := range 5 {
			_, err := removals.Ban(ctx, fmt.Sprint("user_", i), "", lifecycle.Act{ID: fmt.Sprint("act", i), Actor: "operator", At: w.now})
			require.NoError(w, err)
		}
		bans, err := w.people().ListBans(ctx, "", 2)
		require.NoError(w, err)
		require.EqualValues(w, 5, bans.Total)
		if w.kept == nil {
			require.Equal(w, "redis", bans.Source)
			require.Empty(w, bans.Bans)
			_, err = w.people().ListLog(ctx, "", "", 2)
			require.ErrorIs(w, err, playerdata.ErrNoArchive)
			return
		}
		seen := map[string]bool{}
		for {
			for _, b := range bans.Bans {
				require.False(w, seen[b.Player])
				seen[b.Player] = true
			}
			if bans.Next == nil {
				break
			}
			bans, err = w.people().ListBans(ctx, *bans.Next, 2)
			require.NoError(w, err)
		}
		require.Len(w, seen, 5)

		var acts []string
		log, err := w.people().ListLog(ctx, "", "", 2)
		for {
			require.NoError(w, err)
			for _, act := range log.Entries {
				acts = append(acts, act.ID)
			}
			if log.Next == nil {
				break
			}
			log, err = w.people().ListLog(ctx, "", *log.Next, 2)
		}
		require.Equal(w, []string{"act0", "act1", "act2", "act3", "act4"}, acts)
		of, err := w.people().ListLog(ctx, "user_3", "", 100)
		require.NoError(w, err)
		require.Len(w, of.Entries, 1)
	})
}
