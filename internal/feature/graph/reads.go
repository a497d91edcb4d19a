package graph

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/framedle/leaderboards/internal/api"
	"github.com/framedle/leaderboards/internal/api/gate"
	"github.com/framedle/leaderboards/internal/api/problem"
	"github.com/framedle/leaderboards/internal/feature/duel"
	"github.com/framedle/leaderboards/internal/feature/friend"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/leaderboard"
	"github.com/framedle/leaderboards/internal/platform/budget"
)

// Reads is what one query may read: what the routes of boards, players, friends and
// duels read, through the same services. A query runs twice. In the first run, the planning,
// nothing is read: each read adds its price and returns one placeholder of its kind, so that
// the fields below it are planned too. Reads is safe for concurrent use.
type Reads struct {
	Endpoints
	r *gate.Request

	mu       sync.Mutex
	planning bool
	price    int // of all planned reads
	nobody   error
	failed   error // the first error of a read
	read     int   // how many reads succeeded
	own      bool  // a part of the answer is for the caller only
	lacks    budget.Measures
	fresh    time.Duration // how long caches may keep the answer
	while    time.Duration // how much longer they may serve it while they revalidate
}

// GraphLimits are the bounds of a query besides its price.
const (
	QueryBytes = 8 << 10
	MostDepth  = 8
	MostFields = 100 // after aliases and fragments
	MostRows   = 100 // in one list
	MostDuels  = 5   // in one list
)

// Begin ends the planning. It refuses the query if the plan is too much, and otherwise holds
// its price. The reads that follow have to use the returned context.
//
// Errors: Problem, and those of the caller's limits.
func (g *Reads) Begin(ctx context.Context) (context.Context, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.planning = false
	if g.price == 0 {
		return ctx, nil
	}
	if g.price += graphBase; g.price > MostCommands {
		return ctx, TooMuch(fmt.Sprintf("the query could cost %d Redis commands; the limit is %d: request less at once, or use the REST endpoints", g.price, MostCommands))
	}
	return gate.Bounded(ctx, MostCommands, tooExpensive), gate.CostsMore(ctx, g.price)
}

// tooExpensive refuses a query's further calls to Redis once the query has cost the most that it
// may. That happens on neglected boards: if no schedule has run for weeks, the first look
// pays for the work that the schedules have left undone.
func tooExpensive() error {
	return TooMuch(fmt.Sprintf("this has cost %d Redis commands, for boards that no schedule has refreshed, which is the limit of a query: use the REST endpoints", MostCommands))
}

// plan adds the price of a read, and reports whether this is the planning run, in which
// nothing is read.
func (g *Reads) plan(price int) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.planning {
		g.price += price
	}
	return g.planning
}

// done notes how a read went, and returns its error in the form that the answer shows.
func (g *Reads) done(err error) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if err == nil {
		g.read++
		return nil
	}
	if g.failed == nil {
		g.failed = err
	}
	return g.ofGraph(g.r, err)
}

// Board finds a board of the game; empty texts have their defaults. OfMe says that the caller
// will be looked for on it.
func (g *Reads) Board(mode, period, date, scope string, ofMe bool) (game.Board, error) {
	var faults []problem.Field
	b, err := api.Asked{Mode: mode, Period: period, Date: date, Scope: scope, OfMe: ofMe}.In(g.Game, g.Now(), func(name, detail string) {
		faults = append(faults, problem.At(name, detail))
	})
	if err == nil && len(faults) > 0 {
		err = problem.BadRequest(faults[0].Pointer+": "+faults[0].Detail, faults...)
	}
	if err != nil {
		return b, g.ofGraph(g.r, err)
	}
	return b, nil
}

// Page is a page of a board.
func (g *Reads) Page(ctx context.Context, b game.Board, first int, after string) (Page, error) {
	if after != "" && g.Store.CheckCursor(b, after) != nil {
		return Page{}, g.ofGraph(g.r, problem.BadRequest("after: invalid cursor for this board; restart without a cursor"))
	}
	if g.plan(graphPage(b)) {
		return api.NewPage(game.Page{Board: b, Entries: make([]game.Entry, 1)}, ""), nil
	}
	read, err := g.Reads.Page(ctx, b, game.PageRequest{Limit: int64(first), Cursor: after})
	if err != nil {
		return Page{}, g.done(err)
	}
	g.LogStale(ctx, read.Found.Stale)
	fresh, while := g.FreshFor(read)
	g.keep(fresh, while, read.Degraded)
	page := api.NewPage(read.Found, g.Caller())
	if api.HasOwnRow(page.Entries) {
		g.isOwn()
	}
	return page, g.done(nil)
}

// Lookup ranks players among themselves.
func (g *Reads) Lookup(ctx context.Context, b game.Board, players []string) ([]Entry, error) {
	if g.plan(graphLookup(b)) {
		return nil, nil
	}
	read, err := g.Reads.Lookup(ctx, b, players)
	g.keepAsPage(read.Degraded)
	return api.NewEntries(b, read.Found, g.Caller()), g.done(err)
}

