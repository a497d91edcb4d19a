package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/spf13/pflag"

	"github.com/framedle/leaderboards/internal/game"
)

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
