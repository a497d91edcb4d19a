package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/framedle/leaderboards/internal/notices"
)

const maintenanceUsage = `Usage: lbctl maintenance on|off|status [flags]

Has writes wait while everything can be read: they answer 503 with Retry-After, and
schedules do nothing. It is kept in the Redis of $UPSTASH_REDIS_REST_URL and
_TOKEN. Every process has noticed after 15 minutes, and of the end within a minute;
to stop at once deploy MAINTENANCE instead. It ends by itself.

Exit status: 0 done, 2 failed.

Flags:
`

func runMaintenance(ctx context.Context, args []string, c console) (int, error) {
	var f placeFlags
	flags := flagsOf("maintenance", maintenanceUsage, c)
	f.addGame(flags)
	last := flags.Duration("for", time.Hour, "how `long` it lasts unless it is ended, at most 168h")
	reason := flags.String("reason", "", "`what` callers are told")
	words, err := parse(flags, args, 1)
	if err != nil {
		return statusFailed, err
	}
	if *last <= 0 || *last > 7*24*time.Hour {
		return statusFailed, fmt.Errorf("-for %s: use a time up to 168h, such as 1h", *last)
	}
	a, err := f.boards(c)
	if err != nil {
		return statusFailed, err
	}
	store := a.Store()
	switch cmp.Or(append(words, "")...) {
	case "on":
		now := time.Now().UTC().Truncate(time.Second)
		if _, err := store.Notices.Maintain(ctx, notices.Maintenance{Since: now, Until: now.Add(*last), Reason: *reason}); err != nil {
			return statusFailed, err
		}
	case "off":
		if err := store.Notices.EndMaintenance(ctx); err != nil {
			return statusFailed, err
		}
	case "status":
	default:
		return statusFailed, errors.New("use lbctl maintenance on, off or status")
	}
	m, on, err := store.Notices.Maintenance(ctx)
	if err != nil {
		return statusFailed, err
	}
	if !on {
		_, _ = fmt.Fprintln(c.stdout, "off: writes are taken, everywhere within a minute")
		return statusGood, nil
	}
	_, _ = fmt.Fprintf(c.stdout, "on since %s until %s; every process has noticed at %s\n",
		m.Since.Format(time.RFC3339), m.Until.Format(time.RFC3339), m.Since.Add(notices.NoticedWithin).Format(time.RFC3339))
	return statusGood, nil
}
