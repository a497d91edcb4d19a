package status_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/archive/archivetest"
	"github.com/framedle/leaderboards/internal/control"
	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/gamefile"
	"github.com/framedle/leaderboards/internal/lifecycle"
	"github.com/framedle/leaderboards/internal/lifecycle/closing"
	"github.com/framedle/leaderboards/internal/platform/status"
	"github.com/framedle/leaderboards/internal/platform/usage"
	"github.com/framedle/leaderboards/internal/product/app"
	"github.com/framedle/leaderboards/internal/product/jobs"
	"github.com/framedle/leaderboards/upstash"
	"github.com/framedle/leaderboards/upstash/upstashtest"
)

const testGame = `
name: testing
modes:
  word: {max: 1000, xp: 1, scopes: [group]}
  best: {policy: best, max: 1000}
`

var monday = game.NewDate(2026, time.November, 16)

// kit is a product with a history and a clock that is set.
type kit struct {
	*testing.T
	url      string
	server   *upstashtest.Server
	client   *upstash.Client
	closing  *closing.Closing
	reporter *status.Reporter
	alone    *status.Reporter // without a history
	now      time.Time

	wholeUsage status.Usage // as it is wired, the archive's too
}

func newKit(t *testing.T) *kit {
	redis := testkit.NewRedis(t, "")
	k := &kit{T: t, server: redis.Server, url: archivetest.Database(t), client: redis.Client, now: monday.Midnight().Add(12 * time.Hour)}
	history := testkit.Archive(t, k.url)
	plan, err := status.NewPlan(func(string) string { return "" })
	require.NoError(t, err)
	a := app.New(app.Parts{Game: testkit.Game(t, testGame), Redis: k.client, Now: func() time.Time { return k.now }, Log: slog.New(slog.DiscardHandler)})
	k.reporter = jobs.Status(a, history, plan)
	k.wholeUsage = k.reporter.Usage
	k.reporter.Usage = usage.NewLedger(k.client, nil)
	k.alone = jobs.Status(a, nil, plan)
	k.closing = jobs.New(a, history).Closing()
	return k
}

func (k *kit) play(mode, player string, score game.Score) {
	m, ok := k.reporter.Game.Mode(mode)
	require.True(k, ok)
	_, err := k.closing.Store.Boards.Submit(k.Context(), game.Submission{Mode: m, Player: player, Date: game.DateOf(k.now), Score: score, At: k.now})
	require.NoError(k, err)
}

// run has the schedules run well for a time that they were due.
func (k *kit) run(due time.Time) {
	_, err := k.closing.Daily(k.Context())
	require.NoError(k, err)
	for _, e := range status.Expected {
		k.noted(e.Function, status.Run{Due: due, Ended: due.Add(time.Minute)})
	}
}

func (k *kit) noted(function string, r status.Run) {
	require.NoError(k, status.Log{Redis: k.client}.Note(k.Context(), function, r))
}

func (k *kit) report() status.Status {
	s, err := k.reporter.Report(k.Context())
	require.NoError(k, err)
	require.Equal(k, len(s.Problems) == 0, s.Good)
	return s
}

// problem is the one thing that is wrong.
func (k *kit) problem() status.Problem {
	s := k.report()
	require.Len(k, s.Problems, 1, s.Problems)
	require.NotEmpty(k, s.Problems[0].Do)
	return s.Problems[0]
}

func (k *kit) sql(statement string) {
	conn, err := pgx.Connect(k.Context(), k.url)
	require.NoError(k, err)
	_, err = conn.Exec(k.Context(), statement)
	require.NoError(k, errors.Join(err, conn.Close(k.Context())))
}

// counted has a process have told what it spent on a day.
func (k *kit) counted(date game.Date, commands int64) {
	_, err := k.client.Do(k.Context(), upstash.Cmd("HSET", usage.Key(date), "submit:p", usage.Count{Calls: 1, Commands: commands}.String()))
	require.NoError(k, err)
}

// elsewhere is another process.
func (k *kit) elsewhere(maintenance string) *lifecycle.Parts {
	return lifecycle.New(lifecycle.Options{Redis: k.client, Game: k.reporter.Game, Now: func() time.Time { return k.now }, Maintenance: maintenance})
}

