// Package jobs builds the scheduled functions, as package app builds the functions that answer
// requests. It is also the package that adds the archive, so that functions without history do
// not link a database driver.
package jobs

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/feature/activity"
	"github.com/framedle/leaderboards/internal/feature/badge"
	"github.com/framedle/leaderboards/internal/feature/device"
	"github.com/framedle/leaderboards/internal/feature/duel"
	"github.com/framedle/leaderboards/internal/feature/friend"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lifecycle"
	"github.com/framedle/leaderboards/internal/lifecycle/closing"
	"github.com/framedle/leaderboards/internal/platform/host"
	"github.com/framedle/leaderboards/internal/platform/status"
	"github.com/framedle/leaderboards/internal/platform/usage"
	"github.com/framedle/leaderboards/internal/product/app"
)

// EnvDatabase names the Postgres that keeps the history, secret; without it nothing outlives
// the boards.
const EnvDatabase = "DATABASE_URL"

// Jobs are the scheduled functions of one product.
type Jobs struct {
	closing  closing.Closing
	removals *lifecycle.Removals
	claims   *device.Claims
	duels    *duel.Keeper
	activity *activity.Activity // nil: the game has none
	friends  *friend.Service    // nil without an archive
	sides    *closing.Sides     // the same
	usage    *usage.Ledger
	runs     status.Log
	log      *slog.Logger
	// Plan is when the schedules run: as in template.yaml, unless it is set.
	Plan status.Plan

	groupDay func(ctx context.Context, group string, d game.Date) error // gives badges; nil: there are none for such days

	savedDuels atomic.Int64 // when, in Unix nanoseconds

	webhooks []string                      // see Secrets
	sites    Sites                         // that boards are merged with
	last     []func(context.Context) error // what features do at the end of a run that closes or saves
}

// New makes the jobs of an App. The archive may be nil.
func New(a *app.App, history *archive.Archive) *Jobs {
	usual, _ := status.NewPlan(func(string) string { return "" }) // can only fail for other expressions than the usual ones
	awarded := func(rule string, players int) {
		a.Log().LogAttrs(context.Background(), slog.LevelInfo, "badges are given", slog.String("kind", rule), slog.Int("lb_badges_awarded_total", players))
	}
	j := &Jobs{
		Plan:     usual,
		closing:  closing.Closing{Game: a.Game(), Store: a.Store(), Archive: history, Now: a.Now, Repairs: history != nil},
		removals: Removals(a, history),
		claims:   Claims(a, history),
		duels:    Duels(a, history).Keeper(),
		activity: a.Activity(),
		friends:  Friends(a, history),
		sides:    Sides(a, history),
		usage:    Usage(a, history),
		runs:     status.Log{Redis: a.Redis()},
		log:      a.Log(),
	}
	if badge.FollowActs(a.Game()) {
		j.groupDay = j.closing.GroupDay
	}
	j.closing.Features = Features(a, history, j.groupDay, awarded)
	j.announceWebhooks()
	j.last = []func(context.Context) error{
		j.deliverWebhooks,
	}
	return j
}

// patience is how long a request waits for Postgres: a database that sleeps wakes in less time.
const patience = 2 * time.Second

// OpenArchive makes the archive at an address; nil if the address is empty. It dials nothing.
func OpenArchive(url string, connections int) (*archive.Archive, error) {
	if url == "" {
		return nil, nil
	}
	return archive.Open(archive.Options{URL: url, Connections: connections, Patience: patience, Tables: Tables()})
}

// archiveFromEnv makes the archive that the environment names; nil if it names none.
func archiveFromEnv(connections int) (*archive.Archive, error) {
	history, err := OpenArchive(app.Getenv(EnvDatabase), connections)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", EnvDatabase, err)
	}
	return history, nil
}

// Run serves one job on the host that the process detects, configured by its environment. It
// does not return.
func Run(job func(*Jobs) host.ScheduledFunc) {
	app.RunScheduled(func(a *app.App) (host.ScheduledFunc, error) {
		history, err := archiveFromEnv(1)
		if err != nil {
			return nil, err
		}
		j, err := fromEnv(a, history)
		if err != nil {
			return nil, err
		}
		return job(j), nil
	})
}

// fromEnv makes the jobs of an App as the environment configures them.
func fromEnv(a *app.App, history *archive.Archive) (*Jobs, error) {
	plan, noPlan := planFromEnv()
	repairs, neither := repairsFrom(app.Getenv)
	err := errors.Join(noPlan, neither)
	j := New(a, history)
	j.Plan = plan
	j.Repairs(repairs)
	err = errors.Join(err, j.webhooksFromEnv(app.Getenv))
	err = errors.Join(err, j.sitesFromEnv(app.Getenv))
	return j, err
}

// planFromEnv reads from the environment when schedules run.
func planFromEnv() (status.Plan, error) {
	plan, err := status.NewPlan(app.Getenv)
	if err != nil {
		return nil, fmt.Errorf("when schedules run: %w", err)
	}
	return plan, nil
}

// Closing returns the work of the jobs, for tools that do it by hand.
func (j *Jobs) Closing() *closing.Closing { return &j.closing }

// Daily is the function cron-daily. It closes days. Before that it finishes what claims,
// removals, duels, friends and usage have left undone. If one of these fails, it closes days
// all the same, the run fails in the end, and the next run tries again.
func (j *Jobs) Daily(ctx context.Context, at time.Time) (any, error) {
	return j.writing(ctx, "cron-daily", at, func(ctx context.Context) (any, error) { return j.finished(ctx, j.daily) })
}

