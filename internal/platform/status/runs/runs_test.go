package runs_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	leaderboards "github.com/framedle/leaderboards"
	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/platform/status/runs"
	"github.com/framedle/leaderboards/internal/platform/template"
	"github.com/framedle/leaderboards/upstash"
)

var monday = time.Date(2026, 11, 23, 0, 20, 0, 0, time.UTC)

func none(string) string { return "" }

func TestABadRunLeavesTheLastGoodOneKnown(t *testing.T) {
	client := testkit.NewRedis(t, "").Client
	log := runs.Log{Redis: client}
	past, err := log.Read(t.Context())
	require.NoError(t, err)
	require.Empty(t, past)

	good := runs.Run{Due: monday, Ended: monday.Add(time.Second), Milliseconds: 900}
	bad := runs.Run{Due: monday.AddDate(0, 0, 1), Ended: monday.AddDate(0, 0, 1), Error: strings.Repeat("ü", 400)}
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
	require.Equal(t, runs.Past{Last: good, LastGood: good}, past["cron-save"])
}

func TestARunIsLateAnHourAfterItWasDue(t *testing.T) {
	plan, err := runs.NewPlan(none)
	require.NoError(t, err)
	past := runs.Past{LastGood: runs.Run{Due: monday, Ended: monday.Add(time.Minute)}}
	tomorrow := monday.AddDate(0, 0, 1)
	require.Equal(t, tomorrow, plan.Next("cron-daily", monday))
	require.False(t, plan.Late("cron-daily", past, time.Time{}, tomorrow))
	require.False(t, plan.Late("cron-daily", past, time.Time{}, tomorrow.Add(59*time.Minute)))
	require.True(t, plan.Late("cron-daily", past, time.Time{}, tomorrow.Add(time.Hour)))
	byHand := runs.Past{LastGood: runs.Run{Due: monday.AddDate(0, 0, -30), Ended: tomorrow.Add(2 * time.Hour)}}
	require.False(t, plan.Late("cron-daily", byHand, time.Time{}, tomorrow.Add(3*time.Hour)), "fired by hand, with an event of long ago")
	require.True(t, plan.Late("cron-daily", byHand, time.Time{}, tomorrow.AddDate(0, 0, 1).Add(time.Hour)))
	require.False(t, plan.Late("cron-daily", runs.Past{}, time.Time{}, monday), "nobody has played yet")
	require.False(t, plan.Late("cron-daily", runs.Past{}, monday, monday.Add(time.Hour)))
	require.True(t, plan.Late("cron-daily", runs.Past{}, monday, monday.AddDate(0, 0, 2)), "it has never run")
	require.False(t, plan.Late("cron-weekly", runs.Past{LastGood: runs.Run{Due: monday.Add(10 * time.Minute), Ended: monday.Add(time.Hour)}}, time.Time{}, monday.AddDate(0, 0, 6)))
}

func TestSchedulesOfOnesOwn(t *testing.T) {
	plan, err := runs.NewPlan(func(name string) string {
		return map[string]string{"WEEKLY_SCHEDULE": "cron(30 12 ? * MON *)"}[name]
	})
	require.NoError(t, err)
	require.Equal(t, 12, plan.Next("cron-weekly", monday).Hour())
	_, err = runs.NewPlan(func(string) string { return "every night" })
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
	for _, e := range runs.Expected {
		require.Equal(t, e.Expression, found[e.Function], e.Function)
	}
}
