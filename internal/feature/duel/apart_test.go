package duel_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/feature/duel"
)

// keepApart has two players not meet from now on.
func (k *kit) keepApart(a, b string) {
	k.options.MayDuel = func(_ context.Context, player, other string) error {
		if player == a && other == b || player == b && other == a {
			return duel.ErrRefused
		}
		return nil
	}
	k.Store = duel.New(k.options)
}

// alike wants two duels that differ in nothing but ids, times and the opponent.
func alike(t *testing.T, want, got duel.Duel) {
	t.Helper()
	require.Equal(t, len(want.ID), len(got.ID))
	require.Equal(t, want.Until.Sub(want.CreatedAt), got.Until.Sub(got.CreatedAt))
	want.ID, want.CreatedAt, want.Until, want.Players[1] = got.ID, got.CreatedAt, got.Until, got.Players[1]
	require.Equal(t, want, got)
}

// Each of two players who may not meet sees the other as somebody who does not react.
func TestAChallengeOfSomebodyApartLooksLikeAnyOther(t *testing.T) {
	onEngines(t, "", func(t *testing.T, k *kit) {
		k.keepApart("blocker", "blocked")
		for _, pair := range [][2]string{{"blocked", "blocker"}, {"blocker", "blocked"}} {
			challenger, other := pair[0], pair[1]
			usual, err := k.Challenge(ctx, challenger, "somebody", "daily")
			require.NoError(t, err)
			d, err := k.Challenge(ctx, challenger, other, "daily")
			require.NoError(t, err)
			alike(t, usual, d)
			listed, err := k.Of(ctx, challenger, duel.Mark{}, 1)
			require.NoError(t, err)
			require.Equal(t, []duel.Duel{d}, listed)

			for _, wait := range []time.Duration{0, k.rules.Invite + time.Second} {
				k.clock.Pass(wait)
				k.requireUnknown(t, d.ID, other)
				seen, err := k.See(ctx, d.ID, challenger)
				require.NoError(t, err)
				usual, err = k.See(ctx, usual.ID, challenger)
				require.NoError(t, err)
				alike(t, usual, seen)
			}
		}
	})
}

// requireUnknown wants a duel not to be there for a player, whatever is tried.
func (k *kit) requireUnknown(t *testing.T, id, player string) {
	t.Helper()
	_, err := k.See(ctx, id, player)
	require.ErrorIs(t, err, duel.ErrUnknown)
	_, err = k.Accept(ctx, id, player)
	require.ErrorIs(t, err, duel.ErrUnknown)
	_, err = k.Rematch(ctx, id, player)
	require.ErrorIs(t, err, duel.ErrUnknown)
	_, err = k.Report(ctx, id, duel.Result{Player: player, Winner: player})
	require.ErrorIs(t, err, duel.ErrUnknown)
	listed, err := k.Of(ctx, player, duel.Mark{}, 50)
	require.NoError(t, err)
	for _, d := range listed {
		require.NotEqual(t, id, d.ID)
	}
}

// A challenge that was made before is hidden, like one whose challenger was erased.
func TestChallengesGoWhenTheirPlayersComeApart(t *testing.T) {
	onEngines(t, "", func(t *testing.T, k *kit) {
		var hidden []duel.Duel
		for _, challenger := range []string{"blocker", "erased-soon"} {
			for _, opponent := range []string{"blocked", ""} {
				d, err := k.Challenge(ctx, challenger, opponent, "")
				require.NoError(t, err)
				_, err = k.See(ctx, d.ID, "blocked")
				require.NoError(t, err)
				hidden = append(hidden, d)
			}
		}
		last, err := k.Challenge(ctx, "friend", "blocked", "")
		require.NoError(t, err)
		k.keepApart("blocker", "blocked")
		require.NoError(t, k.Erase(ctx, "erased-soon"))
		listed, err := k.Of(ctx, "blocked", duel.Mark{}, 1)
		require.NoError(t, err)
		require.Equal(t, []duel.Duel{last}, listed)
		listed, err = k.Of(ctx, "blocked", duel.Mark{At: last.CreatedAt, ID: last.ID}, 5)
		require.NoError(t, err)
		require.Empty(t, listed)
		for _, d := range hidden {
			k.requireUnknown(t, d.ID, "blocked")
		}
		_, err = k.Accept(ctx, hidden[1].ID, "somebody")
		require.NoError(t, err, "an open challenge stays open to others")
	})
}

func TestARematchOfSomebodyApartLooksLikeAnyOther(t *testing.T) {
	onEngines(t, "", func(t *testing.T, k *kit) {
		for _, id := range []string{"usual", "asked", "fresh"} {
			opponent := "blocked"
			if id == "usual" {
				opponent = "somebody"
			}
			k.ready(t, id, "blocker", opponent)
			_, err := k.Report(ctx, id, duel.Result{Winner: "blocker"})
			require.NoError(t, err)
		}
		usual, err := k.Rematch(ctx, "usual", "somebody")
		require.NoError(t, err)
		_, err = k.Rematch(ctx, "asked", "blocker")
		require.NoError(t, err)
		k.keepApart("blocker", "blocked")
		for _, id := range []string{"asked", "fresh"} {
			d, err := k.Rematch(ctx, id, "blocked")
			require.NoError(t, err)
			usual.Players[0] = "blocked"
			alike(t, usual, d)
			again, err := k.Rematch(ctx, id, "blocked")
			require.NoError(t, err)
			require.Equal(t, d, again)
			k.requireUnknown(t, d.ID, "blocker")
			seen, err := k.See(ctx, d.ID, "blocked")
			require.NoError(t, err)
			require.Equal(t, d, seen)
		}
	})
}

func TestTheQueuePassesOverWhoMayNotMeet(t *testing.T) {
	onEngines(t, "", func(t *testing.T, k *kit) {
		k.keepApart("blocker", "blocked")
		_, _, err := k.Queue().Join(ctx, "blocker", "")
		require.NoError(t, err)
		for range 3 {
			d, _, err := k.Queue().Join(ctx, "blocked", "")
			require.NoError(t, err)
			require.Empty(t, d.ID)
		}
		d, _, err := k.Queue().Join(ctx, "somebody", "")
		require.NoError(t, err)
		require.Equal(t, duel.Ready, d.State)
	})
}
