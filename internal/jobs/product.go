package jobs

import (
	"net/http"
	"sync"
	"sync/atomic"

	"github.com/framedle/leaderboards/internal/api"
	"github.com/framedle/leaderboards/internal/app"
	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/deadletters"
	"github.com/framedle/leaderboards/internal/friendships"
	"github.com/framedle/leaderboards/internal/history"
	"github.com/framedle/leaderboards/internal/people"
	"github.com/framedle/leaderboards/internal/queue"
	"github.com/framedle/leaderboards/internal/runs"
	"github.com/framedle/leaderboards/internal/viewing"
)

// Product is an App with the archive that it may have: every function that answers requests,
// all sharing one memory. Every host of the product, deployed or not, takes its functions from
// here.
type Product struct {
	app  *app.App
	kept *archive.Archive // nil: none
	api  *api.API
	lost atomic.Pointer[func()] // see OnLoss

	once   sync.Once // see known
	people *people.Service
}

// NewProduct joins an App and its archive. The archive may be nil.
func NewProduct(a *app.App, kept *archive.Archive) *Product {
	kept = kept.ForRequests()
	p := &Product{app: a, kept: kept}
	adds := Kept(a, kept)
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

// Kept is the part of the API that needs the archive. The archive may be nil.
func Kept(a *app.App, kept *archive.Archive) app.Kept {
	if kept == nil {
		return app.Kept{}
	}
	return app.Kept{History: history.New(kept), Held: Held(a, kept)}
}

// Methods lists the methods that the request's path has, on any function.
func (p *Product) Methods(r *http.Request) []string { return p.api.Methods(r) }

// Leaderboard is the handler of the function leaderboard.
func (p *Product) Leaderboard() http.Handler { return p.api.Leaderboard() }

// Friends is the handler of the function friends.
func (p *Product) Friends() http.Handler { return p.api.Friends(p.befriending()) }

// befriending returns the service of friends for the endpoints; nil without an archive.
func (p *Product) befriending() friendships.Friends {
	if f := Friends(p.app, p.kept); f != nil {
		return f
	}
	return nil
}

// Webhook is the handler of the function webhook.
func (p *Product) Webhook() http.Handler { return p.api.Webhook(Roster(p.app, p.kept)) }

// Duel is the handler of the function duel.
func (p *Product) Duel() http.Handler { return p.api.Duel(Duels(p.app, p.kept), Races(p.app, p.kept)) }

// Events is the handler of the function events.
func (p *Product) Events() http.Handler { return api.Events(p.api) }

// GraphQL is the handler of the function graphql.
func (p *Product) GraphQL(g api.Graphs) http.Handler {
	return api.GraphQL(p.api, g, p.befriending(), Duels(p.app, p.kept))
}

// Me is the handler of the function me.
func (p *Product) Me() http.Handler { return p.api.Me(p.ofPlayers()) }

// ofPlayers returns what the function me needs besides the API.
func (p *Product) ofPlayers() api.Services {
	return api.Services{
		Removals: Removals(p.app, p.kept), People: p.known(), Claims: Claims(p.app, p.kept), Leagues: Leagues(p.app, p.kept),
	}
}

// known returns the service that reads players' data, with one memory for all functions of the
// process.
func (p *Product) known() *people.Service {
	p.once.Do(func() { p.people = People(p.app, p.kept) })
	return p.people
}

// Around is what the product's host provides.
type Around struct {
	Plan   runs.Plan // when its schedules run
	Dead   deadletters.Queues
	Scores queue.Sender  // receives scores that are written later; nil: no function enqueue
	Live   *viewing.Live // streams boards; nil: not on this host
	Graphs api.Graphs    // answers GraphQL; nil: no function graphql
}

// Ops returns the handler of the function ops.
func (p *Product) Ops(around Around) http.Handler {
	reporter := Status(p.app, p.kept, around.Plan)
	if around.Dead.Runs != nil {
		reporter.Dead.Runs = around.Dead.Runs.Waiting
	}
	if around.Dead.Scores != nil {
		reporter.Dead.Scores = around.Dead.Scores.Waiting
	}
	return p.api.Ops(api.Services{
		Removals: Removals(p.app, p.kept), People: p.known(), Usage: Usage(p.app, p.kept), Status: reporter, Dead: around.Dead,
	})
}

// Functions returns the handlers of all functions that answer requests, by their names in
// template.yaml.
func (p *Product) Functions(around Around) map[string]http.Handler {
	all := map[string]http.Handler{
		"submit": p.api.Submit(), "leaderboard": p.Leaderboard(), "friends": p.Friends(), "webhook": p.Webhook(),
		"duel": p.Duel(), "me": p.Me(), "ops": p.Ops(around), "events": p.Events(),
	}
	if around.Live != nil {
		all["leaderboard"] = p.Live(around.Live)
	}
	if around.Graphs != nil {
		all["graphql"] = p.GraphQL(around.Graphs)
	}
	if around.Scores != nil {
		all["enqueue"] = p.api.Enqueue(queue.Writer{Sender: around.Scores})
	}
	return all
}

// Live returns the handler of the function leaderboard where it streams boards.
func (p *Product) Live(l *viewing.Live) http.Handler {
	return p.api.Live(l, Duels(p.app, p.kept), Races(p.app, p.kept))
}

// All returns the handler of all routes, for a process that serves all of them.
func (p *Product) All(plan runs.Plan, l *viewing.Live, g api.Graphs) http.Handler {
	s := p.ofPlayers()
	s.Live, s.Graphs = l, g
	s.Usage, s.Status, s.Friends = Usage(p.app, p.kept), Status(p.app, p.kept, plan), p.befriending()
	s.News, s.Duels, s.Races = Roster(p.app, p.kept), Duels(p.app, p.kept), Races(p.app, p.kept)
	return p.api.All(s)
}

// Serve serves a function that may use the archive, on the host that the process detects,
// configured by its environment. It does not return.
func Serve(function func(*Product) http.Handler) { serve(nil, function, NewProduct) }

// ServeApart is Serve for a function whose routes need nothing from the archive, so that the
// function need not link it.
func ServeApart(function func(*Product) http.Handler) {
	serve(nil, function, func(a *app.App, kept *archive.Archive) *Product {
		return &Product{app: a, kept: kept.ForRequests(), api: a.API(app.Kept{})}
	})
}

func serve(traces app.Tracing, function func(*Product) http.Handler, made func(*app.App, *archive.Archive) *Product) {
	app.RunTraced(traces, func(a *app.App) (app.Function, error) {
		kept, err := archiveFromEnv(1)
		if err != nil {
			return app.Function{}, err
		}
		p := made(a, kept)
		return app.Function{API: p.api, Handler: function(p)}, nil
	})
}
