package costday

import (
	"context"
	"math/rand/v2"

	leaderboards "github.com/framedle/leaderboards"
	"github.com/framedle/leaderboards/internal/app"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/template"
	"github.com/framedle/leaderboards/lab/stage"
	"github.com/framedle/leaderboards/upstash"
)

// run is days that are played: where, by whom, and what time it is.
type run struct {
	*stage.Stage
	crowd    crowd
	seed     uint64
	spares   bool // bytes, in the place of commands
	progress *Progress
	clock    *stage.Clock
	declared *template.Template
	crons    []cron
	queue    template.Queue
	clients  []*upstash.Client // of every process there was
	lots     *rand.Rand        // draw what befalls environments
	ranks    map[int]int64     // that each player's first mode was answered with
}

// newRun sets a stage. Close it.
func newRun(ctx context.Context, o Options) (*run, error) {
	declared, err := template.Parse(leaderboards.Template)
	if err != nil {
		return nil, err
	}
	s := &run{crowd: newCrowd(o.Players, o.Seed), seed: o.Seed, spares: o.SparesBytes, progress: o.Progress, clock: &stage.Clock{}, declared: declared, lots: newRand(o.Seed, lotsStream), ranks: map[int]int64{}}
	if s.crons, err = cronsOf(declared); err != nil {
		return nil, err
	}
	if s.queue, err = queueOf(declared); err != nil {
		return nil, err
	}
	s.Stage, err = stage.Start(ctx)
	return s, err
}

// sharedSecret is what all functions of a day have: one hands out what another takes.
const sharedSecret = "the secret of every function that plays a day"

// start is the product as a process has it that has just started, with a memory that
// ages by the clock of the day. What it spends is known.
func (s *run) start() (*app.App, error) {
	a, err := s.Process(app.Parts{
		Sessions: s.crowd, Signatures: trusting{}, Now: s.clock.Now, Elapsed: s.clock.Elapsed(),
		Random: newRand(s.seed, uint64(len(s.clients))).Float64, Secrets: []string{sharedSecret}, SparesBytes: s.spares,
	})
	if err == nil {
		s.clients = append(s.clients, a.Redis())
	}
	return a, err
}

// spent is what all clients have counted since the stage was set.
func (s *run) spent() upstash.Usage {
	var u upstash.Usage
	for _, c := range s.clients {
		sum(&u, c.Meter().Usage())
	}
	return u
}

// lotsStream is the stream of chance that environments have for themselves.
const lotsStream = 1

// plan is what the players do on a day: the same each time it is asked.
func (s *run) plan(day game.Date, t Setting) []event {
	return plan(len(s.crowd.all), t, newRand(s.seed, uint64(day.Midnight().Unix())))
}