// night plays a day and closes it the next morning.
func (k *kit) night() {
	k.play("word", "ana", 800)
	k.play("best", "ana", 5)
	k.now = monday.AddDays(1).Midnight().Add(30 * time.Minute)
	k.run(monday.AddDays(1).Midnight().Add(20 * time.Minute))
}

func TestNothingIsWrongWithAProductThatNobodyPlaysYet(t *testing.T) {
	k := newKit(t)
	s := k.report()
	require.True(t, s.Good, s.Problems)
	require.Equal(t, "ok", s.Database.State)
	require.Nil(t, s.Schedules[0].Last)
	require.Equal(t, "2026-11-17T00:20:00Z", s.Schedules[0].Next.Format(time.RFC3339))
}

func TestNothingIsWrongAfterAGoodNight(t *testing.T) {
	k := newKit(t)
	k.night()
	s := k.report()
	require.True(t, s.Good, s.Problems)
	require.Equal(t, monday.String(), s.Days.Archived)
	require.Equal(t, []string{"2026-11-17"}, s.Days.Open)
	require.False(t, s.Schedules[0].Late)
	require.True(t, s.Schedules[0].LastGood.Good())
}

func TestAFailedRunIsNamed(t *testing.T) {
	k := newKit(t)
	k.night()
	k.noted("cron-daily", status.Run{Due: k.now, Ended: k.now, Error: "postgres does not answer"})
	require.Contains(t, k.problem().What, "cron-daily failed: postgres does not answer")
}

func TestALateScheduleAndItsUnclosedDaysAreNamed(t *testing.T) {
	k := newKit(t)
	k.night()
	k.play("word", "ben", 1)
	k.now = monday.AddDays(3).Midnight().Add(3 * time.Hour)
	k.noted("cron-save", status.Run{Due: k.now, Ended: k.now})
	s := k.report()
	require.Len(t, s.Problems, 2, s.Problems)
	require.Contains(t, s.Problems[0].What, "cron-daily is late")
	require.Contains(t, s.Problems[1].What, "1 day not closed: word 2026-11-17")
}

// A ban has days closed once more on which the player may have been.
func TestDaysThatAreWrittenToAfterTheyHaveClosedWaitForTheNextRun(t *testing.T) {
	k := newKit(t)
	k.night()
	for d := 1; d < 3; d++ {
		k.now = monday.AddDays(d + 1).Midnight().Add(30 * time.Minute)
		k.run(monday.AddDays(d + 1).Midnight().Add(20 * time.Minute))
	}
	_, err := k.closing.Store.Repair.RemoveRecent(t.Context(), "ana", nil)
	require.NoError(t, err)
	s := k.report()
	require.True(t, s.Good, s.Problems)
	require.Equal(t, []string{"best 2026-11-16", "word 2026-11-16"}, s.Days.Unclosed)

	k.now = k.now.AddDate(0, 0, 1).Add(time.Hour)
	k.noted("cron-save", status.Run{Due: k.now, Ended: k.now})
	problems := k.report().Problems
	require.Contains(t, problems[0].What, "cron-daily is late")
	require.Contains(t, problems[len(problems)-1].What, "2 days not closed")
}

func TestAScheduleThatHasNeverRunIsNamedOnceADayIsOver(t *testing.T) {
	k := newKit(t)
	k.play("word", "ana", 800)
	k.now = monday.AddDays(1).Midnight().Add(time.Hour)
	k.noted("cron-save", status.Run{Due: k.now, Ended: k.now})
	require.True(t, k.report().Good)
	k.now = monday.AddDays(1).Midnight().Add(90 * time.Minute)
	require.Contains(t, k.problem().What, "cron-daily has never run")
}

func TestADayThatTheArchiveHasNotIsNamed(t *testing.T) {
	k := newKit(t)
	k.night()
	k.sql(`DELETE FROM archived_days WHERE mode = 'best'`)
	require.Contains(t, k.problem().What, "1 closed day not archived: best 2026-11-16")
}

