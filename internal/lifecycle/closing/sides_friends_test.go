package closing_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/feature/friend"
	"github.com/framedle/leaderboards/internal/lifecycle/closing"
	"github.com/framedle/leaderboards/internal/product/jobs"
	"github.com/framedle/leaderboards/upstash"
)

func (k *twoSides) befriend(a, b string) {
	f := jobs.Friends(k.app, k.kept)
	_, err := f.Act(k.Context(), friend.Ask, a, b)
	require.NoError(k, err)
	outcome, err := f.Act(k.Context(), friend.Accept, b, a)
	require.NoError(k, err)
	require.Equal(k, friend.Friends, outcome)
}

func (k *twoSides) act(action friend.Action, a, b string) {
	_, err := jobs.Friends(k.app, k.kept).Act(k.Context(), action, a, b)
	require.NoError(k, err)
}

// someFriends makes friends and blocks.
func (k *twoSides) someFriends() {
	k.befriend("ana", "ben")
	k.befriend("ana", "cleo")
	k.befriend("cleo", "dan")
	k.act(friend.Block, "ben", "cleo")
	k.act(friend.Block, "cleo", "ben")
}

// friendsMeeting is whom of those who have blocked somebody a player may meet.
func (k *twoSides) friendsMeeting(player string) map[string]string {
	all := map[string]string{}
	for _, block := range []string{"ben", "cleo"} {
		all[player+" and "+block] = fmt.Sprint(k.app.Lists().MayMeet(k.Context(), player, block))
	}
	return all
}

// A change of friends in a new database, while not all of the old friends are back yet, is
// seen at once and loses nothing.
func TestFriendsChangeWhileTheyFlowBack(t *testing.T) {
	onBothEngines(t, func(k *twoSides) {
		k.fill()
		k.anotherPostgres()
		k.befriend("ana", "eve")
		list, err := k.app.Lists().Read(k.Context(), "ana")
		require.NoError(k, err)
		require.Contains(k, list, "eve", "a new database's lists are newer than the lost one's")
		k.act(friend.Remove, "eve", "ana")
		k.befriend("ana", "eve")
		k.daily()
		require.Empty(k, k.differences())
		list, err = k.app.Lists().Read(k.Context(), "ana")
		require.NoError(k, err)
		require.ElementsMatch(k, []string{"ana", "ben", "cleo", "eve"}, list)

		k.act(friend.Remove, "ana", "ben")
		k.act(friend.Unblock, "cleo", "ben")
		_, err = k.sides().Refill(k.Context(), closing.SidesOptions{All: true})
		require.NoError(k, err)
		require.Empty(k, k.differences())
		list, err = k.app.Lists().Read(k.Context(), "ben")
		require.NoError(k, err)
		require.Equal(k, []string{"ben"}, list, "what has ended stays so")
	})
}

// A refill of the archive is done in parts; once it is complete, a further run costs nothing.
func TestARefillIsBounded(t *testing.T) {
	onBothEngines(t, func(k *twoSides) {
		k.fill()
		for n := range 300 {
			k.befriend(fmt.Sprintf("p%03d", n), "ana")
		}
		k.anotherPostgres()
		var meter upstash.Meter
		ctx := upstash.WithMeter(k.Context(), &meter)
		runs := 0
		for spent := int64(1); spent > 0; runs++ {
			require.Less(k, runs, 50)
			before := meter.Usage().Commands
			_, err := k.sides().Refill(ctx, closing.SidesOptions{Commands: 4})
			require.NoError(k, err)
			spent = meter.Usage().Commands - before
			require.LessOrEqual(k, spent, int64(4+2*600), "a page of a small hash is all of it")
		}
		require.Greater(k, runs, 2)
		require.Empty(k, k.differences())
	})
}
