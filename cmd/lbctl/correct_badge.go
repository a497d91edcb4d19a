package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/framedle/leaderboards/internal/feature/badge"
	"github.com/framedle/leaderboards/internal/feature/badge/badgestore"
	"github.com/framedle/leaderboards/internal/game"
)

const badgeGiveLong = `Awards PLAYER the badge BADGE, by its id in the game file. For a badge of ranks, --date
names the period. If the player has the badge already, it is left unchanged. It undoes
lbctl badge take.
` + correctPlaces

const badgeTakeLong = `Revokes the badge BADGE of PLAYER. No closing awards it again, but one that was awarded
manually can still be earned. lbctl badge give undoes it.
` + correctPlaces

// badgeReport is the report of lbctl badge.
type badgeReport struct {
	Player  string                `json:"player"`
	Badge   string                `json:"badge"`
	Period  string                `json:"period_key,omitempty"`
	Before  badgestore.BadgeState `json:"before"`
	Changed bool                  `json:"changed"`
	DryRun  bool                  `json:"dry_run,omitempty"`
}

func badgeCommand(c console) *cobra.Command {
	return family("badge", "award or revoke a badge", "",
		badgeChange(c, "give", "award a badge to a player", badgeGiveLong, "give_badge", func(is badgestore.BadgeState) bool { return is == badgestore.IsHeld }, badgestore.Table.GiveByHand),
		badgeChange(c, "take", "revoke a player's badge", badgeTakeLong, "take_badge", func(is badgestore.BadgeState) bool { return is != badgestore.IsHeld }, badgestore.Table.TakeByHand))
}

// badgeChange makes a command that changes what a player has of a badge, unless it is what the
// command makes of it.
func badgeChange(c console, name, short, long, action string, settled func(badgestore.BadgeState) bool, change func(badgestore.Table, context.Context, badgestore.PlayerBadge, time.Time) error) *cobra.Command {
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
		rule, ok := badge.RulesOf(job.Game).Rule(plain[1])
		if !ok {
			return statusFailed, fmt.Errorf("the game %s has no badge %.40q; it has %s", job.Game.Name, plain[1], strings.Join(badge.RulesOf(job.Game).IDs(), ", "))
		}
		now := job.Now()
		today := game.DateOf(now)
		if *date == "" {
			day = today
		} else if day.After(today) {
			return statusFailed, fmt.Errorf("--date %s is in the future; use a date up to %s", day, today)
		}
		table, b := badgestore.In(job.Archive), badgestore.PlayerBadge{Player: plain[0], Badge: rule.ByHand(day)}
		report := badgeReport{Player: b.Player, Badge: b.Rule, Period: b.Key, DryRun: f.dryRun}
		if report.Before, err = table.State(ctx, b); err != nil {
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
