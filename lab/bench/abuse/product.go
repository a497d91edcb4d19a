package main

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/framedle/leaderboards/games"
	"github.com/framedle/leaderboards/internal/gamefile"
	"github.com/framedle/leaderboards/internal/platform/auth"
	"github.com/framedle/leaderboards/internal/platform/auth/devissuer"
	"github.com/framedle/leaderboards/internal/platform/auth/webhook"
	"github.com/framedle/leaderboards/internal/product/app"
	"github.com/framedle/leaderboards/internal/product/jobs"
	"github.com/framedle/leaderboards/lab/caller"
	"github.com/framedle/leaderboards/lab/stage"
	"github.com/framedle/leaderboards/upstash"
)

// hops is the number of trusted proxies: the caller's address is the last entry of
// X-Forwarded-For.
const hops = 1

// patience is how long a player waits for an answer.
const patience = 30 * time.Second

// product is the attacked product: processes with a memory of their own, which share one
// Redis.
type product struct {
	*stage.Stage
	clock     *stage.Clock
	issuer    *devissuer.Issuer
	devices   *auth.Devices
	addresses []string         // of the processes
	callers   []*caller.Caller // callers of each process
	hostile   upstash.Meter    // what attackers' requests spent
	honest    upstash.Meter    // what players' did
}

func newProduct(ctx context.Context, o settings) (*product, error) {
	s := &product{clock: o.clock}
	var err error
	if s.Stage, err = stage.Start(ctx); err != nil {
		return nil, err
	}
	if err := s.start(o); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

func (s *product) start(o settings) error {
	// Devices may play too, so that the attack has one more way in.
	text, err := games.FS.ReadFile("framedle.yaml")
	if err != nil {
		return err
	}
	if s.Game, err = gamefile.Parse("framedle.yaml", append(text, "\nanonymous: true\n"...)); err != nil {
		return err
	}
	if s.issuer, err = devissuer.New(); err != nil {
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
func (s *product) startProcess() error {
	parts, err := s.parts()
	if err != nil {
		return err
	}
	a, err := s.Process(parts)
	if err != nil {
		return err
	}
	address, stop, err := stage.Serve(jobs.NewProduct(a, s.Archive).Functions(jobs.Around{}), s.metered)
	if err != nil {
		return err
	}
	s.OnClose(stop)
	players := caller.New("http://"+address, "", nil)
	players.HTTP.Timeout = patience
	s.OnClose(func() error { players.Close(); return nil })
	s.addresses, s.callers = append(s.addresses, address), append(s.callers, players)
	return nil
}

// parts are the verifiers of a process, which learns the caller's address from the
// proxies.
func (s *product) parts() (app.Parts, error) {
	p := app.Parts{Devices: s.devices, Now: s.now, ProxyHops: hops}
	sessions, err := s.issuer.Sessions(s.now)
	if err != nil {
		return p, err
	}
	signatures, err := auth.NewSignatures([]string{secret()}, s.now)
	if err != nil {
		return p, err
	}
	operator, err := auth.NewOperators(secret())
	if err != nil {
		return p, err
	}
	webhooks, err := webhook.NewVerifier([]string{"whsec_" + base64.StdEncoding.EncodeToString([]byte(secret()))}, s.now)
	p.Sessions, p.Signatures, p.Operators, p.Webhooks = sessions, signatures, operator, webhooks
	return p, err
}

// metered counts the commands of players and of attackers separately.
func (s *product) metered(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		meter := &s.hostile
		if strings.Contains(r.Header.Get("X-Forwarded-For"), honestNetwork) {
			meter = &s.honest
		}
		h.ServeHTTP(w, r.WithContext(upstash.WithMeter(r.Context(), meter)))
	})
}

// token makes a player's session token for 50 minutes. The token counts from 10 minutes
// ago, since the stage's clock stands still during the set-up.
func (s *product) token(player string) (string, error) {
	return s.issuer.Issue(devissuer.Claims{Player: player}, time.Now().Add(-10*time.Minute), time.Hour)
}

func secret() string {
	var b [24]byte
	_, _ = rand.Read(b[:]) // never fails
	return hex.EncodeToString(b[:])
}
