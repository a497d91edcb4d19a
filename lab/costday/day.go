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
	Name    string        // "one process", "10 processes", "queue mode, 20 s", "founding record"
	Window  time.Duration // of the queue for scores; 0: they were written at once
	Players int
	Routes  map[string]Count // by route; those of schedules have the function's name
	Counted upstash.Usage    // by all clients' meters
	Ran     map[string]int64 // by Redis, by lower-case name
	// Weekly is what one run of the weekly schedule cost, of which a day bears a
	// seventh. It is among the routes of the day that it fell on.
	Weekly Count
}

const daysOfWeek = 7

// Of is a route's billed commands per player and day.
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

// measured runs a day between two looks at what the clients and Redis have
// counted, and holds all counts against one another.
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

// setting is how a measured day is played.
type setting struct {
	processes int
	window    time.Duration // of the queue for scores; 0: there is none
}

func (t setting) name() string {
	switch {
	case t.window > 0:
		return fmt.Sprintf("queue mode, %.0f s", t.window.Seconds())
	case t.processes == 1:
		return "one process"
	}
	return fmt.Sprint(t.processes, " processes")
}

// staff are those who answer and write on a day.
type staff struct {
	processes []*process
	queue     *scoreQueue // nil: scores are written at once
}

// measure plays a day from midnight to midnight with new processes, whose
// memories are empty. Each request goes to one of them at random.
func (s *run) measure(ctx context.Context, day game.Date, t setting, counter Counter) (err error) {
	to := counts{counter}
	var all staff
	if t.window > 0 {
		if all.queue, err = s.newQueue(t.window, to); err != nil {
			return err
		}
	}
	for range t.processes {
		p, err := s.newProcess(all.queue)
		if err != nil {
			return err
		}
		all.processes = append(all.processes, p)
	}
	events := waiting(s.plan(day, t.processes), t.window)
	for _, d := range s.dues(day.Midnight(), day.AddDays(1).Midnight()) {
		before := 0
		for before < len(events) && day.Midnight().Add(events[before].at).Before(d.at) {
			before++
		}
		if err := s.play(ctx, day, all, events[:before], to); err != nil {
			return err
		}
		if err := all.queue.deliver(ctx, d.at); err != nil {
			return err
		}
		if err := s.fire(ctx, d, to); err != nil {
			return err
		}
		events = events[before:]
	}
	if err := s.play(ctx, day, all, events, to); err != nil {
		return err
	}
	s.clock.Forward(day.AddDays(1).Midnight())
	return all.queue.deliver(ctx, s.clock.Now())
}

// play has them answer events of a day.
func (s *run) play(ctx context.Context, day game.Date, by staff, events []event, to counts) error {
	midnight := day.Midnight()
	return playAll(ctx, len(s.crowd.all), events, func(ctx context.Context, e event) error {
		at := midnight.Add(e.at)
		s.clock.Forward(at)
		if err := by.queue.deliver(ctx, at); err != nil {
			return err
		}
		s.progress.Done(1)
		return s.serve(ctx, by.processes[e.process], e, to)
	})
}