func (j *Jobs) daily(ctx context.Context) (any, error) {
	failed := errors.Join(j.closing.Store.Notices.KeepRules(ctx), j.tidy(ctx))
	report, err := j.closing.Daily(ctx)
	elsewhere, short := lostIn(err)
	if done, notDone := (repairing{j}).run(ctx, losses{elsewhere: elsewhere, short: short}); done {
		report, err = j.closing.Daily(ctx)
	} else {
		err = errors.Join(err, notDone)
	}
	wasClosed := err == nil && !report.Busy && len(report.Unfinished)+len(report.Refilled) == 0
	err = errors.Join(failed, err)
	err = errors.Join(err, j.settleLeagues(ctx, wasClosed))
	err = errors.Join(err, j.tendBands(ctx))
	if len(report.Expired) > 0 {
		j.log.LogAttrs(ctx, slog.LevelWarn, "daily boards expired before roll-up", slog.Any("boards", report.Expired))
		usage.ReportProblem(ctx)
	}
	return report, err
}

func (j *Jobs) tidy(ctx context.Context) error {
	return errors.Join(
		wrong(j.claims.LookAfter(ctx)), // first: plays that a banned player receives by a claim are then removed
		wrong(j.removals.LookAfter(ctx)),
		wrong(j.duels.Drain(ctx)),
		j.settleFriends(ctx),
		j.usage.Drain(ctx, game.DateOf(j.closing.Now())),
		j.refill(ctx),
		j.pruneActs(ctx),
	)
}

// Restore makes everything in Redis again from the archive, unless the archive has less than
// Redis: *closing.LackError. Duels come first, since XP contains theirs.
func (j *Jobs) Restore(ctx context.Context, o closing.RestoreOptions) (closing.RestoreReport, error) {
	if j.sides == nil {
		return closing.RestoreReport{}, closing.ErrNoArchive
	}
	return Restore(ctx, &j.closing, j.sides, o)
}

// Weekly is the function cron-weekly. It closes the week and the month that ended last before
// its time, and earlier ones that are still open, and settles weeks of leagues that cron-daily
// has not settled.
func (j *Jobs) Weekly(ctx context.Context, at time.Time) (any, error) {
	return j.writing(ctx, "cron-weekly", at, func(ctx context.Context) (any, error) {
		return j.finished(ctx, func(ctx context.Context) (any, error) {
			report, err := j.closing.Weekly(ctx, at)
			err = errors.Join(err, j.settleLeagues(ctx, false))
			return report, err
		})
	})
}

// Save is the function cron-save. It archives the present state of days that are not closed,
// and duels that are over. Without an archive it only looks for problems.
func (j *Jobs) Save(ctx context.Context, at time.Time) (any, error) {
	if j.closing.Archive == nil {
		if j.watches("cron-save", at) {
			j.watch(ctx, "cron-save")
		}
		return closing.SaveReport{}, j.tendBands(ctx)
	}
	looks := (repairing{j}).looks(at)
	return save(ctx, j, at, looks, looks || j.watches("cron-save", at))
}

// save is Save; looks says that boards of games with an outbox are counted too, and seeks that
// expired days are looked for.
func save(ctx context.Context, j *Jobs, at time.Time, looks, seeks bool) (any, error) {
	return j.writing(ctx, "cron-save", at, func(ctx context.Context) (any, error) {
		beside := errors.Join(
			j.saveDuels(ctx),
			j.savePlays(ctx),
		)
		report, err := j.closing.Save(ctx)
		if err == nil && looks && report.Elsewhere == 0 {
			report.Short, err = j.closing.ShortOfPosted(ctx)
		}
		lost := losses{elsewhere: report.Elsewhere > 0, short: report.Short}
		if seeks {
			expired, lookErr := (repairing{j}).expired(ctx)
			lost.expired, beside = expired, errors.Join(beside, lookErr)
		}
		if done, failed := (repairing{j}).run(ctx, lost); done {
			report, err = j.closing.Save(ctx)
		} else {
			err = errors.Join(err, failed)
		}
		return report, errors.Join(beside, err, j.finish(ctx), j.tendBands(ctx))
	})
}

// bandsPatience is how long one run tends boards in bands: a split takes 90 s of waiting, and
// the next run does the rest.
const bandsPatience = 2 * time.Minute

// finished runs a schedule's work, and then finish.
func (j *Jobs) finished(ctx context.Context, work func(context.Context) (any, error)) (any, error) {
	report, err := work(ctx)
	return report, errors.Join(err, j.finish(ctx))
}

func (j *Jobs) finish(ctx context.Context) (err error) {
	for _, do := range j.last {
		err = errors.Join(err, do(ctx))
	}
	return err
}

// tendBands tends boards that are kept in bands. In a game without any it does nothing.
func (j *Jobs) tendBands(ctx context.Context) error {
	all, err := j.closing.Store.Rollup.Banded.TendBands(ctx, bandsPatience)
	for _, did := range all {
		if len(did.Did) > 0 || did.Drift != 0 {
			j.log.LogAttrs(ctx, slog.LevelInfo, "boards in bands were maintained", slog.String("board", did.Board),
				slog.Any("did", did.Did), slog.Int64("drift", did.Drift), slog.Bool("more", did.More))
		}
	}
	return err
}
