// Package local runs the whole product in one process, for development, demos and tests: a
// local Upstash-compatible server over an embedded or real Redis; every function, on the
// routes and schedules that template.yaml declares; a Postgres for the history; and control
// endpoints under /_local.
//
// It issues session tokens to anybody who asks, and hands out its secrets. So it listens on
// loopback only and refuses pages of other sites at its control endpoints, and a test keeps
// it out of every function.
package local

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync"
	"time"

	leaderboards "github.com/framedle/leaderboards"
	"github.com/framedle/leaderboards/internal/control"
	"github.com/framedle/leaderboards/internal/feature/activity"
	"github.com/framedle/leaderboards/internal/feature/graph/engine"
	"github.com/framedle/leaderboards/internal/feature/live"
	"github.com/framedle/leaderboards/internal/feature/queue"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/gamefile/ruleset"
	"github.com/framedle/leaderboards/internal/platform/auth"
	"github.com/framedle/leaderboards/internal/platform/auth/devissuer"
	"github.com/framedle/leaderboards/internal/platform/auth/webhook"
	"github.com/framedle/leaderboards/internal/platform/host"
	"github.com/framedle/leaderboards/internal/platform/template"
	"github.com/framedle/leaderboards/internal/platform/usage"
	"github.com/framedle/leaderboards/internal/product/app"
	"github.com/framedle/leaderboards/internal/product/jobs"
	"github.com/framedle/leaderboards/upstash"
	"github.com/framedle/leaderboards/upstash/upstashtest"
	"github.com/framedle/leaderboards/web"
)

// requestTimeout bounds one request, as Lambda's timeout does in a deployment.
const requestTimeout = 30 * time.Second

// databaseConnections is how many requests and jobs may use Postgres at once.
const databaseConnections = 8

// localViewers is how many viewers an address may have: all of them share this machine's
// address.
const localViewers = 10_000

// Options say what to run.
type Options struct {
	Addr        string // loopback host:port; "" means 127.0.0.1:8080
	Redis       string // RedisAuto when empty
	DatabaseURL string // DatabaseNone when empty, DatabaseAuto or postgres://
	Data        string // folder for data that outlives a run; "" keeps nothing
	Game        *game.Game
	// Schedules makes schedules fire by themselves, by the product's clock. Otherwise they
	// fire on request only, as tests that move the clock need it.
	Schedules bool
	// SchedulesAfter delays Schedules until it is closed; nil: no delay. Until then the clock
	// may be moved without firing a schedule.
	SchedulesAfter <-chan struct{}
	// Counters writes what each day costs, for at most 1% of the commands. Without it, tests
	// see only the commands that they caused.
	Counters bool
	// Queue sends single scores through a queue, which collects them for QueueWindow, or for
	// DefaultQueueWindow if that is 0.
	Queue       bool
	QueueWindow time.Duration
	// Limits makes the limits on addresses apply to this machine too, as if one proxy were in
	// front: the last entry of X-Forwarded-For then is the caller's address.
	Limits bool
	Sites  jobs.Sites // sites that merge their boards; zero: none
	Log    io.Writer  // one JSON line for each failure and each schedule fired
}

// Product is the running product. It has to be closed.
type Product struct {
	URL          string // http://127.0.0.1:8080
	Secrets      Secrets
	RedisKind    string // for people: what holds the boards
	Database     string // postgres:// of the history, tables up to date; "" without history
	DatabaseKind string // for people: what holds the history
	Clock        *Clock
	Upstash      *upstashtest.Server
	Jobs         *jobs.Jobs // for tools and tests that do the work of schedules by hand

	issuer     *devissuer.Issuer
	functions  []*function
	queue      *queue.Queue   // nil: no queue
	watches    []*usage.Watch // with Options.Counters
	background upstash.Meter  // calls that no request waits for
	followers  sync.WaitGroup
	cancel     context.CancelFunc
	done       chan error
	closers    []func() error
}

// Secrets are what other tools need to use the product.
type Secrets struct {
	SigningKey     string `json:"signing_key"`
	WebhookSecret  string `json:"webhook_secret"`
	OpsToken       string `json:"ops_token"`
	Webhooks       string `json:"webhook_secrets"` // with which the product signs its own webhooks
	RedisRESTURL   string `json:"redis_rest_url"`
	RedisRESTToken string `json:"redis_rest_token"`
	DatabaseURL    string `json:"database_url"`
}

// Start runs the product until Close.
func Start(ctx context.Context, o Options) (*Product, error) {
	p := &Product{Clock: &Clock{}}
	if err := p.start(ctx, o); err != nil {
		return nil, errors.Join(err, p.Close())
	}
	return p, nil
}

