package costday_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/product/app"
	"github.com/framedle/leaderboards/lab/costday"
)

func TestTheTypingGamesDayStaysWithinItsBudget(t *testing.T) {
	g, err := app.LoadGame("typing")
	require.NoError(t, err)
	day, err := costday.TypingDay(t.Context(), g, costday.Setting{Arrivals: costday.Evenly, Journey: costday.Apart, Alone: true}, costday.Options{Seed: 1})
	require.NoError(t, err, "the meter and Redis agree, and every request is answered")
	require.EqualValues(t, 500, day.Routes["test"].Requests)
	require.EqualValues(t, 5_000, day.Routes["page"].Requests)
	require.EqualValues(t, 28_800, day.Routes["presence"].Requests)
	require.LessOrEqual(t, day.Counted.Commands, int64(costday.TypingTarget))
}
