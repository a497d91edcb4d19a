package duel_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/duel"
	"github.com/framedle/leaderboards/internal/game"
)

func TestAChallengeIsForWhomItNames(t *testing.T) {
	onEngines(t, "", func(t *testing.T, k *kit) {
		d, err := k.Challenge(ctx, "a", "b", "daily")
		require.NoError(t, err)
		require.Equal(t, game.DuelWaiting, d.State)
		_, err = k.Accept(ctx, d.ID, "c")
		require.ErrorIs(t, err, duel.ErrUnknown)
		_, err = k.Accept(ctx, d.ID, "a")
		require.ErrorIs(t, err, duel.ErrOwn)
		_, err = k.Tell(ctx, d.ID, duel.Result{Player: "a", Winner: "a"})
		require.ErrorIs(t, err, duel.ErrNotReady)
		_, err = k.Tell(ctx, d.ID, duel.Result{Player: "b", Winner: "b"})
		require.ErrorIs(t, err, duel.ErrUnknown, "who has not accepted is no player of it")
		listed, err := k.Of(ctx, "b", duel.Mark{}, 5)
		require.NoError(t, err)
		require.Equal(t, []game.Duel{d}, listed, "a challenge waits where its opponent looks")
		for range 2 {
			d, err = k.Accept(ctx, d.ID, "b")
			require.NoError(t, err)
			require.Equal(t, game.DuelReady, d.State)
			require.Equal(t, 32.0, d.K)
		}
		_, err = k.Accept(ctx, d.ID, "c")
		require.ErrorIs(t, err, duel.ErrTaken)
	})
}

func TestAChallengeExpires(t *testing.T) {
	onEngines(t, "", func(t *testing.T, k *kit) {
		d, err := k.Challenge(ctx, "a", "", "")
		require.NoError(t, err)
		k.clock.pass(k.rules.Invite + time.Second)
		_, err = k.Accept(ctx, d.ID, "b")
		require.ErrorIs(t, err, duel.ErrOver)
		d, err = k.Duel(ctx, d.ID)
		require.NoError(t, err)
		require.Equal(t, game.DuelExpired, d.State)
		_, err = k.Tell(ctx, d.ID, duel.Result{Winner: "a"})
		require.ErrorIs(t, err, duel.ErrOver, "a game server cannot decide what one player alone began")
	})
}

func TestOnlyOneOfManyAcceptsAnOpenChallenge(t *testing.T) {
	onEngines(t, "", func(t *testing.T, k *kit) {
		d, err := k.Challenge(ctx, "a", "", "")
		require.NoError(t, err)
		taken := make(chan error, 32)
		for i := range cap(taken) {
			go func() {
				_, err := k.Accept(ctx, d.ID, "b"+string(rune('a'+i)))
				taken <- err
			}()
		}
		won := 0
		for range cap(taken) {
			if err := <-taken; err == nil {
				won++
			} else {
				require.ErrorIs(t, err, duel.ErrTaken)
			}
		}
		require.Equal(t, 1, won)
	})
}

func TestAnIDStandsForOneDuel(t *testing.T) {
	onEngines(t, "", func(t *testing.T, k *kit) {
		first := k.ready(t, "m", "a", "b")
		k.clock.pass(time.Hour)
		require.Equal(t, first, k.ready(t, "m", "a", "b"))
		_, err := k.Arrange(ctx, "m", [2]string{"b", "a"}, "")
		require.ErrorIs(t, err, duel.ErrOther)
		_, err = k.Arrange(ctx, "m", [2]string{"a", "b"}, "daily")
		require.ErrorIs(t, err, duel.ErrOther)
	})
}

func TestARematchThatNobodyTookIsOfferedAgain(t *testing.T) {
	onEngines(t, "", func(t *testing.T, k *kit) {
		k.ready(t, "m", "a", "b")
		_, err := k.Rematch(ctx, "m", "a")
		require.ErrorIs(t, err, duel.ErrNotDecided)
		_, err = k.Tell(ctx, "m", duel.Result{Winner: "a"})
		require.NoError(t, err)
		_, err = k.Rematch(ctx, "m", "c")
		require.ErrorIs(t, err, duel.ErrUnknown)
		first, err := k.Rematch(ctx, "m", "a")
		require.NoError(t, err)
		k.clock.pass(k.rules.Invite + time.Second)
		second, err := k.Rematch(ctx, "m", "b")
		require.NoError(t, err)
		require.NotEqual(t, first.ID, second.ID)
		require.Equal(t, game.DuelWaiting, second.State)
		met, err := k.Rematch(ctx, "m", "a")
		require.NoError(t, err)
		require.Equal(t, second.ID, met.ID)
		require.Equal(t, game.DuelReady, met.State)
	})
}

