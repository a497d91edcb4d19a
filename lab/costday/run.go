package costday

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/lab/stage"
	"github.com/framedle/leaderboards/upstash"
)

// monday is the first measured day: on a Monday every schedule is due, including the
// weekly one. The days before it are in the same month.
var monday = game.NewDate(2026, time.November, 16)

// Options say which days to play.
type Options struct {
	Players  int
	Days     []Setting // measured days, in this order
	Seed     uint64
	Progress *Progress // nil for none
	// Weighs makes the last day report what Redis then stores.
	Weighs bool
	// Through wraps the Counter that adds up what requests spend; nil wraps nothing.
	// Tests falsify the count with it.
	Through func(Counter) Counter
}

// Requests is how many requests [Product] will report as progress.
func (o Options) Requests() int {
	requests := warmDays * submissions(o.Players)
	for _, t := range o.Days {
		requests += requestsOf(o.Players, t.Journey)
	}
	return requests
}

// RecordRequests is how many requests [Record] will report.
func (o Options) RecordRequests() int { return requestsOf(o.Players, Apart) }

// Product plays the days before and then the measured days, over a Redis and a Postgres
// of its own. Errors: ErrMiscounted; the error of a request or schedule that fails.
func Product(ctx context.Context, o Options) (days []Day, err error) {
	s, err := newRun(ctx, o)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	empty, err := usedMemory(ctx, s.Upstash)
	if err != nil {
		return nil, err
	}
	first := monday.AddDays(-warmDays)
	s.clock.Forward(first.Midnight().Add(time.Hour))
	o.Progress.Doing("the days before")
	if err := s.warmUp(ctx, first); err != nil {
		return nil, err
	}
	s.clock.Forward(monday.Midnight())
	for n, t := range o.Days {
		o.Progress.Doing(t.name())
		var started map[string]int
		day, err := measured(ctx, Day{Name: t.name(), Players: o.Players, Setting: t}, s.Upstash, s.spent, o.Through, func(c Counter) (err error) {
			started, err = s.measure(ctx, monday.AddDays(n), t, c)
			return err
		})
		day.Started = started
		if err != nil {
			return days, err
		}
		if n > 0 {
			day.Weekly = days[0].Weekly
		}
		if o.Weighs && n == len(o.Days)-1 {
			if day.Keeps, err = weigh(ctx, s.Upstash, empty, append([]string{firstMode}, otherModes...)); err != nil {
				return days, err
			}
		}
		days = append(days, day)
	}
	return days, nil
}

// Record plays the same Monday with the founding record's commands, over a Redis of its
// own.
func Record(ctx context.Context, o Options) (day Day, err error) {
	engine, err := stage.StartUpstash(ctx)
	if err != nil {
		return day, err
	}
	defer func() { err = errors.Join(err, engine.Close()) }()
	client, err := engine.Client()
	if err != nil {
		return day, err
	}
	s := &run{crowd: newCrowd(o.Players, o.Seed), seed: o.Seed}
	r := record{redis: client, crowd: s.crowd, day: monday}
	if err := s.fillRecord(ctx, r); err != nil {
		return day, err
	}
	name := "founding record"
	o.Progress.Doing(name)
	return measured(ctx, Day{Name: name, Players: o.Players}, engine, client.Meter().Usage, o.Through, func(c Counter) error {
		if err := r.weekly(ctx, c); err != nil {
			return err
		}
		for events := range slices.Chunk(s.plan(monday, byDay), bundle) {
			if err := r.serve(ctx, events, c); err != nil {
				return err
			}
			o.Progress.Done(len(events))
		}
		return nil
	})
}

// byDay is the setting of days on which the time of arrivals does not matter.
var byDay = Setting{Arrivals: Evenly, Journey: Apart}

// fillRecord writes the days before, and all names, as the record keeps them.
func (s *run) fillRecord(ctx context.Context, r record) error {
	for back := 1; back <= daysOfWeek; back++ {
		day := record{day: monday.AddDays(-back)}
		members := map[string][]string{}
		for _, e := range s.plan(day.day, byDay) {
			if e.act == submits {
				members[e.mode] = append(members[e.mode], fmt.Sprint(e.score), s.crowd.all[e.player].ID)
			}
		}
		for _, mode := range slices.Sorted(maps.Keys(members)) {
			if err := r.fill(ctx, "ZADD", day.board(mode), members[mode]); err != nil {
				return err
			}
		}
	}
	var named []string
	for _, p := range s.crowd.all {
		named = append(named, p.ID, fmt.Sprintf(`{"name":%q,"picture":%q,"country":%q}`, p.Name, p.Picture, p.Country))
	}
	if err := r.fill(ctx, "HSET", recordNames, named); err != nil {
		return err
	}
	_, err := r.redis.Do(ctx, r.limited("submit", "yesterday", 0).command) // so that Redis knows the script
	return err
}

// fill writes pairs, a thousand with each command.
func (r record) fill(ctx context.Context, command, key string, pairs []string) error {
	for some := range slices.Chunk(pairs, 2*batchSize) {
		if _, err := r.redis.Do(ctx, upstash.Cmd(append([]string{command, key}, some...)...)); err != nil {
			return err
		}
	}
	return nil
}