// An emptied Redis does not know what it lacks.
func TestALostRedisIsNamed(t *testing.T) {
	k := newKit(t)
	k.night()
	_, err := k.client.Do(t.Context(), upstash.Cmd("FLUSHALL"))
	require.NoError(t, err)
	problem := k.problem()
	require.Equal(t, "2 archived days missing in Redis: best 2026-11-16, …", problem.What)
	require.Contains(t, problem.Do, "lbctl restore")
	require.Equal(t, []string{"best 2026-11-16", "word 2026-11-16"}, k.report().Days.Missing)
	k.now = monday.AddDays(9).Midnight().Add(time.Hour)
	require.Empty(t, k.report().Days.Missing, "by now Redis would have let them expire")
}

func TestADayThatExpiredBeforeItWasRolledUpIsNamed(t *testing.T) {
	k := newKit(t)
	k.night()
	k.now = monday.AddDays(20).Midnight().Add(30 * time.Minute)
	for _, e := range status.Expected {
		k.noted(e.Function, status.Run{Due: k.now, Ended: k.now})
	}
	problem := k.problem()
	require.Contains(t, problem.What, "2 daily boards expired before roll-up")
	require.Contains(t, problem.Do, "lbctl restore")
}

func TestTheDatabasesTablesAreLookedAt(t *testing.T) {
	k := newKit(t)
	k.night()
	k.sql(`DELETE FROM schema_migrations WHERE version_id = (SELECT max(version_id) FROM schema_migrations)`)
	require.Contains(t, k.problem().Do, "lbctl migrate")
	require.Equal(t, "behind", k.report().Database.State)
	require.Contains(t, k.problem().What, fmt.Sprintf("migrations from %d on are pending", archive.SchemaVersion))
	k.sql(`DROP TABLE schema_migrations`)
	require.Equal(t, "empty", k.report().Database.State)
	require.Contains(t, k.problem().What, fmt.Sprintf("migrations 1 to %d are pending", archive.SchemaVersion))

	k.reporter.Archive = away{}
	require.Equal(t, "the database is not responding", k.problem().What)

	s, err := k.alone.Report(t.Context())
	require.NoError(t, err)
	require.True(t, s.Good, s.Problems)
	require.Equal(t, "none", s.Database.State)
	require.Len(t, s.Schedules, 2, "cron-save has nothing to do")
}

// A database that was emptied, and one whose tables are not those of its migrations, are
// findings; the costs counted in Redis are shown all the same.
func TestMissingTablesAreFindings(t *testing.T) {
	k := newKit(t)
	k.night()
	k.counted(monday, 20)
	k.reporter.Usage = k.wholeUsage
	k.sql(`DROP TABLE usage_checks`)
	require.Contains(t, k.problem().What, `the database failed: read Upstash's figures in the archive`)
	require.Equal(t, "failing", k.report().Database.State)
	require.EqualValues(t, 600, k.report().Spent.Projected)
	k.sql(`DROP TABLE archived_days CASCADE`)
	require.Contains(t, k.problem().What, `the database failed`)
	k.sql(`DROP TABLE schema_migrations`)
	require.Equal(t, "empty", k.report().Database.State)
	require.Contains(t, k.problem().Do, "lbctl migrate")
	require.EqualValues(t, 600, k.report().Spent.Projected)
}

func TestAMaintenanceIsToldUntilItEnds(t *testing.T) {
	k := newKit(t)
	k.night()
	require.Equal(t, status.Writes{Taken: true, Refused: []string{}}, k.report().Writes)
	until := k.now.Add(48 * time.Hour)
	_, err := k.elsewhere("").Notices.Maintain(k.Context(), control.Maintenance{Since: k.now, Until: until, Reason: "moving"})
	require.NoError(t, err)
	require.Equal(t, status.Problem{
		What: "maintenance mode is on until 2026-11-19T00:30:00Z: moving", Do: "lbctl maintenance off to end it",
	}, k.problem())
	writes := k.report().Writes
	require.False(t, writes.Taken)
	require.Equal(t, "moving", writes.Maintenance.Reason)
	require.True(t, until.Equal(*writes.Maintenance.Until))

	// What is late meanwhile is nobody's fault.
	k.now = k.now.Add(27 * time.Hour)
	k.noted("cron-save", status.Run{Due: k.now, Ended: k.now})
	s := k.report()
	require.Len(t, s.Problems, 2, s.Problems)
	require.Contains(t, s.Problems[1].What, "cron-daily is late")
	require.Contains(t, s.Problems[1].Do, "paused during maintenance")

	require.NoError(t, k.elsewhere("").Notices.EndMaintenance(k.Context()))
	require.True(t, k.report().Writes.Taken)
	k.reporter.Notices = k.elsewhere("moving house").Notices
	require.Contains(t, k.report().Problems[0].What, "maintenance mode is on, by deployment: moving house")
}

