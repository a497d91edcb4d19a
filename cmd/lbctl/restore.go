package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync/atomic"

	"github.com/spf13/cobra"

	"github.com/framedle/leaderboards/internal/lifecycle/closing"
	"github.com/framedle/leaderboards/internal/lifecycle/port"
	"github.com/framedle/leaderboards/internal/platform/progress"
	"github.com/framedle/leaderboards/internal/product/jobs"
)

const restoreLong = `Makes every board, streak, name, ban, list of friends, duel, claim and membership
again from the history: days that can still be in Redis as days, older ones in what months, all
time and XP hold of them, ratings as all duels together have left them. A day
that had not closed when it was last archived is made as far as it was known,
unless its board is there. It may be repeated, and holds off the daily closing
while it runs. An archive that knows fewer closed or rolled-up days, less XP or fewer
duels than Redis, or fewer profiles, bans, claims, memberships or friends, is refused, and
what it lacks is printed; with --force Redis forgets it. What lbctl
archive brings to the history is not lost.

With --from, brings days back to the history that it has not whole, from the Parquet
files that lbctl archive --to has kept: s3://bucket/prefix, or a folder. Each file is
read to its end and checked before anything of it is written; Redis is not asked. A
second lbctl restore, without --from, then makes the boards.
` + historyPlaces + `
Exit status: 0 done, 1 files were refused, 2 failed: run it again.
`

func restoreCommand(c console) *cobra.Command {
	var f placeFlags
	var o closing.RestoreOptions
	cmd, flags := define("restore [flags]", "make all boards again from the history", restoreLong, 0)
	f.add(flags)
	files := filesFlags{direction: "from"}
	files.add(flags)
	flags.BoolVar(&o.DryRun, "dry-run", false, "read the history and tell what would be made; change nothing")
	flags.BoolVar(&o.Force, "force", false, "restore from a history that knows less than Redis; what it lacks is lost")
	return does(cmd, func(ctx context.Context, _ []string) (int, error) {
		if files.place != "" {
			if o.DryRun || o.Force {
				return statusFailed, errors.New("--dry-run and --force are not for --from, which writes only what the history has not")
			}
			return restoreFiles(ctx, f, files, c)
		}
		if files.first+files.last != "" {
			return statusFailed, errors.New("--first and --last are about files: say where they are with --from")
		}
		job, err := f.open(ctx, c)
		if err != nil {
			return statusFailed, err
		}
		if o.Modes, err = modesNamed(job.Game, files.modes); err != nil {
			return statusFailed, err
		}
		var done, all atomic.Int64
		o.Step = func(n, of int, _ string) { done.Store(int64(n)); all.Store(int64(of)) }
		stop := progress.Show(progress.Options{Out: c.stderr, Terminal: c.terminal}, func() progress.State {
			return progress.State{Share: float64(done.Load()) / float64(max(1, all.Load())), Count: done.Load(), Unit: "steps"}
		})
		report, err := jobs.Restore(ctx, job.Closing, job.sides, o)
		stop()
		var lack *closing.LackError
		if !o.DryRun && !errors.As(err, &lack) {
			err = errors.Join(err, job.note(ctx, "restore", cmp.Or(files.modes, "all modes")))
		}
		if err != nil {
			return statusFailed, err
		}
		return statusGood, writeJSON(c, report)
	})
}

const verifyLong = `Holds Redis against the history, entry by entry and to the last bit: days that are
closed and alive with scopes and details, weeks and months that are over and live,
what months, all time and XP hold of older days, ratings and the XP of duels; and
that boards of days are on the index and have their expiry. Prints one line for
each difference:

  KEY  PLAYER  in Redis  in Postgres

and one for each kind of which only one side has some, with the first of these:
profiles, bans, claims, memberships, friends, duels.

  KIND  only in Redis  N: …  only in Postgres  N: …

Close the days that are due first (lbctl close day): what has not been archived
differs. Profiles of players whose first day has not closed are printed, and do not
count as a difference once the history has any. What Redis alone has, lbctl archive brings to
Postgres; what Postgres alone has, lbctl restore brings to Redis.
` + historyPlaces + `
Exit status: 0 they agree, 1 they differ, 2 failed.
`

func verifyCommand(c console) *cobra.Command {
	var f placeFlags
	cmd, flags := define("verify [flags]", "hold the boards against the history", verifyLong, 0)
	f.add(flags)
	return does(cmd, func(ctx context.Context, _ []string) (int, error) {
		job, err := f.open(ctx, c)
		if err != nil {
			return statusFailed, err
		}
		report, err := job.Verify(ctx, func(d port.Difference) {
			_, _ = fmt.Fprintf(c.stdout, "%s\t%s\t%s\t%s\n", d.Key, d.Player, d.Redis, d.Postgres)
		})
		if err != nil {
			return statusFailed, err
		}
		duels, err := job.sides.Duels.Verify(ctx, func(key, player, redis, history string) {
			_, _ = fmt.Fprintf(c.stdout, "%s\t%s\t%s\t%s\n", key, player, redis, history)
		})
		if err != nil {
			return statusFailed, err
		}
		others, err := job.sides.Compare(ctx)
		if err != nil {
			return statusFailed, err
		}
		for _, d := range others {
			report.Entries += int64(max(d.Redis, d.Postgres))
			report.Differences += int64(d.Count())
			if d.OnlyRedis.Count+d.OnlyPostgres.Count > 0 {
				_, _ = fmt.Fprintf(c.stdout, "%s\tonly in Redis\t%s\tonly in Postgres\t%s\n", d.Kind, d.OnlyRedis, d.OnlyPostgres)
			}
		}
		report.Boards += 2 // for ratings and for XP
		report.Entries += duels.Entries
		report.Differences += duels.Differences
		_, _ = fmt.Fprintf(c.stderr, "lbctl: %s entries of %s boards compared, %s differences\n",
			progress.Count(report.Entries), progress.Count(int64(report.Boards)), progress.Count(report.Differences))
		if report.Differences > 0 {
			return statusFaults, nil
		}
		return statusGood, nil
	})
}
