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

const settleLong = `Settles the week of leagues that contains DATE, or the one that ended last, by what the
history has now, whether or not it was settled before: as when a day that was lost has
come back, or a cheater was banned later. It prints how many players have a place, how
many of them a result that is new or another, and under left_out the days that were
lost: their boards left Redis before they were archived as they closed, and what was
saved of them counts.

Cohorts stay, and so do those of later weeks and their results: only who has no place
in a later week yet goes on from the tier that the new result gives.

A week is refused while an earlier one is not settled, while maintenance is on, and
while days of it may still come: close and archive them first (lbctl close day, lbctl
archive), or use --force. It may be repeated.
` + historyPlaces + `
Exit status: 0 done, 1 days were left out, 2 failed: nothing was changed.
`

// settledAgain is the report of lbctl settle.
type settledAgain struct {
	league.Settled
	Changed int `json:"changed"`
}

func settleCommand(c console) *cobra.Command {
	var f placeFlags
	var o league.Again
	cmd, flags := define("settle [flags] [DATE]", "settle a week of leagues again, by what the history has now", settleLong, 1)
	f.add(flags)
	flags.BoolVar(&o.DryRun, "dry-run", false, "tell what would change; change nothing")
	flags.BoolVar(&o.Force, "force", false, "settle though days may still come, or maintenance is on")
	return does(cmd, func(ctx context.Context, plain []string) (int, error) {
		job, err := f.open(ctx, c)
		if err != nil {
			return statusFailed, err
		}
		if job.Game.Leagues == nil {
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
		report.Settled, report.Changed, err = jobs.Settler(job.Closing).Again(ctx, week, o)
		if err == nil && !o.DryRun {
			err = job.note(ctx, "settle", week.Key())
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
