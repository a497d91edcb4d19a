package usage

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/upstash"
)

const (
	// lateDays is for how many days after its own a day's counters are drained
	// again: a process writes a day that is over when it is called next.
	lateDays = 3
	// How long a day's counters stay in Redis, in days: until they are surely in
	// the archive, or without one as long as they may be asked for there.
	drainedDays = 8
	aloneDays   = 40
)

// Day is what one day cost, by function.
type Day struct {
	Date       game.Date
	ByFunction map[string]Count
	Check      *Check // nil: Upstash's figure is not known
}

// Total is the day's sum.
func (d Day) Total() Count {
	var total Count
	for _, c := range d.ByFunction {
		total.Add(c)
	}
	return total
}

// Archive keeps days for good.
type Archive interface {
	// KeepUsage writes days whole: what is there of the same day and function is
	// replaced, unless it says more.
	KeepUsage(ctx context.Context, days []Day) error
	// UsageDays are the days from from to to that have anything, oldest first.
	UsageDays(ctx context.Context, from, to game.Date) ([]Day, error)
	// KeepChecks writes both figures of days, in place of those known before.
	KeepChecks(ctx context.Context, checks []Check) error
	// Checks are those of the days from from to to.
	Checks(ctx context.Context, from, to game.Date) ([]Check, error)
}

// Ledger reads the counters of every process.
type Ledger struct {
	redis   *upstash.Client
	archive Archive
}

// NewLedger makes a Ledger. Without an archive (nil), Redis keeps 40 days.
func NewLedger(redis *upstash.Client, archive Archive) *Ledger { return &Ledger{redis, archive} }

// Days are all days from from to to, which is today, oldest first; those of which
// nothing is known have no functions.
//
// Cost: 1 round trip, and 1 billed command for each of the last 4 days, or of the
// last 40 without an archive; 2 queries with one.
func (l *Ledger) Days(ctx context.Context, from, to game.Date) ([]Day, error) {
	all := make([]Day, 0, to.DaysSince(from)+1)
	for d := from; !d.After(to); d = d.AddDays(1) {
		all = append(all, Day{Date: d, ByFunction: map[string]Count{}})
	}
	fresh := to.AddDays(-aloneDays)
	if l.archive != nil {
		fresh = to.AddDays(-lateDays)
		kept, err := l.archive.UsageDays(ctx, from, to)
		if err != nil {
			return nil, fmt.Errorf("read the archive's usage: %w", err)
		}
		for _, d := range kept {
			all[d.Date.DaysSince(from)] = d
		}
		checks, err := l.archive.Checks(ctx, from, to)
		if err != nil {
			return nil, fmt.Errorf("read Upstash's figures in the archive: %w", err)
		}
		for _, c := range checks {
			all[c.Date.DaysSince(from)].Check = &c
		}
	}
	if fresh.Before(from) {
		fresh = from
	}
	counted, err := l.read(ctx, fresh, to)
	if err != nil {
		return nil, err
	}
	for _, d := range counted {
		if len(d.ByFunction) > 0 {
			all[d.Date.DaysSince(from)].ByFunction = d.ByFunction
		}
	}
	return all, nil
}

// Drain moves the last 3 days that are over into the archive, and sees to it that
// Redis forgets them. It may run any number of times.
//
// Cost: 2 round trips, at most 6 billed commands, 1 query.
func (l *Ledger) Drain(ctx context.Context, today game.Date) error {
	days, err := l.read(ctx, today.AddDays(-lateDays), today.AddDays(-1))
	if err != nil {
		return err
	}
	stay := aloneDays
	var counted []Day
	for _, d := range days {
		if len(d.ByFunction) > 0 {
			counted = append(counted, d)
		}
	}
	if l.archive != nil && len(counted) > 0 {
		stay = drainedDays
		if err := l.archive.KeepUsage(ctx, counted); err != nil {
			return fmt.Errorf("archive the usage of days: %w", err)
		}
	}
	var forget []upstash.Command
	for _, d := range counted {
		at := d.Date.AddDays(stay).Midnight().Unix()
		forget = append(forget, upstash.Cmd("EXPIREAT", Key(d.Date), strconv.FormatInt(at, 10)).Idempotent())
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

func (l *Ledger) read(ctx context.Context, from, to game.Date) ([]Day, error) {
	var commands []upstash.Command
	for d := from; !d.After(to); d = d.AddDays(1) {
		commands = append(commands, upstash.Cmd("HGETALL", Key(d)))
	}
	result, err := l.redis.Pipeline(ctx, commands...)
	if err == nil {
		err = result.Err()
	}
	if err != nil {
		return nil, fmt.Errorf("read the usage of days: %w", err)
	}
	days := make([]Day, len(commands))
	for i := range days {
		d := Day{Date: from.AddDays(i), ByFunction: map[string]Count{}}
		texts, err := result.Replies[i].Strings()
		if err != nil {
			return nil, fmt.Errorf("read the usage of %s: %w", d.Date, err)
		}
		for j := 0; j+1 < len(texts); j += 2 {
			function, _, _ := strings.Cut(texts[j], ":")
			counted, err := ParseCount(texts[j+1])
			if err != nil {
				return nil, fmt.Errorf("read the usage of %s: %w", d.Date, err)
			}
			sum := d.ByFunction[function]
			sum.Add(counted)
			d.ByFunction[function] = sum
		}
		days[i] = d
	}
	return days, nil
}
