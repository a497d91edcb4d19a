package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/framedle/leaderboards/internal/feature/league"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/product/jobs"
)

const settleLong = `Settles the week of leagues that contains DATE, or the one that ended last, again from
the archive, for example when a lost day was restored or a cheater was banned later. It
prints how many players have a place, how many results are new or changed, and under
left_out the days that were lost: their boards expired before they were archived as they
closed, and only what was saved of them counts.

Cohorts stay, and so do cohorts and results of later weeks; only players without a place
in a later week continue from the tier of the new result.

A week is refused while an earlier one is not settled, during maintenance, and while
days of it may be missing: close and archive them first (lbctl close day, lbctl
archive), or use --force. It is safe to repeat.
` + historyPlaces + `
Exit status: 0 done, 1 days were left out, 2 failed: nothing was changed.
`

// settledAgain is the report of lbctl settle.
type settledAgain struct {
	league.SettleReport
	Changed int `json:"changed"`
}

func settleCommand(c console) *cobra.Command {
	var f placeFlags
	var o league.ResettleOptions
	cmd, flags := define("settle [flags] [DATE]", "settle a week of leagues again from the archive", settleLong, 1)
	f.add(flags)
	flags.BoolVar(&o.DryRun, "dry-run", false, "print what would change; change nothing")
	flags.BoolVar(&o.Force, "force", false, "settle even if days may be missing, or during maintenance")
	return does(cmd, func(ctx context.Context, plain []string) (int, error) {
		job, err := f.open(ctx, c)
		if err != nil {
			return statusFailed, err
		}
		if league.RulesOf(job.Game) == nil {
			return statusFailed, fmt.Errorf("the game %s has no leagues", job.Game.Name)
		}
		week, err := closedPeriod(job, game.Week.String(), plain)
		if err != nil {
			return statusFailed, err
		}
		if !o.DryRun {
			if err := mayClose(ctx, job, o.Force); err != nil {
				return statusFailed, err
			}
		}
		report := settledAgain{}
		report.SettleReport, report.Changed, err = jobs.Settler(job.Closing).Resettle(ctx, week, o)
		if err == nil && !o.DryRun {
			err = job.note(ctx, "settle", week.Key(), fmt.Sprintf("%d of %d results changed", report.Changed, report.Players))
		}
		switch {
		case errors.Is(err, league.ErrOpen):
			return statusFailed, fmt.Errorf("%w: run lbctl close day and lbctl archive first; --force settles without it", err)
		case err != nil:
			return statusFailed, err
		}
		status := statusGood
		if len(report.LeftOut) > 0 {
			status = statusFaults
		}
		return status, writeJSON(c, report)
	})
}
