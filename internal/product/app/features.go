package app

import (
	"net/http"
	"slices"

	"github.com/framedle/leaderboards/internal/api"
	"github.com/framedle/leaderboards/internal/api/gate"
	"github.com/framedle/leaderboards/internal/api/respond"
	"github.com/framedle/leaderboards/internal/feature/activity"
	"github.com/framedle/leaderboards/internal/feature/audit"
	"github.com/framedle/leaderboards/internal/feature/badge"
	"github.com/framedle/leaderboards/internal/feature/clerk"
	"github.com/framedle/leaderboards/internal/feature/device"
	"github.com/framedle/leaderboards/internal/feature/duel"
	"github.com/framedle/leaderboards/internal/feature/feed"
	"github.com/framedle/leaderboards/internal/feature/friend"
	"github.com/framedle/leaderboards/internal/feature/graph"
	"github.com/framedle/leaderboards/internal/feature/league"
	"github.com/framedle/leaderboards/internal/feature/live"
	"github.com/framedle/leaderboards/internal/feature/play"
	"github.com/framedle/leaderboards/internal/feature/play/once"
	"github.com/framedle/leaderboards/internal/feature/play/review"
	"github.com/framedle/leaderboards/internal/feature/presence"
	"github.com/framedle/leaderboards/internal/feature/queue"
	"github.com/framedle/leaderboards/internal/feature/race"
	"github.com/framedle/leaderboards/internal/feature/wallet"
	_ "github.com/framedle/leaderboards/internal/feature/webhook" // its section of the game file
	"github.com/framedle/leaderboards/internal/feature/world"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/leaderboard"
	"github.com/framedle/leaderboards/internal/lifecycle/playerdata"
	"github.com/framedle/leaderboards/internal/platform/ops"
	"github.com/framedle/leaderboards/internal/platform/status"
	"github.com/framedle/leaderboards/internal/platform/usage"
)

// History is what Postgres has of boards, players and badges.
type History interface {
	api.History
	badge.Reader
	feed.History
}

// PostgresParts is what Postgres adds to the API. The zero PostgresParts is the product without it.
type PostgresParts struct {
	History History
	Held    review.Plays // nil: held plays are kept in Redis only
	Lost    func()       // called when the history has a board that Redis has lost; may be nil
}

// Services are what single functions need in addition to the API. The comments name the
// functions; in the others they may be missing.
type Services struct {
	api.Services
	Usage   *usage.Ledger      // of ops
	Status  *status.Reporter   // of ops
	Claims  *device.Claims     // of me
	Leagues league.Reader      // of me; nil without Postgres, or if the game has none
	Audit   audit.Reader       // of ops; nil without Postgres
	Dead    queue.Queues       // of ops
	Queue   queue.Putter       // of enqueue
	Friends friend.Friendships // of friends and graphql; nil without Postgres
	News    *clerk.Roster      // of webhook
	Duels   *duel.Store        // of duel and graphql
	Races   *race.Store        // of duel
	Graph   graph.Engine       // of graphql; nil: none
	Live    *live.Live         // of leaderboard, if the process is long-lived; else nil
}

// API is the API of the product: that of the kernel, and that of every feature. Make one for each
// process, because all handlers share its memory.
type API struct {
	*api.API
	app      *App
	kept     PostgresParts
	problems respond.Problems
	gate     *gate.Guard
	boards   *api.Boards
	reader   api.Reader // of what an entry is
	badges   badge.Badges
	claimed  device.ClaimedDevices
	presence *presence.Presence // nil: nobody is counted
}

