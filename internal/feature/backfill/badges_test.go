package backfill_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/feature/backfill"
	"github.com/framedle/leaderboards/internal/feature/badge"
	"github.com/framedle/leaderboards/internal/feature/badge/badgestore"
	"github.com/framedle/leaderboards/internal/game"
)

// holders lists who has a rule's badge, with its period.
func (k *kit) holders(rule string) (holders []string) {
	k.t.Helper()
	for _, player := range []string{"p0", "p1", "p2", "p3"} {
		badges, err := badgestore.In(k.archive()).Of(context.Background(), player, []string{rule}, badge.Badge{}, 100)
		require.NoError(k.t, err)
		for _, b := range badges {
			holders = append(holders, player+" "+b.Key)
		}
	}
	return holders
}

// Days whose boards are in Redis close before the older days are on the boards of the month and
// of the season.
func TestAnImportGivesNoBadgesForPlacesInAPartOfAMonth(t *testing.T) {
	k := newKit(t, "", time.Date(2027, time.January, 13, 12, 0, 0, 0, time.UTC))
	summary := k.bringIn(k.options(header + "p0,best,2026-12-29,5000\np0,best,2027-01-02,5000\np1,best,2027-01-06,10\np2,best,2027-01-07,20\n"))
	require.NotZero(t, summary.Fresh.Days)
	require.NotZero(t, summary.Living.Days)
	require.Equal(t, []string{"p0 winter"}, k.holders("season_first"))
	k.agree()

	k = newKit(t, "", time.Date(2027, time.January, 2, 12, 0, 0, 0, time.UTC))
	k.bringIn(k.options(header + "p0,best,2026-12-05,5000\np1,best,2026-12-06,4000\np2,best,2026-12-30,10\n"))
	require.Equal(t, []string{"p0 2026-12", "p1 2026-12"}, k.holders("month_top2"))
	k.agree()
}

// A week that was over here with its last days alone has given its badges. They stay when its
// first days come, which give others; but no day that comes gives one before all have come.
func TestAnImportGivesNoBadgesForPlacesInAPartOfAWeek(t *testing.T) {
	k := newKit(t, "", time.Date(2026, time.December, 26, 12, 0, 0, 0, time.UTC))
	last := played{mode: "best", player: "p2", at: k.now, score: 10}
	k.live(game.DateOf(k.now), 2, []played{last})
	require.Equal(t, []string{"p2 2026-W52"}, k.holders("week_top2"))
	k.now = time.Date(2026, time.December, 30, 12, 0, 0, 0, time.UTC)
	k.expire()
	summary := k.bringIn(k.options(header + "p0,best,2026-12-21,5000\np1,best,2026-12-21,4000\np3,best,2026-12-24,20\n"))
	require.Equal(t, 1, summary.Fresh.Days)
	require.Equal(t, 1, summary.Living.Days)
	require.Equal(t, []string{"p0 2026-W52", "p1 2026-W52", "p2 2026-W52"}, k.holders("week_top2"))
	k.agree()
}

// cutOff runs an import that is interrupted in a phase, at a count.
func (k *kit) cutOff(o backfill.Options, in backfill.Phase, count int64) {
	k.t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	o.Progress = func(p backfill.Progress) {
		if p.Phase == in && p.Count == count {
			cancel()
		}
	}
	_, err := backfill.Run(ctx, o)
	require.ErrorIs(k.t, err, context.Canceled)
}

// schedules runs what runs every night and every week.
func (k *kit) schedules() {
	k.t.Helper()
	_, err := k.process().Daily(context.Background())
	require.NoError(k.t, err)
	_, err = k.process().Weekly(context.Background(), k.now)
	require.NoError(k.t, err)
}

// What the schedules close while an import is at work, or after it was cut off, has only a part
// of its days.
func TestTheSchedulesGiveNoBadgesForWhatAnImportHasNotFinished(t *testing.T) {
	t.Run("a week that is being written", func(t *testing.T) {
		k := newKit(t, "", noon)
		o := k.options(header + "p3,best,2026-06-08,20\np3,best,2026-06-09,20\np0,best,2026-06-10,5000\np1,best,2026-06-10,4000\n")
		k.cutOff(o, backfill.Writing, 2)
		k.schedules()
		require.Empty(t, k.holders("week_top2"))
		k.bringIn(o)
		require.Equal(t, []string{"p0 2026-W24", "p1 2026-W24"}, k.holders("week_top2"))
		k.agree()
	})
	t.Run("a week that has a top", func(t *testing.T) {
		k := newKit(t, "", time.Date(2026, time.December, 12, 12, 0, 0, 0, time.UTC))
		k.live(game.DateOf(k.now), 20, []played{{mode: "best", player: "p2", at: k.now, score: 10}})
		o := k.options(header + "p3,best,2026-12-07,20\np3,best,2026-12-08,20\np0,best,2026-12-09,5000\np1,best,2026-12-09,4000\n")
		k.cutOff(o, backfill.Writing, 2)
		k.schedules()
		require.Equal(t, []string{"p2 2026-W50"}, k.holders("week_top2"))
		k.bringIn(o)
		require.Equal(t, []string{"p0 2026-W50", "p1 2026-W50", "p2 2026-W50"}, k.holders("week_top2"))
		k.agree()
	})
	t.Run("a month whose boards are being made", func(t *testing.T) {
		k := newKit(t, "", time.Date(2027, time.January, 2, 12, 0, 0, 0, time.UTC))
		o := k.options(header + "p0,best,2026-12-05,5000\np1,best,2026-12-06,4000\np2,best,2026-12-30,10\n")
		k.cutOff(o, backfill.Boards, 1)
		k.schedules()
		require.Empty(t, k.holders("month_top2"))
		k.bringIn(o)
		require.Equal(t, []string{"p0 2026-12", "p1 2026-12"}, k.holders("month_top2"))
		k.agree()
	})
}
