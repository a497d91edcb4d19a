package soak

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/lab/model"
	"github.com/framedle/leaderboards/lab/people"
	"github.com/framedle/leaderboards/upstash"
)

// run is a run in progress.
type run struct {
	Options
	people []people.Person
	scopes scopes
	model  *model.Model
	calls  *callers
	redis  *upstash.Client
	now    time.Time

	late       []play     // plays of the day before, for its grace
	pending    []*request // to be repeated in the next step
	shaky      bool       // connections to Redis fail now and then
	amnesia    bool       // Redis has been emptied and not been restored yet
	keys       int        // idempotency keys used so far
	missed     bool       // cron-daily did not run to its end the day before
	stirred    bool       // closed days have changed since cron-daily last ran to its end
	skipMonday bool
	report     Report

	mu    sync.Mutex
	found []string // what was wrong in this step
}

// event is something that happens at one moment of a day.
type event struct {
	at   time.Time
	name string
	do   func(context.Context) error
}

// Run plays the days, and checks all boards every few days and at the end. The same
// options give the same run. Errors: a *Failure describes what was wrong in the product;
// any other error says why the run could not go on.
func Run(ctx context.Context, o Options) (Report, error) {
	if err := o.check(); err != nil {
		return Report{}, err
	}
	redis, err := upstash.New(upstash.Config{URL: o.Product.Secrets.RedisRESTURL, Token: o.Product.Secrets.RedisRESTToken, Timeout: time.Minute})
	if err != nil {
		return Report{}, err
	}
	r := &run{Options: o, calls: newCallers(o.Product), redis: redis}
	defer r.calls.Close()
	r.people, r.scopes = people.Regulars(o.Players, o.rng("people", 0)), newScopes()
	r.model = model.New(rulesOf(o.Game), people.IDs(r.people))
	for n := range o.Days + 1 { // one day more, to close the last one
		if err := r.day(ctx, n); err != nil {
			return r.report, err
		}
	}
	return r.report, nil
}

func rulesOf(g *game.Game) (rules []model.Rule) {
	for _, m := range g.Modes {
		rules = append(rules, model.NewRule(m, g.Grace))
	}
	return rules
}

// day plays one day of the run, beginning with the grace of the day before.
func (r *run) day(ctx context.Context, n int) error {
	events := r.plan(n)
	slices.SortStableFunc(events, func(a, b event) int { return a.at.Compare(b.at) })
	d := r.Start.AddDays(n)
	var steps []string
	for _, e := range events {
		at := e.at
		if !at.After(r.now) {
			at = r.now.Add(time.Second)
		}
		if err := r.moveClock(ctx, r.settled(at, d, d.AddDays(-1))); err != nil {
			return err
		}
		err := e.do(ctx)
		r.shaky = false
		steps = append(steps, e.name+" at "+r.now.Format(time.DateTime))
		if len(r.found) > 0 {
			return &Failure{r.Seed, n, steps, r.found}
		}
		if err != nil {
			return fmt.Errorf("seed %d, day %d, %s: %w", r.Seed, n, steps[len(steps)-1], err)
		}
	}
	r.Log("day %d of %d, %s: %d plays so far", n, r.Days, d, r.report.Plays)
	return nil
}

// plan returns everything that happens on a day.
func (r *run) plan(n int) []event {
	d := r.Start.AddDays(n)
	rng := r.rng("day", n)
	var events []event
	add := func(at time.Duration, name string, do func(context.Context) error) {
		events = append(events, event{d.Midnight().Add(at), name, do})
	}
	if late := r.late; len(late) > 0 {
		add(2*time.Second+time.Duration(rng.Int64N(int64(r.Game.Grace-time.Minute))), "late plays", func(ctx context.Context) error {
			return r.sendStep(ctx, late, r.rng("late", n))
		})
	}
	r.late = nil
	events = append(events, r.dailyRuns(n, r.rng("daily", n))...)
	events = append(events, r.weeklyRuns(n, r.rng("weekly", n))...)
	firstPlay := 10 * time.Minute
	if n > 0 && n == r.LossDay {
		firstPlay = 50 * time.Minute
		add(41*time.Minute, "cron-daily before the loss", r.whole)
		add(42*time.Minute, "loss and restore", r.lose)
		add(45*time.Minute, "look after the loss", r.look)
	}
	if n < r.Days {
		steps := r.planDay(n)
		r.late = steps[r.Steps]
		span := (day - firstPlay) / time.Duration(r.Steps)
		for i, plays := range steps[:r.Steps] {
			if n > 0 && n == r.PlayedLossDay && i == r.Steps/2 {
				at := firstPlay + time.Duration(i)*span
				add(at, "loss, plays and restore", func(ctx context.Context) error { return r.loseInPlay(ctx, plays, r.rng("step", n*r.Steps+i)) })
				add(at+time.Minute, "look after the loss", r.look)
				continue
			}
			add(firstPlay+time.Duration(i)*span+time.Duration(rng.Int64N(int64(span*9/10))), "plays", func(ctx context.Context) error {
				own := r.rng("step", n*r.Steps+i)
				if err := r.sendStep(ctx, plays, own); err != nil {
					return err
				}
				return r.refused(ctx, n, own)
			})
		}
		if r.ImportDays > 0 && rng.IntN(3) == 0 {
			add(noon(rng), "imports", func(ctx context.Context) error { return r.imports(ctx, n, r.rng("imports", n)) })
		}
		if r.Removals && rng.IntN(2) == 0 {
			add(noon(rng), "removals", func(ctx context.Context) error { return r.removals(ctx, n, r.rng("removals", n)) })
		}
	}
	if n%r.Every == r.Every-1 || n == r.Days {
		at := noon(rng)
		if n == r.Days {
			at = 23 * time.Hour
		}
		add(at, "look at all boards", r.look)
	}
	return events
}

// noon is a moment in the middle of a day.
func noon(rng *rand.Rand) time.Duration {
	return 10*time.Hour + time.Duration(rng.Int64N(int64(6*time.Hour)))
}

// wrong records what is wrong in the product.
func (r *run) wrong(format string, args ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.found = append(r.found, fmt.Sprintf(format, args...))
}

// inRedis reports whether a period's boards are still in Redis.
func (r *run) inRedis(p game.Period) bool {
	life := map[game.PeriodKind]time.Duration{game.Day: r.Game.Lives.Day, game.Week: r.Game.Lives.Week, game.Month: r.Game.Lives.Month}
	return p.Kind() == game.AllTime || r.now.Before(p.Last().Midnight().Add(day+life[p.Kind()]))
}
