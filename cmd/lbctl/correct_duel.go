package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/framedle/leaderboards/internal/feature/duel"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/product/jobs"
)

const ratingLong = `Sets the rating of PLAYER in duels and races, or changes it by a difference. The change
is stored like a duel, so it survives a loss of Redis. The report has the rating before,
and the command that undoes the correction.

If the rating changes during the correction, nothing is written; run it again. Nothing
happens if the player has no rating, or has this one already.
` + correctPlaces

// ratingReport is the report of lbctl rating.
type ratingReport struct {
	Player  string  `json:"player"`
	Before  float64 `json:"before"` // unrounded
	After   float64 `json:"after"`
	Changed bool    `json:"changed"`
	DryRun  bool    `json:"dry_run,omitempty"`
	Undo    string  `json:"undo,omitempty"` // command
}

func ratingCommand(c console) *cobra.Command {
	var f correctFlags
	cmd, flags := define("rating PLAYER --set RATING|--add POINTS --reason TEXT [flags]", "correct a rating", ratingLong, 1)
	f.add(flags)
	to := flags.Float64("set", 0, fmt.Sprintf("the correct `rating`, %d to %d", duel.LeastRating, duel.MostRating))
	by := flags.Float64("add", 0, "`points` to add to the rating; negative to subtract")
	return does(cmd, func(ctx context.Context, plain []string) (int, error) {
		if len(plain) < 1 {
			return statusFailed, errors.New("missing PLAYER")
		}
		var faults []string
		if flags.Changed("set") == flags.Changed("add") {
			faults = append(faults, "use either --set or --add")
		}
		job, err := f.open(ctx, c, plain[0], faults...)
		if err != nil {
			return statusFailed, err
		}
		duels := jobs.Duels(job.app, job.Archive)
		rating, rated, _, err := duels.StandingOf(ctx, plain[0])
		if err == nil && !rated {
			err = duel.ErrUnrated
		}
		if err != nil {
			return statusFailed, err
		}
		report := ratingReport{Player: plain[0], Before: rating, After: *to, DryRun: f.dryRun}
		if flags.Changed("add") {
			report.After = rating + *by
		}
		if !(report.After >= duel.LeastRating && report.After <= duel.MostRating) { // NaN, too
			return statusFailed, fmt.Errorf("a rating of %g is out of range; use %d to %d", report.After, duel.LeastRating, duel.MostRating)
		}
		if report.Changed = report.After != report.Before; report.Changed {
			report.Undo = fmt.Sprintf("lbctl rating %s --set %s --reason …", report.Player, game.FormatStored(rating))
		}
		if !report.Changed || f.dryRun {
			return statusGood, writeJSON(c, report)
		}
		var late error // the rating is corrected, and not in Postgres yet
		about := map[string]any{"before": report.Before, "after": report.After, "reason": f.reason}
		err = job.noted(ctx, "correct_rating", report.Player, about, func() error {
			change, err := duels.Correct(ctx, report.Player, rating, report.After)
			if change == (duel.RatingChange{}) {
				return err
			}
			report.After, late = change.After, err
			return nil
		})
		if err != nil {
			return statusFailed, err
		}
		if err := writeJSON(c, report); err != nil || late != nil {
			return statusFailed, errors.Join(late, err)
		}
		return statusGood, nil
	})
}
