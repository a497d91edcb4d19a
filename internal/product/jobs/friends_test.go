package jobs_test

import (
	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/feature/friend"
	"github.com/framedle/leaderboards/internal/product/jobs"
)

// befriends has one player ask and the other accept.
func (w *world) befriends(player, other string) {
	service := jobs.Friends(w.app, w.kept)
	_, err := service.Act(w.Context(), friend.Ask, player, other)
	require.NoError(w, err)
	_, err = service.Act(w.Context(), friend.Accept, other, player)
	require.NoError(w, err)
}

// blocksAndInvites has a player block another, and make an invite for three.
func (w *world) blocksAndInvites(player, blocked string) {
	service := jobs.Friends(w.app, w.kept)
	_, err := service.Act(w.Context(), friend.Block, player, blocked)
	require.NoError(w, err)
	_, _, err = service.Invite(w.Context(), player, 3)
	require.NoError(w, err)
}

// befriend makes every other player a friend of the next one.
func (w *world) befriend(players []string) {
	for i := 0; i < len(players); i += 2 {
		w.befriends(players[i], players[(i+1)%len(players)])
	}
}
