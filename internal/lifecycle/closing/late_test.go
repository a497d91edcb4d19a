package closing_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/game"
)

// A score that came in after its day had closed counts in XP, even if something else rolls the
// day up before it closes again.
func TestALateScoreIsInXPThoughItsDayIsRolledUpFirst(t *testing.T) {
	k := newKit(t)
	ctx := context.Background()
	k.playDays(monday, 3, 4)
	k.at(monday.AddDays(6), 23, 0)
	k.play("first", "late", monday, 400) // the last hour in which the day takes writes
	k.at(monday.AddDays(7), 1, 0)
	store := k.process().Store
	view, err := store.Rollup.Calendar.Survey(ctx)
	require.NoError(t, err)
	rolledUp, err := store.Days.RollUpDays(ctx, view) // as a removal does, which cannot wait
	require.NoError(t, err)
	require.Contains(t, rolledUp.Boards, game.XPDayKey(monday))
	_, err = k.process().Daily(ctx)
	require.NoError(t, err)
	base, err := store.DB.ReadBoard(ctx, game.XPBaseKey)
	require.NoError(t, err)
	require.Equal(t, 600.0, base["late"])
	k.agree()
}
