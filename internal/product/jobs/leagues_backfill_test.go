package jobs_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/feature/backfill"
	"github.com/framedle/leaderboards/internal/feature/league"
	"github.com/framedle/leaderboards/internal/feature/league/leaguestore"
	"github.com/framedle/leaderboards/internal/game"
)

// A day that an import is bringing in is waited for.
func TestAnImportedDayIsWaitedFor(t *testing.T) {
	w := newLeagueWorld(t, "", 1)
	w.play("daily", map[string]int64{"user_a": 10})
	played := game.DateOf(w.now)
	w.until(6, 23*time.Hour)
	w.pass(2 * time.Hour)
	w.close()
	w.pass(10 * 24 * time.Hour)
	in := backfill.NewTable(w.history, "past")
	require.NoError(w, in.Begin(w.Context(), "past.csv", w.now))
	day, err := in.BeginDay(w.Context(), "blitz", played)
	require.NoError(w, err)
	require.ErrorIs(w, w.weekly(), league.ErrOpen)
	require.NoError(w, day.Put(w.Context(), []game.Result{{Player: "user_b", Stored: 500.001}}))
	require.NoError(w, day.Finish(w.Context(), w.now))
	require.NoError(w, w.weekly())
	rows, err := leaguestore.In(w.history).Of(w.Context(), "user_b", game.DateOf(w.now), 10)
	require.NoError(w, err)
	require.EqualValues(w, 400, rows[0].XP)
}