// Card is a player's card; nil if the player is not on the board.
func (g *Reads) Card(ctx context.Context, b game.Board, player string) (*Card, error) {
	if g.plan(graphCardOf(b)) {
		return &Card{Board: api.NewBoard(b)}, nil
	}
	read, err := g.Reads.Card(ctx, b, player)
	if player == g.Caller() {
		g.isOwn()
	}
	g.keepAsPage(read.Degraded)
	switch {
	case errors.Is(err, leaderboard.ErrNotOnBoard):
		return nil, g.done(nil)
	case err != nil:
		return nil, g.done(err)
	}
	card := g.NewCard(ctx, b, read.Found, g.Caller())
	return &card, g.done(nil)
}

// Names are the profiles of players.
func (g *Reads) Names(ctx context.Context, players []string) (map[string]game.Profile, error) {
	for _, id := range players {
		if err := game.ValidPlayer(id); err != nil {
			return nil, g.ofGraph(g.r, problem.BadRequest("a player's id is not valid: "+err.Error()))
		}
	}
	if g.plan(graphNames) {
		return nil, nil
	}
	g.keepAsPage(budget.Measures{})
	names, err := g.Store.Names(ctx, players)
	return names, g.done(err)
}

// Me is the caller. Callers who are neither player nor device are refused.
func (g *Reads) Me() (string, error) {
	g.isOwn()
	if id := g.r.Caller.Player.ID; id != "" {
		return id, nil
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	_, err := g.Gate.Anyone(g.r.Request)
	g.nobody = err
	return "", Problem{problem.Of(err)}
}

// SignedIn is the caller. Callers who are not signed-in players are refused.
func (g *Reads) SignedIn() (string, error) {
	player, err := g.Me()
	if err == nil && g.r.Caller.IsDevice() {
		err = Problem{problem.SignInFirst()}
	}
	return player, err
}

// Standing is the XP and the streak of the caller.
func (g *Reads) Standing(ctx context.Context, player string) (Standing, error) {
	if g.plan(api.MeReserved(g.Game)) {
		return Standing{}, nil
	}
	me, err := g.Store.Me(ctx, player, g.more)
	if err != nil {
		return Standing{}, g.done(err)
	}
	return api.NewStanding(g.Game, me), g.done(nil)
}

// more holds what a read costs beyond its price, up to the most that a query may cost.
func (g *Reads) more(ctx context.Context, commands int) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if price := g.price + commands; price > MostCommands {
		return TooMuch(fmt.Sprintf("this would now cost %d Redis commands, since days are not closed yet; the limit of a query is %d: use GET /v1/me", price, MostCommands))
	}
	g.price += commands
	return gate.CostsMore(ctx, commands)
}

// Friends are the caller's friends, up to most of them.
func (g *Reads) Friends(ctx context.Context, player string, most int) ([]Friend, error) {
	if g.Endpoints.Friends == nil {
		return nil, g.ofGraph(g.r, problem.NoFriends())
	}
	if g.plan(graphFriends) {
		return make([]Friend, 1), nil
	}
	all, err := g.Endpoints.Friends.Relations(ctx, player)
	if err != nil {
		return nil, g.done(err)
	}
	shown, err := friend.Show(ctx, g.Store, all.Friends[:min(most, len(all.Friends))])
	if err != nil {
		return nil, g.done(err)
	}
	return shown[0], g.done(nil)
}

// Duels are the caller's newest duels.
func (g *Reads) Duels(ctx context.Context, player string, most int) ([]Duel, error) {
	if g.plan(graphDuels(most)) {
		return make([]Duel, 1), nil
	}
	found, err := g.Endpoints.Duels.Newest(ctx, player, most)
	shown := make([]Duel, len(found))
	for i, d := range found {
		shown[i] = duel.Show(g.Game, d, g.r.Caller)
	}
	return shown, g.done(err)
}

// Duel is a duel that the caller may see.
func (g *Reads) Duel(ctx context.Context, id, player string) (Duel, error) {
	if err := duel.ValidID(id); err != nil {
		return Duel{}, g.ofGraph(g.r, problem.BadRequest("id: "+err.Error()))
	}
	if g.plan(graphDuel) {
		return Duel{}, nil
	}
	found, err := g.Endpoints.Duels.See(ctx, id, player)
	if err != nil {
		return Duel{}, g.done(err)
	}
	return duel.Show(g.Game, found, g.r.Caller), g.done(nil)
}

// Failed notes an error that is not of a read, and returns it in the form that the answer
// shows.
func (g *Reads) Failed(err error) error { return g.done(err) }

// Caller is the player who asks; empty: unknown.
func (g *Reads) Caller() string { return g.r.Caller.Player.ID }

func (g *Reads) isOwn() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.own = true
}

// keep notes how long caches may keep a part of the answer.
func (g *Reads) keep(fresh, while time.Duration, m budget.Measures) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.fresh, g.while = min(g.fresh, fresh), min(g.while, while)
	g.lacks = g.lacks.Or(m)
}

// keepAsPage notes that a part was read just now and may be cached like a page of an open
// board.
func (g *Reads) keepAsPage(m budget.Measures) {
	while := min(g.Game.Refresh, g.Game.Cache/2)
	g.keep(g.Game.Cache-while, while, m)
}

// Price is what a query costs at most, as it was planned.
func (g *Reads) Price() int { return g.price }
