package jobs_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/feature/activity"
	"github.com/framedle/leaderboards/internal/feature/badge"
	"github.com/framedle/leaderboards/internal/feature/badge/badgestore"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lifecycle/closing"
	"github.com/framedle/leaderboards/internal/product/jobs"
	"github.com/framedle/leaderboards/upstash"
	"github.com/framedle/leaderboards/upstash/upstashtest"
)

// Badges for a group's places are given once the day is over in the group's time zone, not
// earlier, and only once: whichever run repeats, comes late or is restored.
func TestBadgesOfAGroupsDayAreGivenWhenItIsOverThere(t *testing.T) {
	onCampus(t, func(w *world) {
		irvine, err := time.LoadLocation("America/Los_Angeles")
		require.NoError(w, err)
		midnight := time.Date(2026, 11, 11, 0, 0, 0, 0, irvine)
		has := func(player string) (keys []string) {
			given, err := badgestore.In(w.kept).Of(w.Context(), player, []string{"daily_top10"}, badge.Badge{}, 100)
			require.NoError(w, err)
			for _, b := range given {
				keys = append(keys, b.Key)
			}
			return keys
		}
		for i := range 12 {
			w.message(fmt.Sprint("m", i), fmt.Sprint("p", 10+i), "r")
		}
		w.message("more", "p10", "p11")
		w.compute()
		w.now = midnight.Add(4 * time.Minute)
		w.compute()
		require.Empty(w, has("r"), "not before five minutes past midnight")
		w.now = midnight.Add(5 * time.Minute)
		require.Empty(w, w.compute(), "no board is written for it")
		require.Equal(w, []string{"2026-11-10"}, has("r"))
		require.Equal(w, []string{"2026-11-10"}, has("p10"))

		lisbon := []activity.Event{{ID: "l", Type: "presence.heartbeat", At: w.now, Group: "lisbon", User: "late"}}
		_, err = w.app.Activity().Take(w.Context(), lisbon)
		require.NoError(w, err)
		w.compute()
		require.Empty(w, has("late"), "in Lisbon the day goes on")

		var meter upstash.Meter
		_, err = jobs.New(w.app, w.kept).Compute(upstash.WithMeter(w.Context(), &meter), w.now)
		require.NoError(w, err)
		require.EqualValues(w, 1+8, meter.Usage().Commands, "what was given is not asked for again; 8 are for streams")

		for _, lose := range []bool{false, true} {
			if lose {
				w.do("FLUSHALL")
				w.restart()
				_, err = jobs.New(w.app, w.kept).Restore(w.Context(), closing.RestoreOptions{})
				require.NoError(w, err)
			} else {
				late := []activity.Event{{ID: "late", Type: "chat.message", At: midnight.Add(-time.Minute), Group: "irvine", From: "p10", To: "p12"}}
				_, err = w.app.Activity().Take(w.Context(), late)
				require.NoError(w, err)
			}
			w.compute()
			require.Equal(w, []string{"2026-11-10"}, has("r"))
			require.Equal(w, []string{"2026-11-10"}, has("p10"))
		}
	})
}

// If a run is cut off anywhere while it gives badges, the next one gives the rest.
func TestBadgesOfAGroupsDaySurviveRunsThatAreCutOff(t *testing.T) {
	onCampus(t, func(w *world) {
		for cut := range 5 {
			group := fmt.Sprint("p", cut)
			w.message(group, group, "r")
			w.compute()
			d := game.NewDate(2026, 11, 10).AddDays(cut)
			w.now = w.now.Add(24 * time.Hour)
			n := 0
			w.redis.Inject(func(upstashtest.Request) upstashtest.Fault {
				n++
				return upstashtest.Fault{CutBefore: n > cut}
			})
			_, _ = jobs.New(w.app, w.kept).Compute(w.Context(), w.now)
			w.redis.Inject(nil)
			w.compute()
			given, err := badgestore.In(w.kept).Of(w.Context(), group, []string{"daily_top10"}, badge.Badge{}, 100)
			require.NoError(w, err)
			require.Len(w, given, 1, "cut at %d", cut)
			require.Equal(w, d, given[0].Earned)
		}
	})
}