// history is what a test keeps of drained duels.
type history struct {
	duel.History
	duels []game.Duel
	fail  error
}

func (h *history) PutDuels(_ context.Context, duels []game.Duel) error {
	if h.fail == nil {
		h.duels = append(h.duels, duels...)
	}
	return h.fail
}

func (h *history) PutOpen(context.Context, []game.Duel, []string) error { return nil }

func (h *history) DuelsOf(_ context.Context, player string, _ duel.Mark, limit int) (found []game.Duel, err error) {
	for _, d := range h.duels {
		if d.Place(player) >= 0 && len(found) < limit {
			found = append(found, d)
		}
	}
	return found, nil
}

func TestWhatIsOverGoesIntoTheHistoryOnce(t *testing.T) {
	onEngines(t, "", func(t *testing.T, k *kit) {
		h := &history{fail: context.DeadlineExceeded}
		k.options.History = h
		k.Store = duel.New(k.options)
		for i := range 450 { // some pages
			id := k.newID()
			k.ready(t, id, "a", "b")
			if i%3 > 0 {
				_, err := k.Tell(ctx, id, duel.Result{Winner: "a"})
				require.NoError(t, err)
			}
		}
		_, err := k.Challenge(ctx, "a", "", "")
		require.NoError(t, err)
		_, _, err = k.Join(ctx, "gone", "daily")
		require.NoError(t, err)

		_, err = k.Drain(ctx)
		require.ErrorIs(t, err, context.DeadlineExceeded, "nothing leaves the list until it is kept")
		h.fail = nil
		did, err := k.Drain(ctx)
		require.NoError(t, err)
		require.Equal(t, duel.Drained{Kept: 300, Waiting: 151}, did)
		k.clock.pass(k.rules.Timeout + k.rules.Invite)
		did, err = k.Drain(ctx)
		require.NoError(t, err)
		require.Equal(t, duel.Drained{Ended: 151, Dropped: 151, Queue: 1}, did)
		did, err = k.Drain(ctx)
		require.NoError(t, err)
		require.Zero(t, did)
		require.Len(t, h.duels, 300)

		_, err = k.Tell(ctx, "id1", duel.Result{Winner: "b"})
		require.NoError(t, err, "a game server is late")
		did, err = k.Drain(ctx)
		require.NoError(t, err)
		require.Equal(t, duel.Drained{Kept: 1}, did)
	})
}

func TestTheHistoryGoesOnWhereRedisEnds(t *testing.T) {
	onEngines(t, "", func(t *testing.T, k *kit) {
		old := game.Duel{ID: "old", State: game.DuelDecided, Players: [2]string{"a", "z"}, CreatedAt: noon.AddDate(0, -3, 0)}
		k.options.History = &history{duels: []game.Duel{old}}
		k.Store = duel.New(k.options)
		d := k.ready(t, "m", "a", "b")
		listed, err := k.Of(ctx, "a", duel.Mark{}, 5)
		require.NoError(t, err)
		require.Equal(t, []game.Duel{d, old}, listed)
	})
}

func TestAnErasedPlayerIsInNoDuel(t *testing.T) {
	onEngines(t, "", func(t *testing.T, k *kit) {
		k.ready(t, "over", "a", "b")
		_, err := k.Tell(ctx, "over", duel.Result{Winner: "a"})
		require.NoError(t, err)
		k.ready(t, "under way", "b", "a")
		_, _, err = k.Join(ctx, "a", "daily")
		require.NoError(t, err)
		for range 2 {
			require.NoError(t, k.Erase(ctx, "a"))
		}
		_, err = k.Tell(ctx, "under way", duel.Result{Player: "b", Winner: "b"})
		require.ErrorIs(t, err, duel.ErrOver)
		d, err := k.Duel(ctx, "over")
		require.NoError(t, err)
		require.Equal(t, [2]string{duel.Erased, "b"}, d.Players)
		require.Equal(t, 984.0, d.Ratings[1].After)
		keys, err := k.server.Redis().Do(ctx, "KEYS", "*")
		require.NoError(t, err)
		require.NotContains(t, keys, game.DuelsOfKey("a"))
		found, place, err := k.Join(ctx, "c", "daily")
		require.NoError(t, err)
		require.Empty(t, found.ID)
		require.Equal(t, 1000.0, place.Rating)
	})
}
