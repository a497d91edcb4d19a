package race_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/feature/race"
	"github.com/framedle/leaderboards/internal/game"
)

// What is drawn when a race is made stays with it, however it was made.
func TestARaceKeepsItsText(t *testing.T) {
	onEngines(t, "", func(t *testing.T, k *kit) {
		drawn := "first"
		o := k.options
		o.Text = func(*game.Mode) (string, error) { return drawn, nil }
		store := race.New(o)
		made, err := store.Create(t.Context(), race.Wanted{ID: "r", Player: "a", Mode: "daily", Size: 2})
		require.NoError(t, err)
		require.Equal(t, "first", made.Text)
		queued, err := store.Queue(t.Context(), "c", "daily")
		require.NoError(t, err)
		require.Equal(t, "first", queued.Text)

		drawn = "second"
		again, err := store.Create(t.Context(), race.Wanted{ID: "r", Player: "a", Mode: "daily", Size: 2})
		require.NoError(t, err)
		require.Equal(t, "first", again.Text, "made again it is the same race")
		joined, err := store.Queue(t.Context(), "d", "daily")
		require.NoError(t, err)
		require.Equal(t, queued.ID, joined.ID)
		require.Equal(t, "first", joined.Text)
	})
}
