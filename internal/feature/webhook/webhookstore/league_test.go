package webhookstore_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/feature/league"
	"github.com/framedle/leaderboards/internal/feature/league/leaguestore"
	"github.com/framedle/leaderboards/internal/feature/webhook/webhookstore"
	"github.com/framedle/leaderboards/internal/game"
)

// A week of leagues is an event once it is settled, and only once.
func TestASettledWeekOfLeaguesIsDelivered(t *testing.T) {
	w := newWorld(t)
	for range 2 {
		_, _, err := leaguestore.In(w.kept).Settle(t.Context(), game.Week.Of(game.DateOf(noon)).First(), nil, w.now(),
			func([]string, leaguestore.LeagueRoom) []league.Seat { return nil },
			func([]league.Seat, map[string]int64) []league.Standing { return nil })
		require.NoError(t, err)
	}
	require.Equal(t, webhookstore.DeliveryReport{Delivered: 1}, w.run())
	events := w.receiver.had()
	require.Len(t, events, 1)
	require.Equal(t, "league.rolled", events[0].Type)
	require.Equal(t, map[string]any{"week": "2026-W47", "first": "2026-11-16", "last": "2026-11-22", "players": 0.0}, events[0].Data)
}
