package usage

import (
	"context"
	"fmt"
	"slices"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/upstash"
)

const (
	// lateDays is for how many days after its end a day is drained: a process may write its
	// last counts of the day only when it is called next.
	lateDays = 3
	// How many days a day's counters stay in Redis: with an archive, and without one, when
	// only Redis has them.
	drainedDays = 8
	aloneDays   = 40
)

// Day is what one day cost.
type Day struct {
	Date       game.Date
	ByFunction map[string]Count
	Parts      map[Part]Count // they add up to ByFunction; nil: not read yet, see [Ledger.Detail]
	Outcomes   bool           // Parts also say how many calls failed or were throttled; the archive's do not
	// Lambda is what AWS bills, by function; nil: not known. The archive does not have it.
	Lambda map[string]Lambda
	Check  *Check // nil: Upstash's figure is not known
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
	// KeepUsage writes days and their parts. They replace what the archive has of the same day
	// and function, unless that has more.
	KeepUsage(ctx context.Context, days []Day) error
	// UsageDays are the days between two dates, both included, that have counts: oldest first,
	// without their parts.
	UsageDays(ctx context.Context, from, to game.Date) ([]Day, error)
	// UsageParts are the parts of those days, with only calls, commands and round trips.
	UsageParts(ctx context.Context, from, to game.Date) (map[game.Date]map[Part]Count, error)
	// KeepChecks writes both figures of days, and replaces earlier ones.
	KeepChecks(ctx context.Context, checks []Check) error
	// Checks are those of the days between two dates, both included.
	Checks(ctx context.Context, from, to game.Date) ([]Check, error)
}

// Ledger reads the counters of all processes, from Redis and from the archive.
type Ledger struct {
	redis   *upstash.Client
	archive Archive
}

// NewLedger makes a Ledger. Without an archive (nil), it knows the 40 days that Redis keeps.
func NewLedger(redis *upstash.Client, archive Archive) *Ledger { return &Ledger{redis, archive} }

// Days are all days between two dates, both included, oldest first; to is today. Days without
// counts have no functions.
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
			d.Check = all[d.Date.DaysSince(from)].Check
			all[d.Date.DaysSince(from)] = d.Day
		}
	}
	return all, nil
}

// Detail gives parts to days that have none: those in the archive, else one part for each
// function, with an unknown route and caller.
//
// Cost: at most 1 query.
func (l *Ledger) Detail(ctx context.Context, days []Day) error {
	lacks := func(d Day) bool { return d.Parts == nil && len(d.ByFunction) > 0 }
	first := slices.IndexFunc(days, lacks)
	if first < 0 {
		return nil
	}
	var kept map[game.Date]map[Part]Count
	if l.archive != nil {
		var err error
		if kept, err = l.archive.UsageParts(ctx, days[first].Date, days[len(days)-1].Date); err != nil {
			return fmt.Errorf("read the archive's parts of usage: %w", err)
		}
	}
	for i := range days {
		if !lacks(days[i]) {
			continue
		}
		if days[i].Parts = kept[days[i].Date]; days[i].Parts == nil {
			days[i].Parts, days[i].Outcomes = map[Part]Count{}, true
			for function, c := range days[i].ByFunction {
				days[i].Parts[Part{function, Unknown, Unknown}] = c
			}
		}
	}
	return nil
}

func (l *Ledger) read(ctx context.Context, from, to game.Date) ([]counted, error) {
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
	days := make([]counted, len(commands))
	for i := range days {
		date := from.AddDays(i)
		texts, err := result.Replies[i].Strings()
		if err == nil {
			days[i], err = readDay(date, texts)
		}
		if err != nil {
			return nil, fmt.Errorf("read the usage of %s: %w", date, err)
		}
	}
	return days, nil
}
