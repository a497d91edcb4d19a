package usage

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/upstash"
)

// Drain writes the last 3 days that are over to the archive. In Redis it sets the expiry of
// their counters. It may run any number of times.
//
// Cost: 2 round trips; 3 billed commands, and 2 for each day that it has not seen
// before; 2 queries.
func (l *Ledger) Drain(ctx context.Context, today game.Date) error {
	days, err := l.read(ctx, today.AddDays(-lateDays), today.AddDays(-1))
	if err != nil {
		return err
	}
	days = slices.DeleteFunc(days, func(d counted) bool { return len(d.ByFunction) == 0 })
	stay := aloneDays
	if l.archive != nil && len(days) > 0 {
		stay = drainedDays
		whole := make([]Day, len(days))
		for i, d := range days {
			whole[i] = d.Day
		}
		if err := l.archive.KeepUsage(ctx, whole); err != nil {
			return fmt.Errorf("archive the usage of days: %w", err)
		}
	}
	var forget []upstash.Command
	for _, d := range days {
		// The expiry comes before drainedField, so that no hash has the field without an expiry.
		if !d.drained {
			at := d.Date.AddDays(stay).Midnight().Unix()
			forget = append(forget, upstash.Cmd("EXPIREAT", Key(d.Date), strconv.FormatInt(at, 10)).Idempotent(),
				upstash.Cmd("HSET", Key(d.Date), drainedField, Count{}.String()).Idempotent()) // versions before read it as a count
		}
	}
	result, err := l.redis.Pipeline(ctx, forget...)
	if err == nil {
		err = result.Err()
	}
	if err != nil {
		return fmt.Errorf("have Redis forget the usage of days: %w", err)
	}
	return nil
}
