package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/framedle/leaderboards/internal/feature/clerk"
	"github.com/framedle/leaderboards/internal/platform/progress"
	"github.com/framedle/leaderboards/internal/product/jobs"
	"github.com/framedle/leaderboards/upstash"
)

const syncPlayersLong = `Imports all users and organization memberships of a Clerk instance: names, pictures,
countries and groups. Run it once, for an app that already has users, or after
webhooks were lost; later changes come by webhook. Players who are not in Clerk are
unchanged, and no one is removed from a group.

Clerk's secret key is taken from $CLERK_SECRET_KEY only, and used only for reading. The
checkpoint file records progress: after an interruption, continue with --resume.
Running again from the beginning is harmless.
` + historyPlaces + `Without a database they are written to Redis only.

Exit status: 0 done, 1 some users or memberships cannot be imported, 2 failed;
what was imported stays.
`

type syncFlags struct {
	placeFlags
	state          string
	resume, dryRun bool
	api            string
}

func syncPlayersCommand(c console) *cobra.Command {
	var f syncFlags
	cmd, flags := define("sync-players [flags]", "import users and organizations from Clerk", syncPlayersLong, 0)
	f.add(flags)
	flags.StringVar(&f.state, "state", "sync-players.json", "checkpoint `file`, deleted on success")
	flags.BoolVar(&f.resume, "resume", false, "resume from the checkpoint")
	flags.BoolVar(&f.dryRun, "dry-run", false, "read and compare; change nothing")
	flags.StringVar(&f.api, "clerk-api", "", "`address` of Clerk's Backend API (default Clerk's own)")
	return does(cmd, func(ctx context.Context, _ []string) (int, error) {
		from, err := f.begin()
		if err != nil {
			return statusFailed, err
		}
		redis, roster, err := f.roster(ctx, c)
		if err != nil {
			return statusFailed, err
		}
		var mu sync.Mutex
		at := from
		stop := progress.Show(progress.Options{Out: c.stderr, Terminal: c.terminal}, func() progress.State {
			mu.Lock()
			defer mu.Unlock()
			return syncProgress(at, from)
		})
		report, err := clerk.Sync(ctx, clerk.Options{
			URL: f.api, Key: c.getenv("CLERK_SECRET_KEY"), Roster: roster, DryRun: f.dryRun, From: from,
			Saved: func(s clerk.State) error {
				mu.Lock()
				at = s
				mu.Unlock()
				return f.note(s)
			},
			Waiting: func(why string, wait time.Duration) { c.notice(fmt.Sprintf("%s; continuing in %s", why, wait)) },
		})
		stop()
		if err != nil {
			if at.Report.Users > 0 && !f.dryRun {
				err = fmt.Errorf("%w (%s users were read; continue with --resume)", err, progress.Count(at.Report.Users))
			}
			return statusFailed, err
		}
		if err := f.forget(); err != nil {
			return statusFailed, err
		}
		return printSync(report, f.dryRun, redis.Meter().Usage().Commands, c), nil
	})
}

// roster makes the Roster that takes players in, as the function webhook does.
func (f *syncFlags) roster(ctx context.Context, c console) (*upstash.Client, clerk.Target, error) {
	a, err := f.boards(ctx, c)
	if err != nil {
		return nil, nil, err
	}
	history, err := f.placeFlags.history(c)
	if err != nil {
		return nil, nil, err
	}
	return a.Redis(), jobs.Roster(a, history), nil
}

// begin returns the State to begin from.
func (f *syncFlags) begin() (from clerk.State, err error) {
	data, err := os.ReadFile(f.state)
	switch {
	case errors.Is(err, fs.ErrNotExist) && f.resume:
		return from, fmt.Errorf("there is no checkpoint %s; run without --resume", f.state)
	case errors.Is(err, fs.ErrNotExist), f.dryRun && !f.resume:
		return from, nil
	case err != nil:
		return from, err
	case !f.resume:
		return from, fmt.Errorf("%s is from an interrupted run: use --resume, or delete it to start over", f.state)
	}
	if err := json.Unmarshal(data, &from); err != nil {
		return from, fmt.Errorf("%s is not a checkpoint of sync-players: %w", f.state, err)
	}
	return from, nil
}

// note replaces the state file in one atomic step.
func (f *syncFlags) note(s clerk.State) error {
	if f.dryRun {
		return nil
	}
	data, err := json.Marshal(s)
	if err != nil {
		return err
	}
	next := filepath.Join(filepath.Dir(f.state), "."+filepath.Base(f.state)+".next")
	if err := os.WriteFile(next, data, 0o600); err != nil {
		return err
	}
	return os.Rename(next, f.state)
}

func (f *syncFlags) forget() error {
	if f.dryRun {
		return nil
	}
	if err := os.Remove(f.state); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

func syncProgress(at, from clerk.State) progress.State {
	r := at.Report
	read := r.Users + r.Memberships
	s := progress.State{Count: read - from.Report.Users - from.Report.Memberships, Unit: "read", Note: fmt.Sprintf("%s users and %s memberships", progress.Count(r.Users), progress.Count(r.Memberships))}
	if all := r.Total + r.TotalMemberships; all > 0 {
		s.Share = min(1, float64(read)/float64(all))
	}
	return s
}

func printSync(r clerk.Report, dryRun bool, commands int64, c console) int {
	changed := "changed"
	if dryRun {
		changed = "would change"
	}
	_, _ = fmt.Fprintf(c.stdout, "users          %s read, %s %s\n", progress.Count(r.Users), progress.Count(r.Changed), changed)
	if r.NoOrganizations {
		_, _ = fmt.Fprintln(c.stdout, "memberships    the instance has no organizations")
	} else {
		_, _ = fmt.Fprintf(c.stdout, "memberships    %s read\n", progress.Count(r.Memberships))
	}
	_, _ = fmt.Fprintf(c.stdout, "redis          %s commands in this run\n", progress.Count(commands))
	if r.UnusableCount == 0 {
		return statusGood
	}
	_, _ = fmt.Fprintf(c.stdout, "invalid        %s, such as %v: not valid as ids of players or groups\n", progress.Count(r.UnusableCount), r.Unusable)
	return statusFaults
}
