package jobs_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/feature/play/review"
	"github.com/framedle/leaderboards/internal/feature/play/reviewstore"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lifecycle"
	"github.com/framedle/leaderboards/internal/lifecycle/closing"
	"github.com/framedle/leaderboards/internal/product/jobs"
	"github.com/framedle/leaderboards/upstash"
)

func TestHeldPlaysOutliveRedisAndDecidedOnesDoNotComeBack(t *testing.T) {
	testkit.OnEngines(t, func(t *testing.T, address string) {
		d, ctx := newStores(t, address, heldGame), t.Context()
		plays := jobs.HeldPlays(d.app, d.history)
		waiting := func() []review.Play {
			all, _, err := plays.List(ctx, "", 100)
			require.NoError(t, err)
			return all
		}
		saved := func() {
			_, err := d.job().Save(ctx, d.now)
			require.NoError(t, err)
		}
		lost := func() {
			_, err := d.app.Redis().Do(ctx, upstash.Cmd("FLUSHALL"))
			require.NoError(t, err)
			require.Empty(t, waiting())
			for range 2 {
				_, err = d.job().Restore(ctx, closing.RestoreOptions{})
				require.NoError(t, err)
			}
		}
		for n := range 5 {
			require.NoError(t, plays.Put(ctx, review.Play{ID: fmt.Sprintf("%02x", n), Why: "steady", Submission: game.Submission{
				Mode: d.app.Game().Modes[0], Player: fmt.Sprint("user_", n%2), Date: game.DateOf(d.now), Score: game.Score(n),
				At: d.now.Truncate(time.Second).Add(time.Duration(n)*time.Second + 123456789), Profile: game.Profile{Name: "Zoë"},
			}}))
		}
		saved()
		before := waiting()
		require.Len(t, before, 5)
		lost()
		require.Equal(t, before, waiting())

		require.NoError(t, plays.Drop(ctx, before[1]))
		lost()
		require.Equal(t, append(before[:1:1], before[2:]...), waiting())

		// A play that is decided before it was ever archived is archived as decided.
		late := before[0]
		late.ID = "ff"
		require.NoError(t, plays.Put(ctx, late))
		require.NoError(t, plays.Drop(ctx, late))
		row, err := review.NewHeldPlay(late)
		require.NoError(t, err)
		require.NoError(t, reviewstore.In(d.history).Put(ctx, []game.HeldPlay{row}), "a save that had read it before")
		lost()
		require.Len(t, waiting(), 4)

		_, err = d.history.ErasePlayer(ctx, "user_0", lifecycle.Act{ID: "1", Actor: "op", At: d.now.Add(time.Hour)})
		require.NoError(t, err)
		require.NoError(t, reviewstore.In(d.history).Put(ctx, []game.HeldPlay{row}), "nor does a save bring back an erased player's")
		lost()
		require.Len(t, waiting(), 1)
		require.Equal(t, "user_1", waiting()[0].Submission.Player)

		d.now = d.now.Add(d.app.Game().Lives.Day + 100*time.Hour)
		saved()
		rows, err := reviewstore.In(d.history).Waiting(ctx, time.Time{})
		require.NoError(t, err)
		require.Empty(t, rows)
	})
}
