package main

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/framedle/leaderboards/internal/control"
	"github.com/framedle/leaderboards/internal/lifecycle"
)

const maintenanceLong = `In maintenance mode boards can be read; writes get 503 with Retry-After, and
schedules are paused. The switch is in the Redis of $UPSTASH_REDIS_REST_URL and
_TOKEN, or of $REDIS_URL. It takes effect everywhere within 15 minutes, its end within a minute; to
stop writes at once, deploy MAINTENANCE instead. It ends by itself.

Exit status: 0 done, 2 failed.
`

func maintenanceCommand(c console) *cobra.Command {
	member := func(use, short string, change func(ctx context.Context, store *lifecycle.Parts) error) *cobra.Command {
		var f placeFlags
		cmd, flags := define(use, short, maintenanceLong, 0)
		f.addGame(flags)
		return does(cmd, func(ctx context.Context, _ []string) (int, error) {
			a, err := f.boards(ctx, c)
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
	on := member("on [flags]", "turn maintenance mode on", func(ctx context.Context, store *lifecycle.Parts) error {
		if last <= 0 || last > 7*24*time.Hour {
			return fmt.Errorf("--for %s: use a time up to 168h, such as 1h", last)
		}
		now := time.Now().UTC().Truncate(time.Second)
		_, err := store.Notices.Maintain(ctx, control.Maintenance{Since: now, Until: now.Add(last), Reason: reason})
		return err
	})
	on.Flags().DurationVar(&last, "for", time.Hour, "maximum `duration`, up to 168h")
	on.Flags().StringVar(&reason, "reason", "", "`reason` shown to callers")
	return family("maintenance", "turn maintenance mode on or off", maintenanceLong, on,
		member("off [flags]", "turn maintenance mode off", func(ctx context.Context, store *lifecycle.Parts) error { return store.Notices.EndMaintenance(ctx) }),
		member("status [flags]", "show whether maintenance mode is on", func(context.Context, *lifecycle.Parts) error { return nil }))
}

// tellMaintenance prints whether writes wait.
func tellMaintenance(ctx context.Context, store *lifecycle.Parts, c console) (int, error) {
	m, on, err := store.Notices.Maintenance(ctx)
	if err != nil {
		return statusFailed, err
	}
	if !on {
		_, _ = fmt.Fprintln(c.stdout, "off (effective everywhere within a minute)")
		return statusGood, nil
	}
	_, _ = fmt.Fprintf(c.stdout, "on since %s until %s; effective everywhere by %s\n",
		m.Since.Format(time.RFC3339), m.Until.Format(time.RFC3339), m.Since.Add(control.NoticedWithin).Format(time.RFC3339))
	return statusGood, nil
}