func (p *Product) start(ctx context.Context, o Options) error {
	if err := p.startRedis(ctx, o); err != nil {
		return err
	}
	if err := p.startDatabase(ctx, o); err != nil {
		return err
	}
	p.Secrets = Secrets{
		SigningKey: secret(), OpsToken: secret(), Webhooks: secret(), WebhookSecret: "whsec_" + base64.StdEncoding.EncodeToString([]byte(secret())), DatabaseURL: p.Database,
		RedisRESTURL: p.Upstash.URL(), RedisRESTToken: p.Upstash.Token(),
	}
	if err := p.checkRules(ctx, o.Game); err != nil {
		return err
	}
	handler, err := p.handler(o)
	if err != nil {
		return err
	}
	addr := o.Addr
	if addr == "" {
		addr = "127.0.0.1:8080"
	}
	listener, err := listen(addr)
	if err != nil {
		return err
	}
	p.URL = "http://" + listener.Addr().String()
	run, cancel := context.WithCancel(context.WithoutCancel(ctx))
	p.cancel, p.done = cancel, make(chan error, 1)
	if o.Schedules {
		p.followers.Go(func() {
			if o.SchedulesAfter != nil {
				select {
				case <-o.SchedulesAfter:
				case <-run.Done():
					return
				}
			}
			p.followSchedules(run, o.Log)
		})
	}
	taking, stop := context.WithCancel(context.WithoutCancel(ctx)) // requests under way go on for a while
	taken := make(chan struct{})
	go func() {
		defer close(taken)
		p.runQueue(taking, o.Log)
		<-taking.Done()
	}()
	go func() {
		err := host.Serve(run, listener, handler, requestTimeout, o.Log)
		stop()
		<-taken
		p.followers.Wait()
		p.done <- errors.Join(err, p.closeCounters(run))
	}()
	return nil
}

// checkRules refuses a game whose rules do not fit the boards of an earlier run.
func (p *Product) checkRules(ctx context.Context, g *game.Game) error {
	client, err := upstash.New(upstash.Config{URL: p.Secrets.RedisRESTURL, Token: p.Secrets.RedisRESTToken})
	if err != nil {
		return err
	}
	kept, err := control.KeptRules(upstash.WithMeter(ctx, &p.background), client)
	if err != nil {
		return err
	}
	if err := ruleset.Check(kept, ruleset.Of(g), g.Today(time.Now())); err != nil {
		return fmt.Errorf("%w. Start over with another -data, or accept the rules with lbctl game accept, see docs/reference/games.md", err)
	}
	return nil
}

// listen refuses addresses that other machines could reach, because the product hands out its
// secrets.
func listen(addr string) (net.Listener, error) {
	name, _, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, fmt.Errorf("-addr %s: use host:port, such as 127.0.0.1:8080", addr)
	}
	if ip := net.ParseIP(name); name != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return nil, fmt.Errorf("-addr %s: use a loopback address such as 127.0.0.1:8080, since this server hands out its secrets", addr)
	}
	return net.Listen("tcp", addr)
}

// function is one function of the deployment, here a handler in this process.
type function struct {
	name      string
	handler   http.Handler
	schedules []template.Expression
	run       host.ScheduledFunc
	timeout   time.Duration // of a scheduled run
	running   sync.Mutex    // held by a run that fired by itself
	meter     upstash.Meter
}

// handler mounts every function of template.yaml on its routes, and the control endpoints in
// addition.
func (p *Product) handler(o Options) (http.Handler, error) {
	a, err := p.wire(o)
	if err != nil {
		return nil, err
	}
	declared, err := template.Parse(leaderboards.Template)
	if err != nil {
		return nil, err
	}
	history, err := jobs.OpenArchive(p.Database, databaseConnections)
	if err != nil {
		return nil, err
	}
	p.Jobs = jobs.New(a, history)
	p.Jobs.Secrets([]string{p.Secrets.Webhooks})
	p.Jobs.Sites(o.Sites)
	around := jobs.Around{Plan: p.Jobs.Plan}
	takers := map[string]host.QueueFunc{}
	if o.Queue {
		p.startQueue(o, a, &around, takers)
	}
	around.Live = jobs.Live(upstash.WithMeter(context.Background(), &p.background), a)
	around.Live.Seats = live.NewSeats(0, localViewers)
	p.closers = append(p.closers, func() error { around.Live.Close(); return nil })
	if around.Graph, err = engine.New(engine.Options{Introspection: true}); err != nil {
		return nil, err
	}
	product := jobs.NewProduct(a, history)
	if o.Schedules {
		repairing, stop := context.WithCancel(upstash.WithMeter(context.Background(), &p.background))
		p.closers = append(p.closers, func() error { stop(); return nil })
		product.OnLoss(p.Jobs.RepairSoon(repairing))
	}
	handlers, scheduled := product.Functions(around), p.Jobs.Schedules(nil)
	for _, d := range declared.Functions {
		if !has(d.Condition, o) {
			continue
		}
		f := &function{
			name: d.Name, handler: handlers[d.Name], run: scheduled[d.Name],
			timeout: time.Duration(d.TimeoutS) * time.Second,
		}
		p.feedFromQueue(f, d, takers[d.Name], o.Log)
		if f.handler == nil && f.run == nil && takers[d.Name] == nil {
			return nil, fmt.Errorf("template.yaml declares the function %s, which is not wired here", d.Name)
		}
		for _, declared := range d.Schedules {
			s, err := template.ParseExpression(declared.Expression)
			if err != nil {
				return nil, fmt.Errorf("template.yaml, function %s: %w", d.Name, err)
			}
			f.schedules = append(f.schedules, s)
		}
		p.functions = append(p.functions, f)
	}
	if o.Counters {
		p.keepCounters(a)
	}
	methods := func(r *http.Request) []string {
		if isControl(r) {
			return []string{http.MethodGet, http.MethodPost, http.MethodPut, http.MethodDelete}
		}
		return product.Methods(r)
	}
	operator, err := auth.NewOperators(p.Secrets.OpsToken)
	if err != nil {
		return nil, err
	}
	fired := map[string]host.ScheduledFunc{}
	for _, f := range p.functions {
		if f.run != nil {
			fired[f.name] = f.scheduled
		}
	}
	routes := product.WithSchedules(fired, operator, p.Clock.Now, p.mountRoutes(declared))
	served, err := web.Serve(localConfig, controlDoor{p}.mount(routes))
	if err != nil {
		return nil, err
	}
	return host.Guard(door(app.WithCORS([]string{"*"}, methods, served)), o.Log), nil
}

