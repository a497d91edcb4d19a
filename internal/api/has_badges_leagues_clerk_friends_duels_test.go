package api_test

import (
	"github.com/framedle/leaderboards/internal/dev/apitest"

	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/games"
)

// A game with XP and streaks answers in the same bytes as before.
func TestFramedleIsToldAsEver(t *testing.T) {
	text, err := games.FS.ReadFile("framedle.yaml")
	require.NoError(t, err)
	s := apitest.NewStack(t)
	s.Game = string(text)
	s.Handler = s.Process()
	got := everythingToldOfAPlayer(s, "daily_frame")
	const golden = "testdata/framedle.golden"
	if *update {
		require.NoError(t, os.WriteFile(golden, []byte(got), 0o644))
	}
	want, err := os.ReadFile(golden)
	require.NoError(t, err)
	require.Equal(t, string(want), got)
}
