package soak

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/framedle/leaderboards/client"
	"github.com/framedle/leaderboards/lab/caller"
)

// The scheduled functions.
const (
	daily  = "cron-daily"
	weekly = "cron-weekly"
	save   = "cron-save"
)

// fire runs a scheduled function to its end. due is the time of the schedule; if it is
// zero the product's clock decides.
func (r *run) fire(ctx context.Context, function string, due time.Time) error {
	a, err := r.schedule(ctx, function, due)
	if err == nil && a.Status != http.StatusOK {
		err = fmt.Errorf("%s: %s", function, a.Problem())
	}
	return err
}

// whole runs cron-daily to its end, by the product's clock.
func (r *run) whole(ctx context.Context) error {
	r.stirred = false
	return r.fire(ctx, daily, time.Time{})
}

func (r *run) schedule(ctx context.Context, function string, due time.Time) (client.Answer, error) {
	var body []byte
	if !due.IsZero() {
		body = []byte(`{"time":"` + due.Format(time.RFC3339) + `"}`)
	}
	atomic.AddInt64(&r.report.Runs, 1)
	return r.calls.Call(ctx, caller.Nobody, http.MethodPost, "/_local/schedules/"+function, body)
}

// atOnce runs a scheduled function several times at once.
func (r *run) atOnce(ctx context.Context, function string, times int) error {
	tasks := make([]func(context.Context) error, times)
	for i := range tasks {
		tasks[i] = func(ctx context.Context) error { return r.fire(ctx, function, time.Time{}) }
	}
	return caller.Together(ctx, times, tasks)
}

// dailyRuns plans the runs of cron-daily: when, and how. A day board is sealed for two
// days before it expires, and must be rolled up in that time. So cron-daily runs to its
// end on at least one of two days in a row.
func (r *run) dailyRuns(n int, rng *rand.Rand) []event {
	d := r.Start.AddDays(n)
	due := d.Midnight().Add(20 * time.Minute)
	at := due.Add(time.Duration(rng.Int64N(int64(20 * time.Minute))))
	late := due.Add(time.Duration(rng.Int64N(int64(20 * time.Hour))))
	kills := 0
	whole := true
	events := []event{}
	switch rng.IntN(10) {
	case 0, 1:
		at = late
	case 2:
		events = append(events, event{at, "cron-daily twice", func(ctx context.Context) error { return r.fire(ctx, daily, due) }})
	case 3:
		events = append(events, event{at, "cron-daily three times at once", func(ctx context.Context) error { return r.atOnce(ctx, daily, 3) }})
	case 4, 5:
		kills = 1 + rng.IntN(3)
	case 6:
		kills, at = 1+rng.IntN(3), late
	case 7:
		kills, whole = 1+rng.IntN(3), false
	case 8:
		whole = false
	}
	if r.missed || n == r.Days {
		whole = true
	}
	r.missed = !whole
	for range kills {
		killed := r.rng("kill "+fmt.Sprint(len(events)), n)
		events = append(events, event{at, "cron-daily killed", func(ctx context.Context) error { return r.kill(ctx, daily, killed) }})
	}
	if whole {
		events = append(events, event{at, "cron-daily", r.whole})
	}
	return events
}

// weeklyRuns plans the runs of cron-weekly: on Monday or only on Tuesday, and again on
// other days, for the week that closed last or for an earlier one.
func (r *run) weeklyRuns(n int, rng *rand.Rand) []event {
	d := r.Start.AddDays(n)
	due := d.Midnight().Add(30 * time.Minute)
	at := due.Add(time.Duration(rng.Int64N(int64(20 * time.Hour))))
	var events []event
	add := func(name string, do func(context.Context) error) { events = append(events, event{at, name, do}) }
	whole := func(ctx context.Context) error { return r.fire(ctx, weekly, time.Time{}) }
	switch d.Weekday() {
	case time.Monday:
		if r.skipMonday = rng.IntN(4) == 0 && n < r.Days; r.skipMonday {
			break
		}
		switch rng.IntN(4) {
		case 0:
			add("cron-weekly killed", func(ctx context.Context) error { return r.kill(ctx, weekly, rng) })
		case 1:
			add("cron-weekly twice at once", func(ctx context.Context) error { return r.atOnce(ctx, weekly, 2) })
		}
		add("cron-weekly", whole)
	case time.Tuesday:
		if r.skipMonday || rng.IntN(3) == 0 {
			add("cron-weekly on Tuesday", whole)
		}
	case time.Sunday:
		if rng.IntN(3) == 0 {
			add("cron-weekly on Sunday", whole)
		}
	case time.Thursday:
		if rng.IntN(2) == 0 {
			past := due.Add(-time.Duration(1+rng.IntN(60)) * day)
			add("cron-weekly for "+past.Format(time.DateOnly), func(ctx context.Context) error { return r.fire(ctx, weekly, past) })
		}
	}
	return events
}
