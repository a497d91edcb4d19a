package closing_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/game"
)

// snapshots returns the snapshots of all weeks and months of some days, and the achievements
// from them.
func (k *kit) snapshots(first game.Date, days int) map[string]any {
	k.t.Helper()
	ctx := context.Background()
	a := k.archive()
	all := map[string]any{}
	for _, m := range k.game.Modes {
		scopes, err := a.Results.Scopes(ctx, m.Name, first, first.AddDays(days))
		require.NoError(k.t, err)
		for _, scope := range append(scopes, game.Scope{}) {
			for n := range days {
				for _, kind := range []game.PeriodKind{game.Week, game.Month} {
					b := game.BoardOf(m, kind.Of(first.AddDays(n)), scope)
					s, err := a.Snapshots.Of(ctx, b)
					require.NoError(k.t, err)
					if s != nil {
						s.TakenAt = time.Time{}
						all[game.BoardKey(m.Name, b.Period, scope)] = *s
					}
				}
			}
		}
	}
	for _, player := range []string{"player0", "player01", "player002"} {
		won, err := a.Achievements.Of(ctx, player)
		require.NoError(k.t, err)
		badges := map[game.Achievement]bool{}
		for _, badge := range won {
			badge.AwardedAt = time.Time{}
			badges[badge] = true
		}
		all[player] = badges
	}
	return all
}

// However late cron-weekly runs, every week and month has the snapshots and
// badges that it would have had on time.
func TestALateWeeklyRunClosesEveryWeek(t *testing.T) {
	for name, days := range map[string]int{"a week late": 14, "five weeks late": 42} {
		t.Run(name, func(t *testing.T) {
			ctx := context.Background()
			onTime, late := newKit(t), newKit(t)
			late.late = true
			onTime.playDays(monday, days, 2)
			late.playDays(monday, days, 2)
			want := onTime.snapshots(monday, days)
			require.NotEqual(t, want, late.snapshots(monday, days))
			late.expireDays(monday)
			report, err := late.process().Weekly(ctx, late.now)
			require.NoError(t, err)
			require.Empty(t, report.Unfinished)
			require.Equal(t, want, late.snapshots(monday, days))
			again, err := late.process().Weekly(ctx, late.now)
			require.NoError(t, err)
			require.Len(t, again.Periods, 2, "the week and the month that ended last")
			late.agree()
		})
	}
}

// A board of teams without any group has no snapshot, even if its week is closed so late that
// only the archive still has it.
func TestALateWeekWithoutGroupsHasNoBoardOfGroups(t *testing.T) {
	ctx := context.Background()
	k := newKit(t)
	k.at(monday, 12, 0)
	first := k.mode("first")
	_, err := k.process().Store.Boards.Submit(ctx, game.Submission{Mode: first, Player: "a", Date: monday, Score: 5, At: k.now})
	require.NoError(t, err)
	k.at(monday.AddDays(1), 0, 20)
	_, err = k.process().Daily(ctx)
	require.NoError(t, err)
	k.at(monday.AddDays(42), 2, 0)
	k.expireDays(monday)
	_, err = k.process().Weekly(ctx, k.now)
	require.NoError(t, err)
	snapshots := k.archive().Snapshots
	of := func(scope game.Scope) *archive.Snapshot {
		s, err := snapshots.Of(ctx, game.BoardOf(first, game.Week.Of(monday), scope))
		require.NoError(t, err)
		return s
	}
	require.NotNil(t, of(game.Scope{}))
	require.Nil(t, of(game.TeamsScope()))
}

// A run that is out of time leaves weeks to the next one, and says so.
func TestAWeeklyRunLeavesWhatItHasNoTimeFor(t *testing.T) {
	ctx := context.Background()
	k := newKit(t)
	k.late = true
	k.playDays(monday, 21, 2)
	k.expireDays(monday)
	short, cancel := context.WithDeadline(ctx, time.Now().Add(15*time.Second)) // less than a run keeps in reserve
	defer cancel()
	left := -1
	for range 10 {
		report, err := k.process().Weekly(short, k.now)
		require.NoError(t, err)
		require.Len(t, report.Periods, 1)
		if left >= 0 && len(report.Unfinished) >= left {
			break
		}
		left = len(report.Unfinished)
	}
	report, err := k.process().Weekly(ctx, k.now)
	require.NoError(t, err)
	require.Empty(t, report.Unfinished)
	require.Len(t, k.weeks("first"), 3)
}

func (k *kit) weeks(mode string) []game.Period {
	k.t.Helper()
	var taken []game.Period
	for p := game.Week.Of(monday); k.game.Closed(p, k.now); p = game.Week.Of(p.Last().AddDays(1)) {
		s, err := k.archive().Snapshots.Of(context.Background(), game.BoardOf(k.mode(mode), p, game.Scope{}))
		require.NoError(k.t, err)
		if s != nil {
			taken = append(taken, p)
		}
	}
	return taken
}
