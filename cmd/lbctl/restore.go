package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync/atomic"

	"github.com/spf13/cobra"

	"github.com/framedle/leaderboards/internal/lifecycle"
	"github.com/framedle/leaderboards/internal/lifecycle/closing"
	"github.com/framedle/leaderboards/internal/platform/progress"
	"github.com/framedle/leaderboards/internal/product/jobs"
)

const restoreLong = `Rebuilds every board, streak, name, ban, friend list, duel, claim and membership from
the archive: recent days as day boards, older ones as part of months, all time and XP,
ratings from all duels. A day that was open when it was last archived is rebuilt as far
as it was known, unless its board exists. It is safe to repeat, and the daily closing
waits while it runs. An archive with less than Redis (closed or rolled-up days, XP,
duels, profiles, bans, claims, memberships or friends) is refused, and the difference is
printed; with --force the difference is lost. Run lbctl archive first to keep it.

With --from and a file of lbctl backup, it brings a backup into an empty deployment: into
Postgres, whose tables it makes if there are none, and from there into Redis; then it
compares the two. The file, the game and both stores are checked first, and what does not
fit is refused before anything changes. A run that was cut off is continued by the same
command. Do not deploy functions before it has ended.

With --from and a bucket or a folder, it restores incomplete days of the archive from the Parquet files of lbctl
archive --to in s3://bucket/prefix or a folder. Each file is read and checked completely
before anything of it is written; Redis is not used. A second lbctl restore, without
--from, then rebuilds the boards.
` + historyPlaces + `
Exit status: 0 done, 1 files were rejected, 2 failed: run it again.
`

func restoreCommand(c console) *cobra.Command {
	var f placeFlags
	var o closing.RestoreOptions
	cmd, flags := define("restore [flags]", "rebuild all boards from the archive", restoreLong, 0)
	f.add(flags)
	var from, modes string
	flags.StringVar(&from, "from", "", "`location` to restore from: a backup file, or the Parquet files, named as for lbctl archive --to")
	flags.StringVar(&modes, "modes", "", modesUsage)
	var cold coldFlags
	cold.dates(flags, "from")
	flags.BoolVar(&o.DryRun, "dry-run", false, "read the archive and print what would be rebuilt; change nothing")
	flags.BoolVar(&o.Force, "force", false, "restore even if the archive has less than Redis; the difference is lost")
	return does(cmd, func(ctx context.Context, _ []string) (int, error) {
		cold.place, cold.modes = from, modes
		if isBackup(from) {
			if cold.asked() {
				return statusFailed, errors.New("--first, --last and --modes do not apply to a backup, which is restored as a whole")
			}
			if o.Force {
				return statusFailed, errors.New("--force does not apply to a backup, which is restored into empty stores")
			}
			return restoreBackup(ctx, f, from, o.DryRun, c)
		}
		if cold.place != "" {
			if o.DryRun || o.Force {
				return statusFailed, errors.New("--dry-run and --force do not apply to --from, which writes only what the archive does not have")
			}
			return restoreCold(ctx, f, cold, c)
		}
		if cold.first+cold.last != "" {
			return statusFailed, errors.New("--first and --last require --from")
		}
		job, err := f.open(ctx, c)
		if err != nil {
			return statusFailed, err
		}
		if o.Modes, err = modesNamed(job.Game, modes); err != nil {
			return statusFailed, err
		}
		report, err := restoreShown(ctx, job, o, c)
		var lack *closing.LackError
		if !o.DryRun && !errors.As(err, &lack) {
			err = errors.Join(err, job.note(ctx, "restore", cmp.Or(modes, "all modes")))
		}
		if err != nil {
			return statusFailed, err
		}
		return statusGood, writeJSON(c, report)
	})
}

// restoreShown makes Redis again from the archive, and shows how far it is.
func restoreShown(ctx context.Context, job *places, o closing.RestoreOptions, c console) (closing.RestoreReport, error) {
	var done, all atomic.Int64
	o.Step = func(n, of int, _ string) { done.Store(int64(n)); all.Store(int64(of)) }
	stop := progress.Show(progress.Options{Out: c.stderr, Terminal: c.terminal}, func() progress.State {
		return progress.State{Share: float64(done.Load()) / float64(max(1, all.Load())), Count: done.Load(), Unit: "steps"}
	})
	defer stop()
	return jobs.Restore(ctx, job.Closing, job.sides, o)
}

const verifyLong = `Compares Redis with the archive, entry by entry and to the last bit: closed days with
scopes and details, weeks and months that are over, the rolled-up part of months, all
time and XP, ratings and the XP of duels; and checks that day boards are on the index
and have their expiry. It prints one line for each difference:

  KEY  PLAYER  in Redis  in Postgres

and one for each kind of record that only one side has, with the first of them:
profiles, bans, claims, memberships, friends, duels.

  KIND  only in Redis  N: …  only in Postgres  N: …

Close due days first (lbctl close day), since days that are not archived differ.
Profiles of players whose first day has not closed are printed, and do not count as
differences once the archive has any. lbctl archive copies what only Redis has to
Postgres, lbctl restore the other way.
` + historyPlaces + `
Exit status: 0 they agree, 1 they differ, 2 failed.
`

func verifyCommand(c console) *cobra.Command {
	var f placeFlags
	cmd, flags := define("verify [flags]", "compare the boards with the archive", verifyLong, 0)
	f.add(flags)
	return does(cmd, func(ctx context.Context, _ []string) (int, error) {
		job, err := f.open(ctx, c)
		if err != nil {
			return statusFailed, err
		}
		report, err := compare(ctx, job, c)
		if err != nil {
			return statusFailed, err
		}
		if report.Differences > 0 {
			return statusFaults, nil
		}
		return statusGood, nil
	})
}

// compare compares Redis with the archive, and prints what differs.
func compare(ctx context.Context, job *places, c console) (report closing.Verified, err error) {
	differ := func(d lifecycle.Difference) {
		_, _ = fmt.Fprintf(c.stdout, "%s\t%s\t%s\t%s\n", d.Key, d.Player, d.Redis, d.Postgres)
	}
	report, err = job.Verify(ctx, differ)
	if err != nil {
		return report, err
	}
	besides := lifecycle.Comparison{Differ: differ}
	if err := job.sides.Verify(ctx, &besides); err != nil {
		return report, err
	}
	others, err := job.sides.Compare(ctx)
	if err != nil {
		return report, err
	}
	for _, d := range others {
		report.Entries += int64(max(d.Redis, d.Postgres))
		report.Differences += int64(d.Count())
		if d.OnlyRedis.Count+d.OnlyPostgres.Count > 0 {
			_, _ = fmt.Fprintf(c.stdout, "%s\tonly in Redis\t%s\tonly in Postgres\t%s\n", d.Kind, d.OnlyRedis, d.OnlyPostgres)
		}
	}
	report.Boards += besides.Boards
	report.Entries += besides.Entries
	report.Differences += besides.Differences
	_, _ = fmt.Fprintf(c.stderr, "lbctl: %s entries of %s boards compared, %s differences\n",
		progress.Count(report.Entries), progress.Count(int64(report.Boards)), progress.Count(report.Differences))
	return report, nil
}
