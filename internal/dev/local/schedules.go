package local

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"time"

	"github.com/framedle/leaderboards/internal/platform/host"
	"github.com/framedle/leaderboards/internal/platform/template"
	"github.com/framedle/leaderboards/upstash"
)

// glance is how often the clock is read, in machine time. A set clock moves in small steps by
// itself, and timers stop while a computer sleeps, so a timer alone is not enough.
const glance = time.Second

// followSchedules fires every function when its schedule in template.yaml is due by the
// product's clock, until ctx ends. p.followers then waits for the last run.
//
// If the clock is set forward over due times, each schedule fires once, for its latest due
// time. If the clock is set backward, nothing fires until the next due time. Times that were
// due before the start do not fire.
func (p *Product) followSchedules(ctx context.Context, log io.Writer) {
	start, _ := p.Clock.watch()
	for _, f := range p.functions {
		for _, s := range f.schedules {
			p.followers.Go(func() {
				follow(ctx, p.Clock, start, s, func(due time.Time) { f.fire(ctx, due, log) })
			})
		}
	}
}

// follow calls fire for each due time, one after the other.
func follow(ctx context.Context, clock *Clock, last time.Time, s template.Expression, fire func(due time.Time)) {
	for {
		now, moved := clock.watch()
		due := latest(s, last, now)
		last = now
		if !due.IsZero() {
			fire(due)
			continue
		}
		wait := glance
		if next := s.Next(now); !next.IsZero() {
			wait = min(wait, next.Sub(now))
		}
		select {
		case <-ctx.Done():
			return
		case <-moved:
		case <-time.After(wait):
		}
	}
}

// latest is the last due time after one time and up to another, or zero. It searches backward
// in growing steps, so that a year takes no more work than a day.
func latest(s template.Expression, after, until time.Time) (due time.Time) {
	for back := time.Hour; due.IsZero() && after.Before(until); back *= 2 {
		from := until.Add(-back)
		if back <= 0 || from.Before(after) {
			from = after
		}
		for next := s.Next(from); !next.IsZero() && !next.After(until); next = s.Next(next) {
			due = next
		}
		if from.Equal(after) {
			break
		}
	}
	return due
}

// fire runs a function for the event that EventBridge would send, within the function's
// timeout, and logs the result.
func (f *function) fire(ctx context.Context, due time.Time, log io.Writer) {
	logger := slog.New(slog.NewJSONHandler(log, nil)).With(slog.String("function", f.name), slog.Time("due", due))
	f.running.Lock() // one run at a time
	defer f.running.Unlock()
	event, err := host.NewScheduledEvent(f.name, due)
	if err == nil {
		var result []byte
		if result, err = host.ScheduledAdapter(f.scheduled, log).Invoke(ctx, event); err == nil {
			logger.LogAttrs(ctx, slog.LevelInfo, "schedule fired", slog.Any("result", json.RawMessage(result)))
			return
		}
	}
	logger.LogAttrs(ctx, slog.LevelError, "schedule failed", slog.String("error", err.Error()))
}

// scheduled runs the function on its meter.
func (f *function) scheduled(ctx context.Context, at time.Time) (any, error) {
	ctx, cancel := context.WithTimeout(ctx, f.timeout)
	defer cancel()
	return f.run(upstash.WithMeter(ctx, &f.meter), at)
}
