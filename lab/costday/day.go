package costday

import (
	"context"
	"fmt"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/lab/stage"
	"github.com/framedle/leaderboards/upstash"
)

// Day is what one day cost.
type Day struct {
	Name string // "evenly", "one process, evenly", "queue mode, 20 s, evenly", "founding record"
	Setting
	Players int
	Routes  map[string]Count // by route; for schedules the name of the function
	Counted upstash.Usage    // by all clients' meters
	Ran     map[string]int64 // by Redis, by lower-case name
	Started map[string]int   // number of environments, by function
	// Weekly is what one run of the weekly schedule cost; a seventh of it counts for each
	// day. Routes of the day on which the schedule fell also includes it.
	Weekly Count
	// Keeps is what Redis stores after the day. Only the last day has it, if the
	// options ask for it.
	Keeps Keeps
}

const daysOfWeek = 7

// Of is what the given routes cost, in billed commands per player and day.
func (d Day) Of(routes ...string) float64 {
	commands := 0.0
	for _, route := range routes {
		if route == cronWeekly {
			commands += float64(d.Weekly.Commands) / daysOfWeek
		} else {
			commands += float64(d.Routes[route].Commands)
		}
	}
	return commands / float64(d.Players)
}

// PerPlayer is what a player costs a day, in billed commands.
func (d Day) PerPlayer() float64 {
	return d.average(func(c Count) int64 { return c.Commands })
}

// Bytes is what a player costs a day in bytes, in both directions.
func (d Day) Bytes() float64 {
	return d.average(func(c Count) int64 { return c.Sent + c.Received })
}

func (d Day) average(of func(Count) int64) float64 {
	total := float64(of(d.Weekly)) / daysOfWeek
	for route, c := range d.Routes {
		if route != cronWeekly {
			total += float64(of(c))
		}
	}
	return total / float64(d.Players)
}

// measured plays a day between two readings of the counts of the clients and of Redis,
// and checks that all counts agree.
func measured(ctx context.Context, d Day, r stage.Upstash, clients func() upstash.Usage, through func(Counter) Counter, play func(Counter) error) (Day, error) {
	statsBefore, err := r.Redis().CommandStats(ctx)
	if err != nil {
		return d, err
	}
	before := clients()
	tally := NewTally()
	var counter Counter = tally
	if through != nil {
		counter = through(tally)
	}
	if err := play(counter); err != nil {
		return d, err
	}
	statsAfter, err := r.Redis().CommandStats(ctx)
	if err != nil {
		return d, err
	}
	d.Routes, d.Counted, d.Ran = tally.Routes(), less(clients(), before), difference(statsBefore, statsAfter)
	d.Weekly = d.Routes[cronWeekly]
	if err := Agree(d.Counted, d.Ran); err != nil {
		return d, fmt.Errorf("%d players, %s: %w", d.Players, d.Name, err)
	}
	routed := int64(0)
	for _, c := range d.Routes {
		routed += c.Commands
	}
	if routed != d.Counted.Commands {
		return d, fmt.Errorf("%d players, %s: %w: the routes have %d commands, Redis ran %d", d.Players, d.Name, ErrMiscounted, routed, d.Counted.Commands)
	}
	return d, nil
}

// Setting is how a measured day is played.
type Setting struct {
	Arrivals Arrivals
	Journey  Journey
	Window   time.Duration // of the queue for scores; 0 if scores are written at once
	// Alone makes one process serve every function all day long, with one memory.
	Alone bool
}

// name is a name that differs for each setting.
func (t Setting) name() string {
	name := t.Arrivals.Name
	if t.Window > 0 {
		name = fmt.Sprintf("queue mode, %.0f s, %s", t.Window.Seconds(), name)
	}
	if t.Alone {
		name = "one process, " + name
	}
	if t.Journey != Apart {
		name += ", " + string(t.Journey)
	}
	return name
}

// measure plays a day from midnight to midnight. No environment runs before it.
func (s *run) measure(ctx context.Context, day game.Date, t Setting, counter Counter) (started map[string]int, err error) {
	if t.Window > 0 && s.queue.BatchSize == 0 {
		return nil, errNoQueue
	}
	to := counts{counter}
	d := s.deploy(t, to)
	events := waiting(s.plan(day, t), t.Window)
	for _, due := range s.dues(day.Midnight(), day.AddDays(1).Midnight()) {
		before := 0
		for before < len(events) && day.Midnight().Add(events[before].at).Before(due.at) {
			before++
		}
		if err := s.play(ctx, day, d, t.Journey, events[:before]); err != nil {
			return nil, err
		}
		if err := d.pass(ctx, due.at); err != nil {
			return nil, err
		}
		if err := s.fire(ctx, due, to); err != nil {
			return nil, err
		}
		events = events[before:]
	}
	if err := s.play(ctx, day, d, t.Journey, events); err != nil {
		return nil, err
	}
	if err := d.pass(ctx, day.AddDays(1).Midnight()); err != nil {
		return nil, err
	}
	return d.started(), d.close(ctx)
}

// play sends the requests of events, one after the other.
func (s *run) play(ctx context.Context, day game.Date, by *deployment, j Journey, events []event) error {
	for _, e := range events {
		if err := by.pass(ctx, day.Midnight().Add(e.at)); err != nil {
			return err
		}
		if err := s.serve(ctx, by, e, j, by.to); err != nil {
			return err
		}
		s.progress.Done(1)
	}
	return nil
}
