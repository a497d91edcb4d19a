package status_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	leaderboards "github.com/framedle/leaderboards"
	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/platform/status"
	"github.com/framedle/leaderboards/internal/platform/template"
	"github.com/framedle/leaderboards/upstash"
)

var firstMonday = time.Date(2026, 11, 23, 0, 20, 0, 0, time.UTC)

func none(string) string { return "" }

func TestABadRunLeavesTheLastGoodOneKnown(t *testing.T) {
	client := testkit.NewRedis(t, "").Client
	log := status.Log{Redis: client}
	past, err := log.Read(t.Context())
	require.NoError(t, err)
	require.Empty(t, past)

	good := status.Run{Due: firstMonday, Ended: firstMonday.Add(time.Second), Milliseconds: 900}
	bad := status.Run{Due: firstMonday.AddDate(0, 0, 1), Ended: firstMonday.AddDate(0, 0, 1), Error: strings.Repeat("ü", 400)}
	var meter upstash.Meter
	ctx := upstash.WithMeter(t.Context(), &meter)
	require.NoError(t, log.Note(ctx, "cron-daily", good))
	require.NoError(t, log.Note(ctx, "cron-daily", bad))
	require.NoError(t, log.Note(ctx, "cron-save", good))
	require.EqualValues(t, 3, meter.Usage().Commands)

	past, err = log.Read(ctx)
	require.NoError(t, err)
	require.Equal(t, good, past["cron-daily"].LastGood)
	require.False(t, past["cron-daily"].Last.Good())
	require.Equal(t, strings.Repeat("ü", 250), past["cron-daily"].Last.Error, "cut between characters")
	require.Equal(t, status.LastRuns{Last: good, LastGood: good}, past["cron-save"])
}

func TestARunIsLateAnHourAfterItWasDue(t *testing.T) {
	plan, err := status.NewPlan(none)
	require.NoError(t, err)
	past := status.LastRuns{LastGood: status.Run{Due: firstMonday, Ended: firstMonday.Add(time.Minute)}}
	tomorrow := firstMonday.AddDate(0, 0, 1)
	require.Equal(t, tomorrow, plan.Next("cron-daily", firstMonday))
	require.False(t, plan.Late("cron-daily", past, time.Time{}, tomorrow))
	require.False(t, plan.Late("cron-daily", past, time.Time{}, tomorrow.Add(59*time.Minute)))
	require.True(t, plan.Late("cron-daily", past, time.Time{}, tomorrow.Add(time.Hour)))
	byHand := status.LastRuns{LastGood: status.Run{Due: firstMonday.AddDate(0, 0, -30), Ended: tomorrow.Add(2 * time.Hour)}}
	require.False(t, plan.Late("cron-daily", byHand, time.Time{}, tomorrow.Add(3*time.Hour)), "fired by hand, with an event of long ago")
	require.True(t, plan.Late("cron-daily", byHand, time.Time{}, tomorrow.AddDate(0, 0, 1).Add(time.Hour)))
	require.False(t, plan.Late("cron-daily", status.LastRuns{}, time.Time{}, firstMonday), "nobody has played yet")
	require.False(t, plan.Late("cron-daily", status.LastRuns{}, firstMonday, firstMonday.Add(time.Hour)))
	require.True(t, plan.Late("cron-daily", status.LastRuns{}, firstMonday, firstMonday.AddDate(0, 0, 2)), "it has never run")
	require.False(t, plan.Late("cron-weekly", status.LastRuns{LastGood: status.Run{Due: firstMonday.Add(10 * time.Minute), Ended: firstMonday.Add(time.Hour)}}, time.Time{}, firstMonday.AddDate(0, 0, 6)))
}

func TestSchedulesOfOnesOwn(t *testing.T) {
	plan, err := status.NewPlan(func(name string) string {
		return map[string]string{"WEEKLY_SCHEDULE": "cron(30 12 ? * MON *)"}[name]
	})
	require.NoError(t, err)
	require.Equal(t, 12, plan.Next("cron-weekly", firstMonday).Hour())
	_, err = status.NewPlan(func(string) string { return "every night" })
	require.ErrorContains(t, err, "DAILY_SCHEDULE")
}

func TestTheExpectedSchedulesAreTheTemplates(t *testing.T) {
	parsed, err := template.Parse(leaderboards.Template)
	require.NoError(t, err)
	found := map[string]string{}
	for _, f := range parsed.Functions {
		for _, s := range f.Schedules {
			found[f.Name] = s.Expression
		}
	}
	for _, e := range status.Expected {
		require.Equal(t, e.Expression, found[e.Function], e.Function)
	}
}
