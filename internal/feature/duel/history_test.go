package duel_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/feature/duel"
)

// history is what a test keeps of drained duels.
type history struct {
	duel.History
	duels []duel.Duel
	fail  error
}

func (h *history) Put(_ context.Context, duels []duel.Duel) error {
	if h.fail == nil {
		h.duels = append(h.duels, duels...)
	}
	return h.fail
}

func (h *history) PutOpen(context.Context, []duel.Duel, []string) error { return nil }

func (h *history) Of(_ context.Context, player string, _ time.Time, _ string, limit int) (found []duel.Duel, err error) {
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
				_, err := k.Report(ctx, id, duel.Result{Winner: "a"})
				require.NoError(t, err)
			}
		}
		_, err := k.Challenge(ctx, "a", "", "")
		require.NoError(t, err)
		_, _, err = k.Queue().Join(ctx, "gone", "daily")
		require.NoError(t, err)

		_, err = k.Keeper().Drain(ctx)
		require.ErrorIs(t, err, context.DeadlineExceeded, "nothing leaves the list until it is kept")
		h.fail = nil
		did, err := k.Keeper().Drain(ctx)
		require.NoError(t, err)
		require.Equal(t, duel.Drained{Kept: 300, Waiting: 151}, did)
		k.clock.Pass(k.rules.Timeout + k.rules.Invite)
		did, err = k.Keeper().Drain(ctx)
		require.NoError(t, err)
		require.Equal(t, duel.Drained{Ended: 151, Dropped: 151, Queue: 1}, did)
		did, err = k.Keeper().Drain(ctx)
		require.NoError(t, err)
		require.Zero(t, did)
		require.Len(t, h.duels, 300)

		_, err = k.Report(ctx, "id1", duel.Result{Winner: "b"})
		require.NoError(t, err, "a game server is late")
		did, err = k.Keeper().Drain(ctx)
		require.NoError(t, err)
		require.Equal(t, duel.Drained{Kept: 1}, did)
	})
}

func TestTheHistoryGoesOnWhereRedisEnds(t *testing.T) {
	onEngines(t, "", func(t *testing.T, k *kit) {
		old := duel.Duel{ID: "old", State: duel.Decided, Players: [2]string{"a", "z"}, CreatedAt: noon.AddDate(0, -3, 0)}
		k.options.History = &history{duels: []duel.Duel{old}}
		k.Store = duel.New(k.options)
		d := k.ready(t, "m", "a", "b")
		listed, err := k.Of(ctx, "a", duel.Mark{}, 5)
		require.NoError(t, err)
		require.Equal(t, []duel.Duel{d, old}, listed)
	})
}
