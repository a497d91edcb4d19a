package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/framedle/leaderboards/internal/feature/badge/badgestore"
	"github.com/framedle/leaderboards/internal/feature/duel"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/product/jobs"
)

const badgeGiveLong = `Gives PLAYER the badge BADGE, by its id in the game file. For a badge of ranks, --date
names the period. A player who has the badge keeps it as it is. It undoes lbctl badge take.
` + correctPlaces

const badgeTakeLong = `Takes the badge BADGE from PLAYER. No closing gives it again; one that was given by hand
may still be earned. lbctl badge give undoes it.
` + correctPlaces

const ratingLong = `Sets the rating of PLAYER in duels and races, or changes it by a difference. The change
is kept like a duel, so it survives a loss of Redis. The report has the rating before,
and the command that undoes the correction.

A rating that changes meanwhile is not corrected; look again. Nothing happens if the
player has no rating, or has this one.
` + correctPlaces

const correctPlaces = historyPlaces + `
Exit status: 0 done, or nothing to do; 2 failed: nothing was changed.
`

// correctFlags are the flags of commands that correct what a player has.
type correctFlags struct {
	placeFlags
	reason string
	dryRun bool
}

func (f *correctFlags) add(flags *pflag.FlagSet) {
	f.placeFlags.add(flags)
	flags.StringVar(&f.reason, "reason", "", "`reason`, for the audit log; required")
	flags.BoolVar(&f.dryRun, "dry-run", false, "print what would change; change nothing")
}

// mostReason is the length of a reason in characters, as of a ban's.
const mostReason = 500

// open opens the stores, and refuses what is wrong in the arguments, all at once.
func (f *correctFlags) open(ctx context.Context, c console, player string, faults ...string) (*places, error) {
	if err := game.ValidPlayer(player); err != nil {
		faults = append([]string{err.Error()}, faults...)
	}
	if n := utf8.RuneCountInString(f.reason); strings.TrimSpace(f.reason) == "" || n > mostReason || strings.ContainsRune(f.reason, 0) {
		faults = append(faults, fmt.Sprintf("--reason: say why, in up to %d characters", mostReason))
	}
	if len(faults) > 0 {
		return nil, errors.New(strings.Join(faults, "; "))
	}
	job, err := f.placeFlags.open(ctx, c)
	if err == nil && !f.dryRun {
		err = job.Store.Notices.MayWrite(ctx)
	}
	return job, err
}

// noted notes an act in the audit before it is done, so that none is done unnoted, and once more
// if it fails.
func (p *places) noted(ctx context.Context, action, player string, about map[string]any, act func() error) error {
	if err := p.noteOf(ctx, action, player, about); err != nil {
		return fmt.Errorf("%w; nothing was changed", err)
	}
	err := act()
	if err != nil {
		err = errors.Join(err, p.noteOf(context.WithoutCancel(ctx), action+"_failed", player, map[string]any{"error": err.Error()}))
	}
	return err
}

// badgeReport is the report of lbctl badge.
type badgeReport struct {
	Player  string          `json:"player"`
	Badge   string          `json:"badge"`
	Period  string          `json:"period_key,omitempty"`
	Before  badgestore.Held `json:"before"`
	Changed bool            `json:"changed"`
	DryRun  bool            `json:"dry_run,omitempty"`
}

func badgeCommand(c console) *cobra.Command {
	return family("badge", "give a badge, or take it", "",
		badgeChange(c, "give", "give a player a badge", badgeGiveLong, "give_badge", func(is badgestore.Held) bool { return is == badgestore.IsHeld }, badgestore.Table.GiveByHand),
		badgeChange(c, "take", "take a badge from a player", badgeTakeLong, "take_badge", func(is badgestore.Held) bool { return is != badgestore.IsHeld }, badgestore.Table.TakeByHand))
}

// badgeChange makes a command that changes what a player has of a badge, unless it is what the
// command makes of it.
func badgeChange(c console, name, short, long, action string, settled func(badgestore.Held) bool, change func(badgestore.Table, context.Context, badgestore.Given, time.Time) error) *cobra.Command {
	var f correctFlags
	cmd, flags := define(name+" PLAYER BADGE --reason TEXT [flags]", short, long, 2)
	f.add(flags)
	date := flags.String("date", "", "`date` on which it counts as earned, or of its period (default today)")
	return does(cmd, func(ctx context.Context, plain []string) (int, error) {
		if len(plain) < 2 {
			return statusFailed, errors.New("missing PLAYER and BADGE")
		}
		var faults []string
		day, err := game.ParseDate(*date)
		if *date != "" && err != nil {
			faults = append(faults, "--date: "+err.Error())
		}
		job, err := f.open(ctx, c, plain[0], faults...)
		if err != nil {
			return statusFailed, err
		}
		rule, ok := job.Game.Badges.Rule(plain[1])
		if !ok {
			return statusFailed, fmt.Errorf("the game %s has no badge %.40q; it has %s", job.Game.Name, plain[1], strings.Join(job.Game.Badges.IDs(), ", "))
		}
		now := job.Now()
		today := game.DateOf(now)
		if *date == "" {
			day = today
		} else if day.After(today) {
			return statusFailed, fmt.Errorf("--date %s is in the future; use a date up to %s", day, today)
		}
		table, b := badgestore.In(job.Archive), badgestore.Given{Player: plain[0], Badge: rule.ByHand(day)}
		report := badgeReport{Player: b.Player, Badge: b.Rule, Period: b.Key, DryRun: f.dryRun}
		if report.Before, err = table.Held(ctx, b); err != nil {
			return statusFailed, err
		}
		report.Changed = !settled(report.Before)
		if report.Changed && !f.dryRun {
			about := map[string]any{"badge": b.Rule, "period_key": b.Key, "before": report.Before, "reason": f.reason}
			if err := job.noted(ctx, action, b.Player, about, func() error { return change(table, ctx, b, now) }); err != nil {
				return statusFailed, err
			}
		}
		return statusGood, writeJSON(c, report)
	})
}

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
	to := flags.Float64("set", 0, fmt.Sprintf("the right `rating`, %d to %d", duel.LeastRating, duel.MostRating))
	by := flags.Float64("add", 0, "`points` to add to the rating, or with - to take")
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
			if change == (game.RatingChange{}) {
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
