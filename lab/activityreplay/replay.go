package activityreplay

import (
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"github.com/framedle/leaderboards/internal/feature/activity"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/product/app"
	"github.com/framedle/leaderboards/lab/model"
	"github.com/framedle/leaderboards/lab/stage"
	"github.com/framedle/leaderboards/upstash"
	"github.com/framedle/leaderboards/upstash/upstashtest"
)

// Options are the settings of a replay.
type Options struct {
	Game  *game.Game
	Seed  uint64
	Cut   int           // percent of requests that lose their connection, half of them after the effect
	Again int           // how many times an event may be delivered again after the first time
	Late  time.Duration // the longest delay of a delivery
}

// Report is what a replay did and what it found.
type Report struct {
	Events, Deliveries, Batches, Retries int
	Days, Weeks                          int // days and weeks that were compared
	Taking, Computing                    int64
	Faults                               []string // differences from the model; up to mostFaults
}

const (
	processes  = 3
	mostFaults = 20
	patience   = 40 // attempts to send a batch
)

// delivery is one delivery of an event.
type delivery struct {
	event activity.Event
	at    time.Time
}

// replay is one run.
type replay struct {
	o      Options
	server stage.Upstash
	random *rand.Rand
	want   map[game.Date]map[string]model.Active
	groups map[string]bool
	parts  []*app.App
	meters []*upstash.Meter
	report Report

	mu  sync.Mutex
	now time.Time
}

// Run replays events; each of them counts as one act, however often it is delivered.
func Run(ctx context.Context, events []model.Event, o Options) (report Report, err error) {
	server, err := stage.StartUpstash(ctx)
	if err != nil {
		return Report{}, err
	}
	defer func() { _ = server.Close() }()
	r := &replay{
		o: o, server: server, random: rand.New(rand.NewPCG(o.Seed, 1)), want: model.Activity(o.Game, events),
		groups: map[string]bool{},
	}
	r.report.Events = len(events)
	for _, e := range events {
		r.groups[e.Group] = true
	}
	for range processes {
		if err := r.start(); err != nil {
			return r.report, err
		}
	}
	err = r.play(ctx, r.deliveries(events))
	return r.report, err
}

// start starts a process with an empty memory.
func (r *replay) start() error {
	client, err := upstash.New(upstash.Config{
		URL: r.server.URL(), Token: r.server.Token(), Timeout: time.Minute, Breaker: upstash.Breaker{Off: true},
		Sleep: func(context.Context, time.Duration) error { return nil },
	})
	if err != nil {
		return err
	}
	r.meters = append(r.meters, client.Meter())
	r.parts = append(r.parts, app.New(app.Parts{Game: r.o.Game, Redis: client, Now: r.clock, Log: slog.New(slog.DiscardHandler)}))
	return nil
}

// kill replaces one process by a new one with an empty memory.
func (r *replay) kill(i int) error {
	if err := r.start(); err != nil {
		return err
	}
	last := len(r.parts) - 1
	r.parts[i], r.parts = r.parts[last], r.parts[:last]
	return nil
}

func (r *replay) clock() time.Time {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.now
}

func (r *replay) moveTo(t time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if t.After(r.now) {
		r.now = t
	}
}

// deliveries returns all deliveries of the events, in order of arrival.
func (r *replay) deliveries(events []model.Event) []delivery {
	var all []delivery
	for _, e := range events {
		answer := activity.Event{ID: e.ID, Type: e.Type, At: e.At, Group: e.Group, Winner: e.Winner}
		rule, _ := activity.RulesOf(r.o.Game).Event(e.Type)
		switch rule.Who[0] {
		case activity.From:
			answer.From, answer.To = e.Who[0], e.Who[1]
		case activity.User:
			answer.User = e.Who[0]
		default:
			answer.Users = e.Who
		}
		for range 1 + r.random.IntN(r.o.Again+1) {
			all = append(all, delivery{answer, e.At.Add(time.Duration(r.random.Int64N(int64(r.o.Late) + 1)))})
		}
	}
	slices.SortStableFunc(all, func(a, b delivery) int { return a.at.Compare(b.at) })
	r.report.Deliveries = len(all)
	return all
}

// gather is how long a sender waits for a batch to become full.
const gather = 12 * time.Hour

