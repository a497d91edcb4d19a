package demo_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/client"
	"github.com/framedle/leaderboards/internal/dev/demo"
	"github.com/framedle/leaderboards/internal/dev/local"
	"github.com/framedle/leaderboards/internal/product/app"
)

// In a game whose scores are computed, players do what its events are.
func TestWhatPlayersDoFillsComputedBoards(t *testing.T) {
	g, err := app.LoadGame("campus")
	require.NoError(t, err)
	g.Cache, g.Refresh = 0, time.Millisecond // boards as they are now
	acts := []demo.Act{{Type: "chat.message", Who: []string{"from", "to"}}, {Type: "activities.ended", Who: []string{"users"}}, {Type: "rooms.join", Who: []string{"user"}}}
	s := show(t, local.Options{Redis: local.RedisEmbedded, Game: g}, demo.Options{Seed: 7, Players: 30, Days: 2, Acts: acts})
	require.NoError(t, s.demo.Past(t.Context()))
	lb, err := client.New(client.Config{URL: s.URL})
	require.NoError(t, err)
	defer lb.Close()
	entries := func(period string) (n int, sum float64) {
		for e, err := range lb.Entries(t.Context(), client.Board{Mode: "overall", Period: period}) {
			require.NoError(t, err)
			n, sum = n+1, sum+e.Score
		}
		return n, sum
	}
	players, before := entries("alltime")
	require.Greater(t, players, 20)
	s.live(t.Context(), 30)
	require.Empty(t, s.faults)
	_, after := entries("alltime")
	require.Greater(t, after, before, "boards move")
}
