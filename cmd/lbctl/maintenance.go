package main

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/framedle/leaderboards/internal/control"
	"github.com/framedle/leaderboards/internal/product/standings"
)

const maintenanceLong = `Has writes wait while everything can be read: they answer 503 with Retry-After, and
schedules do nothing. It is kept in the Redis of $UPSTASH_REDIS_REST_URL and
_TOKEN. Every process has noticed after 15 minutes, and of the end within a minute;
to stop at once deploy MAINTENANCE instead. It ends by itself.

Exit status: 0 done, 2 failed.
`

func maintenanceCommand(c console) *cobra.Command {
	member := func(use, short string, change func(ctx context.Context, store *standings.Parts) error) *cobra.Command {
		var f placeFlags
		cmd, flags := define(use, short, maintenanceLong, 0)
		f.addGame(flags)
		return does(cmd, func(ctx context.Context, _ []string) (int, error) {
			a, err := f.boards(c)
			if err != nil {
				return statusFailed, err
			}
			if err := change(ctx, a.Store()); err != nil {
				return statusFailed, err
			}
			return tellMaintenance(ctx, a.Store(), c)
		})
	}
	var last time.Duration
	var reason string
	on := member("on [flags]", "have writes wait", func(ctx context.Context, store *standings.Parts) error {
		if last <= 0 || last > 7*24*time.Hour {
			return fmt.Errorf("--for %s: use a time up to 168h, such as 1h", last)
		}
		now := time.Now().UTC().Truncate(time.Second)
		_, err := store.Notices.Maintain(ctx, control.Maintenance{Since: now, Until: now.Add(last), Reason: reason})
		return err
	})
	on.Flags().DurationVar(&last, "for", time.Hour, "how `long` it lasts unless it is ended, at most 168h")
	on.Flags().StringVar(&reason, "reason", "", "`text` that callers get")
	return family("maintenance", "have writes wait, and let them in again", "", on,
		member("off [flags]", "take writes again", func(ctx context.Context, store *standings.Parts) error { return store.Notices.EndMaintenance(ctx) }),
		member("status [flags]", "say whether writes wait", func(context.Context, *standings.Parts) error { return nil }))
}

// tellMaintenance prints whether writes wait.
func tellMaintenance(ctx context.Context, store *standings.Parts, c console) (int, error) {
	m, on, err := store.Notices.Maintenance(ctx)
	if err != nil {
		return statusFailed, err
	}
	if !on {
		_, _ = fmt.Fprintln(c.stdout, "off: writes are taken, everywhere within a minute")
		return statusGood, nil
	}
	_, _ = fmt.Fprintf(c.stdout, "on since %s until %s; every process has noticed at %s\n",
		m.Since.Format(time.RFC3339), m.Until.Format(time.RFC3339), m.Since.Add(control.NoticedWithin).Format(time.RFC3339))
	return statusGood, nil
}
