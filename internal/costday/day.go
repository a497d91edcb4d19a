package costday

import (
	"context"
	"fmt"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/upstash"
)

// Day is what one day cost.
type Day struct {
	Name    string // "one process", "ten processes", "founding record"
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
func measured(ctx context.Context, d Day, r redis, clients func() upstash.Usage, through func(Counter) Counter, play func(Counter) error) (Day, error) {
	statsBefore, err := r.server.Redis().CommandStats(ctx)
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
	statsAfter, err := r.server.Redis().CommandStats(ctx)
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

// measure plays a day from midnight to midnight with new processes, whose
// memories are empty. Each request goes to one of them at random.
func (s *stage) measure(ctx context.Context, day game.Date, processes int, counter Counter) error {
	all := make([]*process, processes)
	for i := range all {
		var err error
		if all[i], err = s.newProcess(); err != nil {
			return err
		}
	}
	to := counts{counter}
	events := s.plan(day, processes)
	for _, d := range s.dues(day.Midnight(), day.AddDays(1).Midnight()) {
		before := 0
		for before < len(events) && day.Midnight().Add(events[before].at).Before(d.at) {
			before++
		}
		if err := s.play(ctx, day, all, events[:before], to); err != nil {
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
	s.clock.forward(day.AddDays(1).Midnight())
	return nil
}

// play has the processes answer events of a day.
func (s *stage) play(ctx context.Context, day game.Date, processes []*process, events []event, to counts) error {
	midnight := day.Midnight()
	return playAll(ctx, len(s.people.all), events, func(ctx context.Context, e event) error {
		s.clock.forward(midnight.Add(e.at))
		s.progress.Done(1)
		return s.serve(ctx, processes[e.process], e, to)
	})
}
