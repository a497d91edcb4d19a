package activity_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/feature/activity"
	"github.com/framedle/leaderboards/internal/game"
)

func TestWordOfADayNamesTheDay(t *testing.T) {
	d := game.NewDate(2004, 4, 15)
	require.Equal(t, "acts:irvine:2004-04-15", activity.ActsKey("irvine", d))
	require.Equal(t, "active:2004-04-15", activity.ActiveKey(d))
	group, date, err := activity.ParseActsDue(activity.ActsDue("irvine", d, "process-7"))
	require.NoError(t, err)
	require.Equal(t, "irvine", group)
	require.Equal(t, d, date)
	require.NotEqual(t, activity.ActsDueKey, activity.ActsKey("due", d))
	for _, wrong := range []string{"", "irvine", "irvine 2004-04-15", "irvine 2004-4-15 w", "ir:vine 2004-04-15 w", "a b c d"} {
		_, _, err := activity.ParseActsDue(wrong)
		require.Error(t, err, wrong)
	}
}
