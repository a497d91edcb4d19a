package usage

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/upstash"
)

// mostForgotten is how many records of callers one command overwrites, so that the request
// stays below a megabyte.
const mostForgotten = 5000

// Drain writes the last 3 days that are over to the archive. In Redis it sets the expiry of
// their counters, and overwrites their records of callers at once. It may run any number of
// times.
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
			forget = append(forget, upstash.Cmd("EXPIREAT", Key(d.Date), strconv.FormatInt(at, 10)).Idempotent())
			d.callers = append(d.callers, drainedField)
		}
		for fields := range slices.Chunk(d.callers, mostForgotten) {
			command := []string{"HSET", Key(d.Date)}
			for _, field := range fields {
				command = append(command, field, forgotten)
			}
			forget = append(forget, upstash.Cmd(command...).Idempotent())
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
