package costday

import (
	"context"
	"errors"
	"fmt"
	"time"

	leaderboards "github.com/framedle/leaderboards"
	"github.com/framedle/leaderboards/internal/app"
	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/jobs"
	"github.com/framedle/leaderboards/internal/postgresd"
	"github.com/framedle/leaderboards/internal/redisd"
	"github.com/framedle/leaderboards/internal/template"
	"github.com/framedle/leaderboards/migrations"
	"github.com/framedle/leaderboards/upstash"
	"github.com/framedle/leaderboards/upstash/upstashtest"
)

// patience is how long one call to a Redis may take that shares its processor
// with the whole game.
const patience = time.Minute

// connections are how many queries may run at once.
const connections = 4

// redis is a Redis of its own behind the local Upstash server.
type redis struct {
	engine *redisd.Server
	server *upstashtest.Server
}

func startRedis(ctx context.Context) (redis, error) {
	engine, err := redisd.Start(ctx, redisd.Options{})
	if err != nil {
		return redis{}, err
	}
	server, err := upstashtest.New(upstashtest.Options{Redis: engine.URL()})
	if err != nil {
		return redis{}, errors.Join(err, engine.Stop())
	}
	return redis{engine, server}, nil
}

func (r redis) close() error { return errors.Join(r.server.Close(), r.engine.Stop()) }

// client makes one with a memory, connections and a meter of its own.
func (r redis) client() (*upstash.Client, error) {
	return upstash.New(upstash.Config{URL: r.server.URL(), Token: r.server.Token(), Timeout: patience})
}

// stage is where days are played: the stores, the game, its players, and what
// time it is.
type stage struct {
	redis     redis
	archive   *archive.Archive
	closers   []func() error
	game      *game.Game
	people    people
	seed      uint64
	progress  *Progress
	clock     *clock
	crons     []cron
	queue     template.Queue
	clients   []*upstash.Client // of every process there was
	processes int
}

// newStage starts a Redis and a Postgres. Close it.
func newStage(ctx context.Context, o Options) (_ *stage, err error) {
	s := &stage{people: newPeople(o.Players, newRand(o.Seed, 0)), seed: o.Seed, progress: o.Progress, clock: &clock{}}
	defer func() {
		if err != nil {
			err = errors.Join(err, s.close())
		}
	}()
	if s.redis, err = startRedis(ctx); err != nil {
		return nil, err
	}
	s.closers = append(s.closers, s.redis.close)
	postgres, err := postgresd.Start(ctx, postgresd.Options{})
	if err != nil {
		return nil, err
	}
	s.closers = append(s.closers, postgres.Stop)
	if _, err = migrations.Up(ctx, postgres.URL()); err != nil {
		return nil, err
	}
	if s.archive, err = jobs.OpenArchive(postgres.URL(), connections); err != nil {
		return nil, err
	}
	s.closers = append(s.closers, func() error { s.archive.Close(context.WithoutCancel(ctx)); return nil })
	if s.game, err = app.LoadGame(""); err != nil {
		return nil, err
	}
	declared, err := template.Parse(leaderboards.Template)
	if err != nil {
		return nil, err
	}
	if s.crons, err = cronsOf(declared); err != nil {
		return nil, err
	}
	s.queue, err = queueOf(declared)
	return s, err
}

func (s *stage) close() error {
	var errs []error
	for i := len(s.closers) - 1; i >= 0; i-- {
		errs = append(errs, s.closers[i]())
	}
	return errors.Join(errs...)
}

// client makes the client of a new process, and sees to it that what it spends
// is known.
func (s *stage) client() (*upstash.Client, error) {
	c, err := s.redis.client()
	if err == nil {
		s.clients = append(s.clients, c)
	}
	return c, err
}

// spent is what all clients have counted since the stage was set.
func (s *stage) spent() upstash.Usage {
	var u upstash.Usage
	for _, c := range s.clients {
		sum(&u, c.Meter().Usage())
	}
	return u
}

// processName is a name that no other process of the stage has.
func (s *stage) processName() string {
	s.processes++
	return fmt.Sprint("process", s.processes)
}

// plan is what the players do on a day: the same each time it is asked.
func (s *stage) plan(day game.Date, processes int) []event {
	return plan(len(s.people.all), processes, newRand(s.seed, uint64(day.Midnight().Unix())))
}
