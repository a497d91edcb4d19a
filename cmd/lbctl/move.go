package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/framedle/leaderboards/internal/control"
	"github.com/framedle/leaderboards/internal/feature/move"
	"github.com/framedle/leaderboards/internal/lifecycle"
	"github.com/framedle/leaderboards/internal/platform/progress"
)

const moveLong = `Migrates to another, empty Redis: copies everything, with expiries and to the last bit
of each score, and then compares every key. The source, which is only read, is that of
$UPSTASH_REDIS_REST_URL and _TOKEN or of $REDIS_URL, the target that of
$UPSTASH_TARGET_REST_URL and _TOKEN or of $REDIS_TARGET_URL.

Writes must be stopped: turn maintenance mode on and wait until it is effective, or
deploy MAINTENANCE and use --stopped. With --live a first copy is made while writes
continue; a second, shorter run without it finishes the move. An interrupted run
continues when it is started again.

docs/operate/move.md has all steps, with Postgres and the way back.

Exit status: 0 moved, or copied with --live; 2 failed: do not use the target.
`

func moveCommand(c console) *cobra.Command {
	var f placeFlags
	cmd, flags := define("move [flags]", "migrate to another Redis", moveLong, 0)
	f.addGame(flags)
	live := flags.Bool("live", false, "copy while writes continue; finish with a run without it")
	stopped := flags.Bool("stopped", false, "assume that writes are stopped: MAINTENANCE is deployed, or no process runs")
	return does(cmd, func(ctx context.Context, _ []string) (int, error) {
		if *live && *stopped {
			return statusFailed, errors.New("use either --live or --stopped")
		}
		g, err := f.load(c)
		if err != nil {
			return statusFailed, err
		}
		from, err := redisFrom(ctx, c, deployed)
		if err != nil {
			return statusFailed, fmt.Errorf("the source: %w", err)
		}
		source, err := f.openOn(g, from, c)
		if err != nil {
			return statusFailed, err
		}
		to, err := redisFrom(ctx, c, target)
		if err != nil {
			return statusFailed, fmt.Errorf("the target: %w", err)
		}
		var mu sync.Mutex
		var at move.Progress
		o := move.Options{
			From: from, To: to, Source: deployed.host(c), Live: *live,
			Seen: func(p move.Progress) {
				mu.Lock()
				defer mu.Unlock()
				at = p
			},
		}
		if !*stopped {
			o.Quiet = quiet(source.Store(), time.Now)
		}
		stop := progress.Show(progress.Options{Out: c.stderr, Terminal: c.terminal}, func() progress.State {
			mu.Lock()
			defer mu.Unlock()
			return moveProgress(at)
		})
		did, err := move.Run(ctx, o)
		stop()
		if err != nil {
			if at.Keys > 0 {
				err = fmt.Errorf("%w (do not use the target yet; run the same command again to continue)", err)
			}
			return statusFailed, err
		}
		printMove(did, *live, from.Meter().Usage().Commands, to.Meter().Usage().Commands, c)
		return statusGood, nil
	})
}

// quiet returns an error if processes may still write, as far as Redis shows.
func quiet(store *lifecycle.Parts, now func() time.Time) func(context.Context) error {
	return func(ctx context.Context) error {
		m, on, err := store.Notices.Maintenance(ctx)
		if err != nil {
			return err
		}
		if !on {
			return errors.New("writes are accepted; run lbctl maintenance on first, or use --live, or --stopped where MAINTENANCE is deployed")
		}
		if noticed := m.Since.Add(control.NoticedWithin); now().Before(noticed) {
			return fmt.Errorf("some processes may still write: maintenance is effective everywhere by %s; run this again then, or use --live until then", noticed.UTC().Format(time.RFC3339))
		}
		return nil
	}
}

// moveProgress counts each of the two passes as a half.
func moveProgress(p move.Progress) progress.State {
	s := progress.State{Count: p.Keys, Unit: "keys copied"}
	if p.Total > 0 {
		s.Share = min(float64(p.Keys)/float64(p.Total), 1) / 2
	}
	if p.Comparing {
		s.Share, s.Unit = s.Share+0.5, "keys compared"
	}
	return s
}

func printMove(did move.Report, live bool, read, written int64, c console) {
	if len(did.Repaired) > 0 {
		some := did.Repaired[:min(len(did.Repaired), 5)]
		_, _ = fmt.Fprintf(c.stdout, "%s keys had changed and were copied again, such as %s\n", progress.Count(int64(len(did.Repaired))), strings.Join(some, ", "))
	}
	if did.Deleted > 0 {
		_, _ = fmt.Fprintf(c.stdout, "%s keys were no longer in the source and were deleted\n", progress.Count(did.Deleted))
	}
	end := "done; point the functions at the target, then end maintenance there"
	if live {
		end = "copied; switch maintenance on, and run lbctl move without --live to finish"
	}
	_, _ = fmt.Fprintf(c.stdout, "%s keys compared, %s entries written, %s commands in the source and %s in the target\n%s\n",
		progress.Count(did.Keys), progress.Count(did.Entries), progress.Count(read), progress.Count(written), end)
}