// API makes the handlers of every function.
func (a *App) API(k PostgresParts) *API {
	p, s := a.parts, a.store
	if k.Held == nil {
		k.Held = a.HeldPlays()
	}
	all := &API{app: a, kept: k, problems: respond.Problems{Log: p.Log, Now: p.Now}}
	all.gate = gate.New(a.gateConfig())
	if presence.Enabled(p.Game) {
		all.presence = presence.New(p.Redis, p.Now, s.Notices.IsBanned)
		all.gate.SetPresence(all.presence)
	}
	all.boards = api.NewBoards(api.BoardsConfig{
		Game: p.Game, Now: p.Now, Log: p.Log, Store: s.Boards, Reads: leaderboard.NewReader(s.Boards, k.History, k.Lost),
	})
	all.reader = api.Reader{
		Game:  p.Game,
		Plays: play.Submitted{Game: p.Game, Dealer: a.plays, Sent: once.New(s.DB), Held: k.Held},
	}
	all.badges = badge.NewBadges(p.Game, p.Now, all.problems, k.History)
	all.claimed = device.NewClaimedDevices(s.Repair, p.Now)
	all.API = api.New(api.Config{
		Game: p.Game, Now: p.Now, Log: p.Log, Patterns: patterns[:],
		Gate: all.gate, Boards: s.Boards, Calendar: s.Rollup.Calendar, Notices: s.Notices, Profiles: s.Players, History: k.History,
		Queued:   p.Queued,
		Features: all.features(),
		Described: slices.Concat[[]respond.Part](
			league.Described(p.Game),
			activity.Described(p.Game),
			all.badges.Described(),
		),
		Own: []api.OwnPart{
			all.badges.Ask,
		},
		Beside:  p.Events.Beside,
		Groups:  clerk.NewGroups(p.Redis),
		Claimed: all.claimed,
		Plays:   all.reader.Plays,
		// Answers to plays are kept with what each gain says, in this order.
		Gains: []api.Gain{
			wallet.Gain{Game: p.Game},
			race.Gain{Races: a.races()},
		},
		Exports: []playerdata.Cost{
			clerk.ExportSteady,
			duel.ExportSteady,
		},
		Friends:       friend.Endpoints{Boards: all.boards, Lists: a.lists}.Board,
		FriendsSteady: friend.BoardSteady,
	}, all.boards)
	return all
}

// features lists the optional parts of the product that this game and deployment have.
func (a *API) features() []string {
	g, history := a.app.parts.Game, a.kept.History != nil
	on := []string{}
	for _, feature := range []struct {
		name string
		on   bool
	}{
		{"xp", g.GivesXP()},
		{"streaks", !g.Streak.Off},
		{"duels", true},
		{"races", race.RulesOf(g) != nil},
		{"leagues", league.RulesOf(g) != nil && history},
		{"activity", activity.RulesOf(g) != nil},
		{"badges", len(badge.RulesOf(g)) > 0 && history},
		{"seasons", len(g.Seasons) > 0},
		{"devices", g.Anonymous && a.app.parts.Devices != nil},
		{"device_names", g.DeviceNames && a.app.parts.Devices != nil},
		{"friends", history}, // both are kept in Postgres
		{"history", history},
		{"wallets", len(wallet.CurrenciesOf(g)) > 0},
		{"presence", presence.Enabled(g)},
		{"world", world.RulesOf(g) != nil},
	} {
		if feature.on {
			on = append(on, feature.name)
		}
	}
	return on
}

// intake are the routes of the functions that take scores and events. They are separate because
// these functions are to start fastest: they link nothing that serves other routes.
func (a *API) intake(s Services) []gate.Route {
	return slices.Concat(
		a.API.Intake(),
		queue.Intake{API: a.API, Queue: s.Queue}.Routes(),
		play.Endpoints{
			Game: a.app.parts.Game, Now: a.app.parts.Now, Dealer: a.app.plays, Reader: a.reader, Queued: a.app.parts.Queued,
		}.Routes(),
		activity.Endpoints{Game: a.app.parts.Game, Activity: a.app.activity}.Routes(),
	)
}

