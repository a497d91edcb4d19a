package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/framedle/leaderboards/internal/control"
	"github.com/framedle/leaderboards/internal/game"
)

const closeLong = `Runs manually what the schedules do. close day closes every day whose grace period has
passed. close week, month and season complete the boards of the one that contains
DATE, or of the one that ended last, and store their snapshots. It is safe to repeat.

It is refused during maintenance, since its writes would be missing from a copy that
is being made; --force closes anyway. Rules that conflict with the stored data are
always refused: see lbctl game diff.
` + historyPlaces + `
Exit status: 0 done, 2 failed; the next run continues.
`

func closeCommand(c console) *cobra.Command {
	var f placeFlags
	cmd, flags := define("close [flags] day|week|month|season [DATE]", "close days, a week or a month, as the schedules do", closeLong, 2)
	f.add(flags)
	dryRun := flags.Bool("dry-run", false, "print what would be closed, without closing it")
	force := flags.Bool("force", false, "close even during maintenance")
	return does(cmd, func(ctx context.Context, plain []string) (int, error) {
		if len(plain) == 0 {
			return statusFailed, errors.New("missing argument: day, week, month or season")
		}
		job, err := f.open(ctx, c)
		if err != nil {
			return statusFailed, err
		}
		if *dryRun {
			return printUnclosed(ctx, job, c)
		}
		if err := mayClose(ctx, job, *force); err != nil {
			return statusFailed, err
		}
		var report any
		switch kind := plain[0]; {
		case kind == "day" && len(plain) == 1:
			report, err = job.Daily(ctx)
		case kind == "week" || kind == "month" || kind == "season":
			var p game.Period
			if p, err = closedPeriod(job, kind, plain[1:]); err == nil {
				report, err = job.Period(ctx, p)
			}
		case kind == "day":
			err = fmt.Errorf("unexpected argument %q: close day closes every day that is due", plain[1])
		default:
			err = fmt.Errorf("%q cannot be closed; use day, week, month or season", kind)
		}
		if report != nil {
			_ = writeJSON(c, report)
			err = errors.Join(err, job.note(ctx, "close", plain...))
		}
		if err != nil {
			return statusFailed, err
		}
		return statusGood, nil
	})
}

// mayClose returns why nothing may be closed now; nil: closing is allowed.
func mayClose(ctx context.Context, job *places, force bool) error {
	err := job.Store.Notices.MayWrite(ctx)
	if waits := (*control.MaintenanceError)(nil); errors.As(err, &waits) {
		if force {
			return nil
		}
		return fmt.Errorf("%w; the schedules close what is due when it ends, or use --force", err)
	}
	return err
}

// closedPeriod returns the week, month or season of a date, or the last one that ended.
func closedPeriod(job *places, kind string, date []string) (game.Period, error) {
	k, err := game.ParsePeriodKind(kind)
	if err != nil {
		return game.Period{}, err
	}
	if len(date) == 0 {
		p, ok := job.Game.LastClosed(k, job.Now())
		if !ok {
			return p, errors.New("no season is over")
		}
		return p, nil
	}
	d, err := game.ParseDate(date[0])
	if err != nil {
		return game.Period{}, err
	}
	p, ok := job.Game.PeriodOf(k, d)
	if !ok {
		return p, fmt.Errorf("%s is in no season of the game", d)
	}
	if !job.Game.Closed(p, job.Now()) {
		return p, fmt.Errorf("the %s %s is not over", kind, p.Key())
	}
	return p, nil
}

func printUnclosed(ctx context.Context, job *places, c console) (int, error) {
	view, err := job.Store.Rollup.Calendar.Survey(ctx)
	if err != nil {
		return statusFailed, err
	}
	days, err := job.Store.Rollup.Calendar.Unclosed(ctx, view)
	if err != nil {
		return statusFailed, err
	}
	for _, day := range days {
		names := make([]string, len(day.Modes))
		for i, m := range day.Modes {
			names[i] = m.Name
		}
		_, _ = fmt.Fprintf(c.stdout, "would close %s  %s\n", day.Date, strings.Join(names, " "))
	}
	if len(days) == 0 {
		_, _ = fmt.Fprintln(c.stdout, "nothing to close")
	}
	return statusGood, nil
}
