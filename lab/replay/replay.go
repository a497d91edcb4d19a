package replay

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync/atomic"
	"time"

	"github.com/framedle/leaderboards/internal/dev/demo"
	"github.com/framedle/leaderboards/lab/caller"
	"github.com/framedle/leaderboards/lab/model"
)

// Bounds of Options.
const (
	MaxSteps   = 86_400 // one step a second
	MaxWorkers = 256
)

// Options say what to play, and against what. Engine and Heap may be nil.
type Options struct {
	Day     Day
	Steps   int    // how often the clock moves in the day, 1 to MaxSteps; with one worker it moves for each player
	Workers int    // concurrent submissions, 1 to MaxWorkers
	Seed    uint64 // for the order in which players come

	// Calls sends requests to a local product, signed as a game server.
	Calls *caller.Caller
	// Usage reads what the product's functions have spent.
	Usage func(ctx context.Context) (demo.Usage, error)
	// SetClock moves the product's clock.
	SetClock func(ctx context.Context, now time.Time) error
	// Engine reads how often Redis ran each command.
	Engine func(ctx context.Context) (map[string]int64, error)
	// Heap reads the live bytes on the product's heap, if the product runs in this
	// process.
	Heap func() uint64
	// Progress is called after each step with the number of answered submissions.
	Progress func(done int)
}

// replay is one day in progress.
type replay struct {
	Options
	date  string
	plays []play // in the order they are sent
	tally tally
	done  atomic.Int64
	high  highTotals
	Report
	board *model.Reading
	found model.Finds
}

func (o *Options) check() error {
	switch {
	case o.Steps < 1 || o.Steps > MaxSteps:
		return fmt.Errorf("-steps %d: use 1 to %d", o.Steps, MaxSteps)
	case o.Workers < 1 || o.Workers > MaxWorkers:
		return fmt.Errorf("--workers %d: use 1 to %d", o.Workers, MaxWorkers)
	}
	return nil
}

// Run plays the day and checks it. Wrong ranks are in the report. Afterwards the
// product's clock is in the day's last step. Error: the day could not be played to its
// end.
func Run(ctx context.Context, o Options) (Report, error) {
	if err := o.check(); err != nil {
		return Report{}, err
	}
	r := &replay{Options: o, date: o.Day.Date.String()}
	if o.Workers == 1 {
		r.Steps = o.Day.Players
	}
	r.plays = deal(o.Day, r.Steps, rand.New(rand.NewPCG(o.Seed, 0)))
	for _, stage := range []func(context.Context) error{r.requireEmpty, r.play, r.walk, r.cards} {
		if err := stage(ctx); err != nil {
			return Report{}, err
		}
	}
	r.Faults = r.found.Faults()
	return r.Report, nil
}

// requireEmpty refuses a board that already has players.
func (r *replay) requireEmpty(ctx context.Context) error {
	if err := r.SetClock(ctx, moment(r.Day, 0, r.Steps)); err != nil {
		return fmt.Errorf("move the clock to %s: %w", r.date, err)
	}
	page, err := r.page(ctx, 1, "")
	if err == nil && len(page.Entries) > 0 {
		err = fmt.Errorf("the board of %s has %d players already; start the product anew", r.date, page.Total)
	}
	return err
}

// play sends every result, step by step.
func (r *replay) play(ctx context.Context) error {
	spent, err := r.spent(ctx)
	if err != nil {
		return err
	}
	tenth := (len(r.plays) + 9) / 10
	began := time.Now()
	for start := 0; start < len(r.plays); {
		step := r.plays[start].step
		end := start
		for end < len(r.plays) && r.plays[end].step == step {
			end++
		}
		if err := r.SetClock(ctx, moment(r.Day, step, r.Steps)); err != nil {
			return fmt.Errorf("move the clock: %w", err)
		}
		if err := r.playStep(ctx, r.plays[start:end]); err != nil {
			return err
		}
		r.tally.closeStep()
		if r.Heap != nil && start < tenth && end >= tenth {
			paused := time.Now()
			r.HeapAtTenth = r.Heap()
			began = began.Add(time.Since(paused))
		}
		start = end
		r.Progress(start)
	}
	r.Took = time.Since(began)
	r.Submissions = r.done.Load()
	r.HighTotals, r.HighestOver = r.high.count.Load(), r.high.most.Load()
	if r.Heap != nil {
		r.HeapAtEnd = r.Heap()
	}
	after, err := r.spent(ctx)
	if err != nil {
		return err
	}
	r.Billed, r.RoundTrips = after.billed-spent.billed, after.roundTrips-spent.roundTrips
	r.Counted = after.counted - spent.counted
	return nil
}
