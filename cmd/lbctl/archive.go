package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"

	"github.com/spf13/cobra"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lifecycle/closing"
	"github.com/framedle/leaderboards/internal/platform/progress"
)

const archiveLong = `Archives closed days that are in Redis and not in the archive, as after a loss of the
database, awards their badges, and archives the players' data: profiles, bans, claims,
memberships, friends and duels. cron-daily does the same by itself, for a part of the
players in each run. With --again, archived days are archived again: the given dates,
or all; players' data is left to a run without dates.

With --to, it keeps every closed board of the archive for years instead, as a Parquet
file in s3://bucket/prefix or a folder. Redis is not used. Existing files stay. A file
that differs from the archive is reported, or replaced with --replace, as after a
deletion.
` + historyPlaces + `
Exit status: 0 done, 1 files differ or Redis has no data of a date, 2 failed; the next
run continues.
`

func archiveCommand(c console) *cobra.Command {
	var f placeFlags
	cmd, flags := define("archive [flags] [DATE...]", "archive missing closed days", archiveLong, mostDates)
	f.add(flags)
	var cold coldFlags
	cold.add(flags)
	again := flags.Bool("again", false, "archive days again that are archived already")
	return does(cmd, func(ctx context.Context, plain []string) (int, error) {
		if cold.place != "" {
			if len(plain) > 0 || *again {
				return statusFailed, errors.New("--to takes no dates: use --first, --last and --modes")
			}
			return keepCold(ctx, f, cold, c)
		}
		if cold.asked() {
			return statusFailed, errors.New("--first, --last, --modes and --replace require --to")
		}
		if len(plain) > 0 && !*again {
			return statusFailed, errors.New("dates require --again")
		}
		job, err := f.open(ctx, c)
		if err != nil {
			return statusFailed, err
		}
		var o closing.RefillOptions
		for _, text := range plain {
			d, err := game.ParseDate(text)
			if err != nil {
				return statusFailed, err
			}
			o.Dates = append(o.Dates, d)
		}
		if *again && len(plain) == 0 {
			today := job.Game.Today(job.Now())
			for d := today; job.Store.DB.Alive(d); d = d.AddDays(-1) {
				o.Dates = append(o.Dates, d)
			}
		}
		var done, all atomic.Int64
		o.Step = func(n, of int) { done.Store(int64(n)); all.Store(int64(of)) }
		stop := progress.Show(progress.Options{Out: c.stderr, Terminal: c.terminal}, func() progress.State {
			return progress.State{Share: float64(done.Load()) / float64(max(1, all.Load())), Count: done.Load(), Unit: "days"}
		})
		days, err := job.Refill(ctx, o)
		var players []closing.Filled
		if err == nil && len(plain) == 0 {
			players, err = job.sides.Refill(ctx, closing.SidesOptions{All: true})
		}
		stop()
		report := []any{}
		for _, day := range days {
			report = append(report, day)
		}
		for _, kind := range players {
			report = append(report, kind)
		}
		if err := errors.Join(err, writeJSON(c, report)); err != nil {
			return statusFailed, err
		}
		status := statusGood
		for i, d := range o.Dates {
			if i < len(plain) && !slices.ContainsFunc(days, func(r closing.Refilled) bool { return r.Date == d.String() }) {
				_, _ = fmt.Fprintf(c.stderr, "%s: Redis has no closed board of this date, so nothing was archived: it has expired, no one played, or it is not closed yet\n", d)
				status = statusFaults
			}
		}
		return status, nil
	})
}

// mostDates is the largest number of days in one call: more than any board lives.
const mostDates = 400
