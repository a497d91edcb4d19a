// Package stage is what the scenarios of the laboratory are played on: the product,
// wired as it is deployed, over a Redis and a Postgres of its own. It knows nothing
// of what is played.
package stage

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"time"

	"github.com/framedle/leaderboards/internal/app"
	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/jobs"
	"github.com/framedle/leaderboards/internal/postgresd"
	"github.com/framedle/leaderboards/internal/redisd"
	"github.com/framedle/leaderboards/migrations"
	"github.com/framedle/leaderboards/upstash"
	"github.com/framedle/leaderboards/upstash/upstashtest"
)

// patience is how long one call to a Redis may take that shares its processor
// with the whole game.
const patience = time.Minute

// connections is how many queries may run at once.
const connections = 8

// Upstash is a Redis of its own behind the local Upstash server.
type Upstash struct {
	*upstashtest.Server
	engine *redisd.Server
}

// StartUpstash starts one. Close it.
func StartUpstash(ctx context.Context) (Upstash, error) {
	engine, err := redisd.Start(ctx, redisd.Options{})
	if err != nil {
		return Upstash{}, err
	}
	server, err := upstashtest.New(upstashtest.Options{Redis: engine.URL()})
	if err != nil {
		return Upstash{}, errors.Join(err, engine.Stop())
	}
	return Upstash{server, engine}, nil
}

// Close ends both.
func (u Upstash) Close() error { return errors.Join(u.Server.Close(), u.engine.Stop()) }

// Client makes one with a memory, connections and a meter of its own.
func (u Upstash) Client() (*upstash.Client, error) {
	return upstash.New(upstash.Config{URL: u.URL(), Token: u.Token(), Timeout: patience, TextAnswers: true})
}

// Ran is how many commands Redis itself has counted, but for those that it is asked
// with and those that set a connection up.
func (u Upstash) Ran(ctx context.Context) (n int64, err error) {
	stats, err := u.Redis().CommandStats(ctx)
	for name, calls := range stats {
		if !Free(name) {
			n += calls
		}
	}
	return n, err
}

// Free reports whether a command is not billed, or sets a connection up, which over
// REST there is none of. Its name is Redis', as in "config|get".
func Free(name string) bool {
	name, _, _ = strings.Cut(name, "|")
	switch name {
	case "auth", "client", "command", "config", "hello", "info", "ping", "select":
		return true
	}
	return false
}

// Stage is where scenarios are played.
type Stage struct {
	Upstash Upstash
	Archive *archive.Archive
	Game    *game.Game // framedle, unless it is set
	closers []func() error
}

// Start starts a Redis and a Postgres. Close it.
func Start(ctx context.Context) (_ *Stage, err error) {
	s := &Stage{}
	defer func() {
		if err != nil {
			err = errors.Join(err, s.Close())
		}
	}()
	if s.Game, err = app.LoadGame(""); err != nil {
		return nil, err
	}
	if s.Upstash, err = StartUpstash(ctx); err != nil {
		return nil, err
	}
	s.closers = append(s.closers, s.Upstash.Close)
	postgres, err := postgresd.Start(ctx, postgresd.Options{})
	if err != nil {
		return nil, err
	}
	s.closers = append(s.closers, postgres.Stop)
	if _, err = migrations.Up(ctx, postgres.URL()); err != nil {
		return nil, err
	}
	if s.Archive, err = jobs.OpenArchive(postgres.URL(), connections); err != nil {
		return nil, err
	}
	s.closers = append(s.closers, func() error { s.Archive.Close(context.WithoutCancel(ctx)); return nil })
	return s, nil
}

// OnClose has something closed with the stage, before what it stands on.
func (s *Stage) OnClose(end func() error) { s.closers = append(s.closers, end) }

// Close ends everything, the last that was begun first.
func (s *Stage) Close() error {
	var errs []error
	for i := len(s.closers) - 1; i >= 0; i-- {
		errs = append(errs, s.closers[i]())
	}
	s.closers = nil
	return errors.Join(errs...)
}

// Process is the product as a process has it that has just started. What the parts
// leave out is the stage's own.
func (s *Stage) Process(p app.Parts) (*app.App, error) {
	if p.Redis == nil {
		client, err := s.Upstash.Client()
		if err != nil {
			return nil, err
		}
		p.Redis = client
	}
	if p.Log == nil {
		p.Log = slog.New(slog.DiscardHandler)
	}
	p.Game = s.Game
	return app.New(p), nil
}
