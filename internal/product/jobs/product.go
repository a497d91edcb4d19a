package jobs

import (
	"net/http"
	"sync/atomic"
	"time"

	"github.com/framedle/leaderboards/internal/api"
	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/feature/graph"
	"github.com/framedle/leaderboards/internal/feature/live"
	"github.com/framedle/leaderboards/internal/feature/queue"
	"github.com/framedle/leaderboards/internal/platform/auth"
	"github.com/framedle/leaderboards/internal/platform/host"
	"github.com/framedle/leaderboards/internal/platform/status"
	"github.com/framedle/leaderboards/internal/product/app"
)

// Product is an App with the archive that it may have: every function that answers requests,
// all sharing one memory. Every host of the product, deployed or not, takes its functions from
// here.
type Product struct {
	app  *app.App
	kept *archive.Archive // nil: none
	api  *app.API
	lost atomic.Pointer[func()] // see OnLoss
}

// NewProduct joins an App and its archive. The archive may be nil.
func NewProduct(a *app.App, kept *archive.Archive) *Product {
	kept = kept.ForRequests()
	p := &Product{app: a, kept: kept}
	adds := PostgresParts(a, kept)
	adds.Lost = func() {
		if lost := p.lost.Load(); lost != nil {
			(*lost)()
		}
	}
	p.api = a.API(adds)
	return p
}

// OnLoss sets the function that is called when a reader finds a board in the archive that
// Redis has lost. Without it, the next cron-save notices the loss.
func (p *Product) OnLoss(lost func()) { p.lost.Store(&lost) }

// PostgresParts is the part of the API that needs the archive. The archive may be nil.
func PostgresParts(a *app.App, kept *archive.Archive) app.PostgresParts {
	if kept == nil {
		return app.PostgresParts{}
	}
	adds := app.PostgresParts{History: NewHistory(kept)}
	adds.Held = HeldPlays(a, kept)
	return adds
}

// Methods lists the methods that the request's path has, on any function.
func (p *Product) Methods(r *http.Request) []string { return p.api.Methods(r) }

// WithSchedules serves POST /v1/ops/schedules/{name} beside the routes, as [RunAll] does.
func (p *Product) WithSchedules(jobs map[string]host.ScheduledFunc, may *auth.Operators, now func() time.Time, next http.Handler) http.Handler {
	return app.WithSchedules(jobs, app.Firing{Verify: app.MayFire(may), TooMany: p.api.RefuseInvalid, Now: now}, next)
}

// Around is what the product's host provides.
type Around struct {
	Plan   status.Plan // when its schedules run
	Dead   queue.Queues
	Scores queue.Sender // receives scores that are written later; nil: no function enqueue
	Live   *live.Live   // streams boards; nil: not on this host
	Graph  graph.Engine // answers GraphQL; nil: no function graphql
}

// Function returns the handler of one function of template.yaml.
func (p *Product) Function(name string, around Around) http.Handler {
	return p.api.Function(name, p.services(around))
}

// Functions returns the handlers of all functions that answer requests, by their names in
// template.yaml.
func (p *Product) Functions(around Around) map[string]http.Handler {
	return p.api.Functions(p.services(around))
}

// All returns the handler of all routes, for a process that serves all of them.
func (p *Product) All(around Around) http.Handler { return p.api.All(p.services(around)) }

// services are what functions need besides the API.
func (p *Product) services(around Around) app.Services {
	reporter := Status(p.app, p.kept, around.Plan)
	if around.Dead.Runs != nil {
		reporter.Dead.Runs = around.Dead.Runs.Waiting
	}
	if around.Dead.Scores != nil {
		reporter.Dead.Scores = around.Dead.Scores.Waiting
	}
	s := app.Services{
		Services: api.Services{Removals: Removals(p.app, p.kept), People: People(p.app, p.kept)},
		Claims:   Claims(p.app, p.kept),
		Leagues:  Leagues(p.app, p.kept),
		Audit:    AuditRecord(p.kept),
		Usage:    Usage(p.app, p.kept),
		Status:   reporter,
		Dead:     around.Dead,
		Friends:  Friendships(p.app, p.kept),
		News:     Roster(p.app, p.kept),
		Duels:    Duels(p.app, p.kept),
		Races:    Races(p.app, p.kept),
		Graph:    around.Graph,
		Live:     around.Live,
	}
	if around.Scores != nil {
		s.Queue = queue.Writer{Sender: around.Scores}
	}
	return s
}

// Serve serves a function that may use the archive, on the host that the process detects,
// configured by its environment. It does not return.
func Serve(name string) {
	serve(app.Linked{}, func(p *Product) http.Handler { return p.Function(name, Around{}) })
}

func serve(by app.Linked, function func(*Product) http.Handler) {
	app.RunObserved(by, func(a *app.App) (app.Function, error) {
		kept, err := archiveFromEnv(1)
		if err != nil {
			return app.Function{}, err
		}
		p := NewProduct(a, kept)
		return app.Function{API: p.api, Handler: function(p)}, nil
	})
}
