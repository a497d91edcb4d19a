// Package stage runs the product for the laboratory's scenarios: wired as it is deployed,
// over a Redis and a Postgres of its own. It knows nothing of what is played.
package stage

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"time"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/dev/postgresd"
	"github.com/framedle/leaderboards/internal/dev/redisd"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/product/app"
	"github.com/framedle/leaderboards/internal/product/jobs"
	"github.com/framedle/leaderboards/migrations"
	"github.com/framedle/leaderboards/upstash"
	"github.com/framedle/leaderboards/upstash/upstashtest"
)

// patience bounds one call to Redis. It is long, since Redis shares its processor with
// the whole game.
const patience = time.Minute

// connections is how many queries may run concurrently.
const connections = 8

// Upstash is a Redis started for the stage, behind the local Upstash server.
type Upstash struct {
	*upstashtest.Server
	engine *redisd.Server
}

// StartUpstash starts both. Close them.
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

// Close stops both.
func (u Upstash) Close() error { return errors.Join(u.Server.Close(), u.engine.Stop()) }

// Client makes a client with a memory, connections and a meter of its own.
func (u Upstash) Client() (*upstash.Client, error) {
	return upstash.New(upstash.Config{URL: u.URL(), Token: u.Token(), Timeout: patience, TextAnswers: true})
}

// Ran is how many commands Redis has counted, without those that read the statistics and
// those that set up a connection; see [Free].
func (u Upstash) Ran(ctx context.Context) (n int64, err error) {
	stats, err := u.Redis().CommandStats(ctx)
	for name, calls := range stats {
		if !Free(name) {
			n += calls
		}
	}
	return n, err
}

// Free reports whether Upstash does not bill a command, or whether the command sets up a
// connection, which REST does not need. The name has Redis' form, such as "config|get".
func Free(name string) bool {
	name, _, _ = strings.Cut(name, "|")
	switch name {
	case "auth", "client", "command", "config", "hello", "info", "ping", "select":
		return true
	}
	return false
}

// Stage is a Redis, a Postgres and a game for a scenario.
type Stage struct {
	Upstash Upstash
	Archive *archive.Archive
	Game    *game.Game // framedle, unless the scenario sets another
	closers []func() error
}

// Start starts a Redis and a Postgres. Close the stage.
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

// OnClose registers a function that Close calls before it stops Redis and Postgres.
func (s *Stage) OnClose(end func() error) { s.closers = append(s.closers, end) }

// Close ends everything, in reverse order of its start.
func (s *Stage) Close() error {
	var errs []error
	for i := len(s.closers) - 1; i >= 0; i-- {
		errs = append(errs, s.closers[i]())
	}
	s.closers = nil
	return errors.Join(errs...)
}

// Process returns the product as a newly started process has it. If p leaves out a
// part, the stage's own is used.
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
