package jobs

import (
	"context"
	"log/slog"
	"time"

	"github.com/framedle/leaderboards/internal/platform/status"
	"github.com/framedle/leaderboards/internal/platform/usage"
)

// lookEvery is how often cron-save looks for problems, however often it runs.
const lookEvery = 8 * time.Hour

// watches reports whether the run that is due at a time looks for problems: each run of
// cron-daily, and the first run of cron-save after 00:00, 08:00 and 16:00. cron-weekly runs
// too seldom.
func (j *Jobs) watches(name string, due time.Time) bool {
	if name != "cron-save" {
		return name == "cron-daily"
	}
	before := due.Add(due.Sub(j.Plan.Next(name, due)))
	return !before.Truncate(lookEvery).Equal(due.Truncate(lookEvery))
}

// watch looks for problems during the run of a schedule, so that an alarm goes off even if
// nobody looks: each problem is a line of the log, and their number is a metric. cron-daily
// and cron-save check that the other runs.
//
// Cost: 1 billed command, 1 query, 2 where submissions are recorded.
func (j *Jobs) watch(ctx context.Context, running string) {
	r := status.Reporter{Game: j.closing.Game, Runs: j.runs, Plan: j.Plan, Now: j.closing.Now}
	if j.closing.Archive != nil {
		r.Archive = looked{j.closing.Archive}
		r.Astray = astrayOf(j.closing.Game, j.closing.Archive)
	}
	for _, p := range r.Watch(ctx, running) {
		j.problem(ctx, p)
	}
}

// problem logs and counts a problem.
func (j *Jobs) problem(ctx context.Context, p status.Problem) {
	usage.ReportProblem(ctx)
	j.log.LogAttrs(ctx, slog.LevelWarn, "the status has problems", slog.String("what", p.What), slog.String("do", p.Do))
}