// has reports whether a function runs here that the template declares under a condition; an
// empty condition always holds.
func has(condition string, o Options) bool {
	switch condition {
	case "":
		return true
	case "HasActivity":
		return activity.RulesOf(o.Game) != nil
	case "HasGraphQL":
		return true
	case "HasSites":
		return o.Sites.Name != ""
	}
	return o.Queue // the remaining conditions are the queue's
}

// mountRoutes sends each route to the function that declares it, like the gateway of a
// deployment.
func (p *Product) mountRoutes(declared *template.Template) http.Handler {
	functions := map[string]http.Handler{}
	for _, f := range p.functions {
		if f.handler == nil {
			continue
		}
		functions[f.name] = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			f.handler.ServeHTTP(w, r.WithContext(upstash.WithMeter(r.Context(), &f.meter)))
		})
	}
	return declared.Gateway(functions)
}

func (p *Product) wire(o Options) (*app.App, error) {
	log := host.NewLog(o.Log)
	client, err := upstash.New(upstash.Config{URL: p.Secrets.RedisRESTURL, Token: p.Secrets.RedisRESTToken})
	if err != nil {
		return nil, err
	}
	if p.issuer, err = devissuer.New(); err != nil {
		return nil, err
	}
	// Tokens expire by the machine's clock: moving the product's clock to another day must
	// not log everybody out.
	sessions, err := p.issuer.Sessions(time.Now)
	if err != nil {
		return nil, err
	}
	signatures, err := newSignatures(p.Secrets.SigningKey, p.Clock)
	if err != nil {
		return nil, err
	}
	webhooks, err := webhook.NewVerifier([]string{p.Secrets.WebhookSecret}, time.Now)
	if err != nil {
		return nil, err
	}
	operator, err := auth.NewOperators(p.Secrets.OpsToken)
	if err != nil {
		return nil, err
	}
	devices, err := auth.NewDevices([]string{secret()})
	if err != nil {
		return nil, err
	}
	hops := 0
	if o.Limits {
		hops = 1
	}
	return app.New(app.Parts{
		ProxyHops: hops, Queued: o.Queue,
		Game: o.Game, Redis: client, Sessions: sessions, Signatures: signatures, Operators: operator, Webhooks: webhooks, Devices: devices,
		Now: p.Clock.Now, Elapsed: p.Clock.Elapsed(), Log: log,
	}), nil
}

// signatures accepts a time by the product's clock or by the machine's, so that clients need
// not know that the clock was moved.
type signatures struct{ byProduct, byMachine *auth.Signatures }

func newSignatures(key string, clock *Clock) (signatures, error) {
	byProduct, err := auth.NewSignatures([]string{key}, clock.Now)
	if err != nil {
		return signatures{}, err
	}
	byMachine, err := auth.NewSignatures([]string{key}, time.Now)
	return signatures{byProduct, byMachine}, err
}

func (s signatures) Verify(header string, r auth.Request) (auth.Server, error) {
	if server, err := s.byMachine.Verify(header, r); err == nil {
		return server, nil
	}
	return s.byProduct.Verify(header, r)
}

// Token issues a session token for a player, good for a day.
func (p *Product) Token(c devissuer.Claims) (string, error) {
	return p.issuer.Issue(c, time.Now(), 24*time.Hour)
}

// Wait returns when the product has stopped by itself, or when ctx ends.
func (p *Product) Wait(ctx context.Context) error {
	select {
	case err := <-p.done:
		p.done <- err
		return err
	case <-ctx.Done():
		return nil
	}
}

// Close stops everything that Start has started.
func (p *Product) Close() error {
	var errs []error
	if p.cancel != nil {
		p.cancel()
		errs = append(errs, <-p.done)
		p.cancel = nil
	}
	for i := len(p.closers) - 1; i >= 0; i-- {
		errs = append(errs, p.closers[i]())
	}
	p.closers = nil
	return errors.Join(errs...)
}

func secret() string {
	var b [24]byte
	_, _ = rand.Read(b[:]) // never fails
	return hex.EncodeToString(b[:])
}
