package costday

import (
	"context"
	"math/rand/v2"

	leaderboards "github.com/framedle/leaderboards"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/platform/template"
	"github.com/framedle/leaderboards/internal/product/app"
	"github.com/framedle/leaderboards/lab/stage"
	"github.com/framedle/leaderboards/upstash"
)

// run is a run of several days: the stage, the players and the clock.
type run struct {
	*stage.Stage
	crowd    crowd
	seed     uint64
	progress *Progress
	clock    *stage.Clock
	declared *template.Template
	crons    []cron
	queue    template.Queue
	clients  []*upstash.Client // of all processes so far
	lots     *rand.Rand        // draws which environment serves a request and which ends lose a write
	ranks    map[int]int64     // by player: the rank in the answer to the score of the first mode
}

// newRun starts a stage. Close it.
func newRun(ctx context.Context, o Options) (*run, error) {
	declared, err := template.Parse(leaderboards.Template)
	if err != nil {
		return nil, err
	}
	s := &run{crowd: newCrowd(o.Players, o.Seed), seed: o.Seed, progress: o.Progress, clock: &stage.Clock{}, declared: declared, lots: newRand(o.Seed, lotsStream), ranks: map[int]int64{}}
	if s.crons, err = cronsOf(declared); err != nil {
		return nil, err
	}
	s.queue = queueOf(declared)
	s.Stage, err = stage.Start(ctx)
	return s, err
}

// sharedSecret is the secret of all functions of a day: one function issues what another
// accepts.
const sharedSecret = "the secret of every function that plays a day"

// start returns the product as a newly started process has it. Its memory ages by the
// day's clock, and s.clients includes its client, so that its spending is counted.
func (s *run) start() (*app.App, error) {
	a, err := s.Process(app.Parts{
		Sessions: s.crowd, Signatures: trusting{}, Now: s.clock.Now, Elapsed: s.clock.Elapsed(),
		Secrets: []string{sharedSecret},
	})
	if err == nil {
		s.clients = append(s.clients, a.Redis())
	}
	return a, err
}

// spent is what all clients have counted since the stage was started.
func (s *run) spent() upstash.Usage {
	var u upstash.Usage
	for _, c := range s.clients {
		sum(&u, c.Meter().Usage())
	}
	return u
}

// lotsStream is the stream of random numbers for environments.
const lotsStream = 1

// plan is what the players do on a day; the same day always has the same plan.
func (s *run) plan(day game.Date, t Setting) []event {
	return plan(len(s.crowd.all), t, newRand(s.seed, uint64(day.Midnight().Unix())))
}
