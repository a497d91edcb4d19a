package main

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"time"

	leaderboards "github.com/framedle/leaderboards"
	"github.com/framedle/leaderboards/games"
	"github.com/framedle/leaderboards/internal/app"
	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/auth"
	"github.com/framedle/leaderboards/internal/auth/webhook"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/game/gamefile"
	"github.com/framedle/leaderboards/internal/host"
	"github.com/framedle/leaderboards/internal/jobs"
	"github.com/framedle/leaderboards/internal/postgresd"
	"github.com/framedle/leaderboards/internal/redisd"
	"github.com/framedle/leaderboards/internal/template"
	"github.com/framedle/leaderboards/migrations"
	"github.com/framedle/leaderboards/upstash"
	"github.com/framedle/leaderboards/upstash/upstashtest"
)

// hops is how many proxies are trusted: the caller is the last entry of
// X-Forwarded-For.
const hops = 1

// requestTimeout bounds one request, as Lambda's timeout does when deployed.
const requestTimeout = 30 * time.Second

// stage is the product: processes with a memory of their own before one Redis.
type stage struct {
	clock     *clock
	game      *game.Game
	upstash   *upstashtest.Server
	archive   *archive.Archive
	issuer    *issuer
	devices   *auth.Devices
	addresses []string      // of the processes
	hostile   upstash.Meter // what attackers' requests spent
	honest    upstash.Meter // what players' did
	closers   []func() error
}

func newStage(ctx context.Context, o settings) (*stage, error) {
	s := &stage{clock: o.clock}
	if err := s.start(ctx, o); err != nil {
		return nil, errors.Join(err, s.close())
	}
	return s, nil
}

func (s *stage) start(ctx context.Context, o settings) error {
	// Devices play too, so that there is one more door.
	text, err := games.FS.ReadFile("framedle.yaml")
	if err != nil {
		return err
	}
	if s.game, err = gamefile.Parse("framedle.yaml", append(text, "\nanonymous: true\n"...)); err != nil {
		return err
	}
	redis, err := redisd.Start(ctx, redisd.Options{})
	if err != nil {
		return err
	}
	s.closers = append(s.closers, redis.Stop)
	if s.upstash, err = upstashtest.New(upstashtest.Options{Redis: redis.URL()}); err != nil {
		return err
	}
	s.closers = append(s.closers, s.upstash.Close)
	postgres, err := postgresd.Start(ctx, postgresd.Options{})
	if err != nil {
		return err
	}
	s.closers = append(s.closers, postgres.Stop)
	if _, err := migrations.Up(ctx, postgres.URL()); err != nil {
		return err
	}
	if s.archive, err = jobs.OpenArchive(postgres.URL(), 8); err != nil {
		return err
	}
	s.closers = append(s.closers, func() error { s.archive.Close(context.Background()); return nil })
	if s.issuer, err = newIssuer(); err != nil {
		return err
	}
	if s.devices, err = auth.NewDevices([]string{secret()}); err != nil {
		return err
	}
	for range o.processes {
		if err := s.startProcess(); err != nil {
			return err
		}
	}
	return nil
}

// startProcess serves every function of template.yaml on one address.
func (s *stage) startProcess() error {
	a, err := s.wire()
	if err != nil {
		return err
	}
	removals := jobs.Removals(a, s.archive)
	functions := map[string]http.Handler{
		"submit": a.Submit(), "leaderboard": a.Leaderboard(), "ops": a.Ops(removals, nil), "me": a.Me(removals),
		"friends": jobs.FriendsHandler(a, s.archive), "webhook": jobs.WebhookHandler(a, s.archive), "duel": jobs.DuelHandler(a, s.archive),
	}
	declared, err := template.Parse(leaderboards.Template)
	if err != nil {
		return err
	}
	mux := http.NewServeMux()
	for _, f := range declared.Functions {
		if functions[f.Name] == nil {
			continue
		}
		for _, route := range f.Routes {
			mux.Handle(route.Pattern(), functions[f.Name])
		}
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() {
		done <- host.Serve(ctx, listener, s.metered(host.Guard(mux, io.Discard)), requestTimeout, io.Discard)
	}()
	s.closers = append(s.closers, func() error { cancel(); return <-done })
	s.addresses = append(s.addresses, listener.Addr().String())
	return nil
}

func (s *stage) wire() (*app.App, error) {
	client, err := upstash.New(upstash.Config{URL: s.upstash.URL(), Token: s.upstash.Token()})
	if err != nil {
		return nil, err
	}
	sessions, err := s.issuer.sessions(s.now)
	if err != nil {
		return nil, err
	}
	signatures, err := auth.NewSignatures([]string{secret()}, s.now)
	if err != nil {
		return nil, err
	}
	operator, err := auth.NewOperator(secret())
	if err != nil {
		return nil, err
	}
	webhooks, err := webhook.NewVerifier([]string{"whsec_" + base64.StdEncoding.EncodeToString([]byte(secret()))}, s.now)
	if err != nil {
		return nil, err
	}
	a := app.New(app.Parts{
		Game: s.game, Redis: client, Sessions: sessions, Signatures: signatures, Operators: operator, Webhooks: webhooks,
		Devices: s.devices, Now: s.now, Log: slog.New(slog.DiscardHandler), ProxyHops: hops,
	})
	return jobs.WithHistory(a, s.archive), nil
}

// metered counts players' commands and attackers' apart.
func (s *stage) metered(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		meter := &s.hostile
		if strings.Contains(r.Header.Get("X-Forwarded-For"), honestNetwork) {
			meter = &s.honest
		}
		h.ServeHTTP(w, r.WithContext(upstash.WithMeter(r.Context(), meter)))
	})
}

// redisRan is how many commands Redis itself has counted, but for asking.
func (s *stage) redisRan(ctx context.Context) (n int64, err error) {
	stats, err := s.upstash.Redis().CommandStats(ctx)
	for name, calls := range stats {
		switch name {
		case "info", "ping", "hello", "client", "config", "auth", "select", "command":
		default:
			n += calls
		}
	}
	return n, err
}

func (s *stage) close() (err error) {
	for i := len(s.closers) - 1; i >= 0; i-- {
		err = errors.Join(err, s.closers[i]())
	}
	return err
}

func secret() string {
	var b [24]byte
	_, _ = rand.Read(b[:]) // never fails
	return hex.EncodeToString(b[:])
}
