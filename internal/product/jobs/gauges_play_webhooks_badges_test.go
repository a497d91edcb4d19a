package jobs_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/feature/play/review"
	"github.com/framedle/leaderboards/internal/game"
)

func TestGaugesShowWhatWaitsForAnOperator(t *testing.T) {
	testkit.OnEngines(t, func(t *testing.T, address string) {
		d, ctx := newStores(t, address, waitingGame), t.Context()
		gauges := gaugesOf(t, d)
		none := gauges()
		require.Equal(t, []float64{0, 0, 0}, []float64{none["held_plays"], none["dead_letters webhooks"], none["webhooks_waiting"]})
		require.Contains(t, none, "held_plays")
		require.Contains(t, none, "dead_letters webhooks")
		for n := range 3 {
			require.NoError(t, d.app.HeldPlays().Put(ctx, review.Play{ID: fmt.Sprint(n), Why: "steady", Submission: game.Submission{
				Mode: d.app.Game().Modes[0], Player: "user_a", Date: game.DateOf(d.now), At: d.now,
			}}))
			require.NoError(t, d.history.DB().Run(ctx, "add a webhook", `INSERT INTO webhooks_out (endpoint, id, kind, data, made_at, since, dead_at)
VALUES ('shop', $1, 'badge.given', '{}', now(), now(), CASE WHEN $1 <> '0' THEN now() END)`, fmt.Sprint(n)))
		}
		d.now = d.now.Add(time.Hour)
		some := gauges()
		require.Equal(t, []float64{3, 2, 1}, []float64{some["held_plays"], some["dead_letters webhooks"], some["webhooks_waiting"]}, some)
	})
}