// settled is when the boards of a date are compared. By then the day is over in every
// zone, and no delivery arrives any more.
func (r *replay) settled(d game.Date) time.Time {
	return d.Midnight().Add(36*time.Hour + 10*time.Minute + r.o.Late + gather)
}

func (r *replay) play(ctx context.Context, all []delivery) error {
	if len(all) == 0 {
		return nil
	}
	dates := model.ActiveDates(r.want)
	for len(all) > 0 {
		var round [][]activity.Event
		var last time.Time
		for len(round) < processes && len(all) > 0 {
			n := min(len(all), activity.MostEvents)
			for n > 1 && all[n-1].at.Sub(all[0].at) > gather {
				n--
			}
			if last = all[n-1].at; len(round) > 0 && last.Sub(r.clock()) > gather {
				break
			}
			if len(round) == 0 {
				r.moveTo(all[0].at)
			}
			batch := make([]activity.Event, n)
			for i, d := range all[:n] {
				batch[i] = d.event
			}
			round, all = append(round, batch), all[n:]
		}
		for len(dates) > 0 && !r.settled(dates[0]).After(r.clock()) {
			if err := r.settle(ctx, dates[0]); err != nil {
				return err
			}
			dates = dates[1:]
		}
		r.moveTo(r.lastOf(round).Add(r.o.Late))
		if err := r.together(ctx, round); err != nil {
			return err
		}
	}
	for _, d := range dates {
		r.moveTo(r.settled(d))
		if err := r.settle(ctx, d); err != nil {
			return err
		}
	}
	return nil
}

func (r *replay) lastOf(round [][]activity.Event) (last time.Time) {
	for _, batch := range round {
		for _, e := range batch {
			if e.At.After(last) {
				last = e.At
			}
		}
	}
	return last
}

// together makes each process take a batch, while one of them may compute.
func (r *replay) together(ctx context.Context, round [][]activity.Event) error {
	r.unreliable(true)
	defer r.unreliable(false)
	if r.random.IntN(4) == 0 {
		if err := r.kill(r.random.IntN(processes)); err != nil {
			return err
		}
	}
	before := r.spent()
	failures := make(chan error, len(round)+1)
	var wait sync.WaitGroup
	for i, batch := range round {
		r.report.Batches++
		wait.Go(func() { failures <- r.insist(ctx, i, func(a *app.App) error { return take(ctx, a, batch) }) })
	}
	at := r.random.IntN(processes)
	if r.random.IntN(2) == 0 {
		wait.Go(func() { failures <- r.compute(ctx, at) })
	}
	wait.Wait()
	close(failures)
	for err := range failures {
		if err != nil {
			return err
		}
	}
	r.report.Taking += r.spent() - before
	return nil
}

func take(ctx context.Context, a *app.App, batch []activity.Event) error {
	taken, err := a.Activity().Take(ctx, batch)
	if err == nil && len(taken.Refused) > 0 {
		return fmt.Errorf("an event was refused: %s: %s", taken.Refused[0].Reason, taken.Refused[0].Detail)
	}
	return err
}

func (r *replay) compute(ctx context.Context, at int) error {
	return r.insist(ctx, at, func(a *app.App) error {
		_, err := a.Activity().Compute(ctx)
		return err
	})
}

// insist calls do with one process after another until it succeeds.
func (r *replay) insist(ctx context.Context, at int, do func(*app.App) error) (err error) {
	for n := range patience {
		if err = do(r.parts[(at+n)%processes]); err == nil || ctx.Err() != nil {
			return err
		}
		r.mu.Lock()
		r.report.Retries++
		r.mu.Unlock()
	}
	return err
}

// unreliable starts or stops cutting connections.
func (r *replay) unreliable(cuts bool) {
	if !cuts || r.o.Cut == 0 {
		r.server.Inject(nil)
		return
	}
	r.server.Inject(func(upstashtest.Request) upstashtest.Fault {
		switch n := rand.IntN(200); {
		case n < r.o.Cut:
			return upstashtest.Fault{CutBefore: true}
		case n < 2*r.o.Cut:
			return upstashtest.Fault{CutAfter: true}
		}
		return upstashtest.Fault{}
	})
}

func (r *replay) spent() (n int64) {
	for _, m := range r.meters {
		n += m.Usage().Commands
	}
	return n
}
