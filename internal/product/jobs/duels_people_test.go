package jobs_test

import (
	"fmt"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/feature/duel"
	"github.com/framedle/leaderboards/internal/product/jobs"
)

// wins has a player win a duel.
func (w *world) wins(id, player, other string) {
	w.meets(id, player, other)
	_, err := jobs.Duels(w.app, w.kept).Report(w.Context(), id, duel.Result{Winner: player})
	require.NoError(w, err)
}

// meets arranges a duel.
func (w *world) meets(id, player, other string) {
	_, err := jobs.Duels(w.app, w.kept).Arrange(w.Context(), id, [2]string{player, other}, "")
	require.NoError(w, err)
}

// challenges has a player challenge another.
func (w *world) challenges(player, other string) {
	_, err := jobs.Duels(w.app, w.kept).Challenge(w.Context(), player, other, "")
	require.NoError(w, err)
}

// makeDuels has each player meet the next one, and every other duel decided.
func (w *world) makeDuels(players []string) {
	for i, player := range players {
		id, other := fmt.Sprint("d", i), players[(i+1)%len(players)]
		if i%2 == 0 {
			w.wins(id, player, other)
		} else {
			w.meets(id, player, other)
		}
	}
}