// Rows are the routes of all functions. make generate writes their patterns to patterns.go.
func (a *API) Rows(s Services) (all []gate.Route) {
	p, store := a.app.parts, a.app.store
	operator := ops.Config{
		Game: p.Game, Now: p.Now, Log: p.Log, Gate: a.gate, Notices: store.Notices, Removals: s.Removals, People: s.People,
		Status: s.Status, Usage: s.Usage, Version: Version(), Revision: Revision(), Plan: p.Plan, Steady: func() map[string]int { return steady(all) },
	}
	streams := live.Endpoints{Boards: a.boards, Gate: a.gate, Live: s.Live, URL: p.LiveURL}
	all = slices.Concat(
		a.intake(s),
		a.API.Routes(s.Services),
		ops.New(operator).Routes(),
		world.Endpoints{Boards: a.boards, World: world.Reader{Boards: store.Boards}}.Routes(),
		streams.Routes(),
		feed.Endpoints{Boards: a.boards, History: a.kept.History}.Routes(),
		presence.Endpoints{Presence: a.presence}.Routes(),
		a.badges.Routes(),
		league.Endpoints{Game: p.Game, Leagues: s.Leagues}.Routes(),
		audit.Endpoints{Game: p.Game, Now: p.Now, Record: s.Audit}.Routes(),
		wallet.Endpoints{Game: p.Game, Gate: a.gate, Notices: store.Notices, Wallets: a.app.wallets}.Routes(),
		device.Endpoints{
			Game: p.Game, Now: p.Now, Gate: a.gate, Tokens: p.Devices, Claims: s.Claims, Claimed: a.claimed,
			Profiles: store.Players, History: a.kept.History,
		}.Routes(),
		friend.Endpoints{
			Gate: a.gate, Friends: s.Friends, Names: store.Boards, Profiles: store.Players, Notices: store.Notices, Codes: a.app.friendCodes,
			Lists: a.app.lists, Boards: a.boards,
		}.Routes(),
		duel.Endpoints{
			Game: p.Game, Gate: a.gate, Notices: store.Notices, Secret: a.app.secret, Duels: s.Duels, Names: store.Players, People: store.Boards, Streams: streams,
			Blocks: friend.BlocksSteady,
		}.Routes(),
		race.Endpoints{
			Game: p.Game, Now: p.Now, Gate: a.gate, Notices: store.Notices, Secret: a.app.secret, Dealer: a.app.plays, Names: store.Players, People: store.Boards,
			Races: s.Races, Streams: streams, Queued: p.Queued,
			Blocks: friend.BlocksSteady,
		}.Routes(),
		graph.Endpoints{
			Boards: a.boards, Gate: a.gate, Problems: a.problems, Engine: s.Graph, Friends: s.Friends, Duels: s.Duels,
		}.Routes(),
		review.Endpoints{
			Held: a.kept.Held, Notices: store.Notices, Writable: store.Rollup.Calendar.Writable, Pass: a.Pass,
			Note: func(r *gate.Request, id, action string, sub game.Submission) {
				operator.NoteAs(r, playerdata.Act{ID: id, Action: action, Player: sub.Player, Mode: sub.Mode.Name, Date: sub.Date.String()}, nil)
			},
		}.Routes(),
		queue.Endpoints{Game: p.Game, Now: p.Now, Notices: store.Notices, Dead: s.Dead, Note: operator.Note}.Routes(),
		clerk.Endpoints{Notices: store.Notices, Roster: s.News}.Routes(),
	)
	return all
}

// steady is the cost of each route in the steady state, by its pattern.
func steady(rows []gate.Route) map[string]int {
	costs := map[string]int{}
	for _, r := range rows {
		costs[r.Pattern] = r.Steady
	}
	return costs
}

// Function is the handler of one function of template.yaml. The function leaderboard streams
// boards if there is s.Live.
func (a *API) Function(name string, s Services) http.Handler {
	return a.Handler(slices.DeleteFunc(a.Rows(s), func(r gate.Route) bool { return r.Function != name }))
}

// Intake is Function for the functions submit, enqueue and events.
func (a *API) Intake(name string, s Services) http.Handler {
	return a.Handler(slices.DeleteFunc(a.intake(s), func(r gate.Route) bool { return r.Function != name }))
}

// Functions are the handlers of all functions, by their names in template.yaml. Without a
// queue there is no function enqueue, and without a graph no function graphql.
func (a *API) Functions(s Services) map[string]http.Handler {
	rows := map[string][]gate.Route{}
	for _, r := range a.Rows(s) {
		rows[r.Function] = append(rows[r.Function], r)
	}
	if s.Queue == nil {
		delete(rows, "enqueue")
	}
	if s.Graph == nil {
		delete(rows, "graphql")
	}
	handlers := map[string]http.Handler{}
	for name, of := range rows {
		handlers[name] = a.Handler(of)
	}
	return handlers
}

// All is the handler of every route, for a process that serves the whole API: enqueue replaces
// submit on a route that both have.
func (a *API) All(s Services) http.Handler {
	return a.Handler(slices.DeleteFunc(a.Rows(s), func(r gate.Route) bool { return r.Function == "enqueue" }))
}