func TestRefusedRulesAreTold(t *testing.T) {
	k := newKit(t)
	k.night()
	flipped, err := gamefile.Parse("test.yaml", []byte(strings.Replace(testGame, "best, max: 1000", "best, order: asc, max: 1000", 1)))
	require.NoError(t, err)
	k.reporter.Game = flipped
	require.Contains(t, k.problem().What, "all writes rejected: the boards use other rules")
	writes := k.report().Writes
	require.False(t, writes.Taken)
	require.Contains(t, writes.Refused, "modes.best.order: desc -> asc")
}

func TestAPaceBeyondThePlanIsNamed(t *testing.T) {
	k := newKit(t)
	k.night()
	k.counted(monday, 20_000)
	require.Contains(t, k.problem().What, "600000 commands this month; the plan includes 500000")
	k.reporter.PlanCommands = 700_000
	require.True(t, k.report().Good)
	k.reporter.PlanCommands = usage.NoPlan
	without := k.report()
	require.True(t, without.Good, "a Redis of one's own bills no commands")
	require.Zero(t, without.Spent.Plan)
	require.Zero(t, without.Spent.Share)
	require.EqualValues(t, 600_000, without.Spent.Projected)
}

func TestWhatAReportCosts(t *testing.T) {
	k := newKit(t)
	k.night()
	k.reporter.Usage = usage.NewLedger(k.client, nothing{})
	var meter upstash.Meter
	_, err := k.reporter.Report(upstash.WithMeter(t.Context(), &meter))
	require.NoError(t, err)
	require.EqualValues(t, 1+1+4+4, meter.Usage().Commands, "what keeps writes waiting, runs, closed days, up to when days are listed, and the days of two modes, four days of usage")
}

// nothing is an archive that has no usage.
type nothing struct{ usage.Archive }

func (nothing) UsageDays(context.Context, game.Date, game.Date) ([]usage.Day, error) { return nil, nil }
func (nothing) Checks(context.Context, game.Date, game.Date) ([]usage.Check, error)  { return nil, nil }

// away is an archive that does not answer.
type away struct{ status.Archive }

func (away) Schema(context.Context) (has, needs int64, err error) {
	return 0, 0, archive.ErrUnavailable
}

// A loss is found in a game that nobody has played for weeks, and where only an imported past
// stood: the days gone by are in the archive, and what they were rolled up into is not in Redis.
func TestALossIsFoundThoughNoDayIsMissing(t *testing.T) {
	k := newKit(t)
	k.night()
	for range 24 {
		k.now = k.now.AddDate(0, 0, 1)
		k.run(k.now.Add(-10 * time.Minute))
	}
	s := k.report()
	require.True(t, s.Good, s.Problems)
	k.sql(`UPDATE archived_days SET source = ''`) // as an import writes them
	_, err := k.server.Redis().Do(t.Context(), "FLUSHALL")
	require.NoError(t, err)
	for _, e := range status.Expected {
		k.noted(e.Function, status.Run{Due: k.now.Add(-10 * time.Minute), Ended: k.now})
	}
	p := k.problem()
	require.Equal(t, "archived totals of past days are missing in Redis: folded:lb:word:alltime, folded:lb:best:alltime", p.What)
	require.Contains(t, p.Do, "lbctl restore")
	_, err = k.closing.Restore(t.Context(), closing.RestoreOptions{})
	require.NoError(t, err)
	for _, e := range status.Expected {
		k.noted(e.Function, status.Run{Due: k.now.Add(-10 * time.Minute), Ended: k.now})
	}
	s = k.report()
	require.True(t, s.Good, s.Problems)
}
