package api

import (
	openapi "github.com/framedle/leaderboards/api"
	"github.com/framedle/leaderboards/internal/duel"
	"github.com/framedle/leaderboards/internal/friends"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/limit"
	"github.com/framedle/leaderboards/internal/race"
	"github.com/framedle/leaderboards/internal/world"
)

// route is what holds of every request of one route before its handler begins.
type route struct {
	pattern string      // method and path, as ServeMux reads them
	may     access      // who may call it
	limit   limit.Class // what it counts as, see counted; empty: its callers are not counted
	body    bodyRule    // what is read of it
	cost    int         // the most that one request can cost, see prices.go
	key     keeping     // whether an Idempotency-Key is taken
	while   maintenance // whether it waits while nothing may be written
	serve   endpoint
}

// keeping says whether a route takes an Idempotency-Key.
type keeping bool

const (
	keyed   keeping = true
	unkeyed keeping = false
)

// maintenance says what a route does while nothing may be written.
type maintenance bool

const (
	waits  maintenance = true
	goesOn maintenance = false // it writes nothing, or sees to that very state
)

// terms are on what a request of the route is let in.
func (r route) terms(g *game.Game, befriending bool) terms {
	return terms{
		may: r.may, friends: befriending, limit: r.limit, body: r.body, held: r.held(g),
		keyed: r.key == keyed, waits: r.while == waits,
	}
}

// Each function of the deployment has a table of its own, and the table makes the
// handlers that it names: the linker leaves out of a function what its table does not
// lead to.
//
// Routes that only holders of a key of the deployment's own may use cost those
// nothing.

// submitRoutes are those of the function submit.
func submitRoutes(a *API) []route {
	plays := plays{a.scores}
	return []route{
		{"POST /v1/scores", anyPlayerOrServer, limit.Submit, whole, 18, keyed, waits, a.scores.postScore},
		{"POST /v1/scores/batch", gameServer, limit.Submit, wholeBatch, 0, keyed, waits, a.scores.postScores},
		{"POST /v1/plays", anyPlayerOrServer, limit.Boards, whole, 0, unkeyed, goesOn, plays.postPlay},
	}
}

// enqueueRoutes are those of the function enqueue, which takes the place of submit on
// the route that both have.
func enqueueRoutes(a *API, q Queue) []route {
	enqueue := enqueue{a.scores, a.config.Calendar, q}
	return []route{
		{"POST /v1/scores", anyPlayerOrServer, limit.Submit, whole, 18, keyed, waits, enqueue.postScore},
	}
}

// leaderboardRoutes are those of the function leaderboard.
func leaderboardRoutes(a *API, live liveEndpoints) []route {
	c, k, boards := a.config, a.kernel, a.boards
	worlds := worlds{boards, world.Reader{Boards: c.Boards}}
	feed, present, badges := newFeed(boards, c), present{c.Presence}, badgeLists{k, c.History}
	game, document := newDescription(k, c), newDocument(openapi.Document)
	return []route{
		{"GET /v1/leaderboards/{mode}", anybody, limit.Boards, unread, boardPrice, unkeyed, goesOn, boards.getPage},
		{"GET /v1/leaderboards/{mode}/players/{player}", anybodyOrMe, limit.Boards, unread, cardPrice, unkeyed, goesOn, boards.getCard},
		{"GET /v1/leaderboards/{mode}/around/{player}", anybodyOrMe, limit.Boards, unread, boardPrice, unkeyed, goesOn, boards.getAround},
		{"POST /v1/leaderboards/{mode}/lookup", anybody, limit.Boards, whole, boardPrice, unkeyed, goesOn, boards.postLookup},
		{"GET /v1/leaderboards/{mode}/distribution", anybody, limit.Boards, unread, distributionPrice, unkeyed, goesOn, boards.getDistribution},
		{worldBoard, anybody, limit.Boards, unread, worldPrice, unkeyed, goesOn, worlds.getWorld},
		{"GET /v1/leaderboards/{mode}/friends", signedIn, limit.Boards, unread, boardPrice, unkeyed, goesOn, boards.getFriends},
		{"GET /v1/live/{mode}", anybody, limit.Boards, unread, boardPrice, unkeyed, goesOn, live.board},
		{"GET /v1/live/duels/{id}", playerOrServer, limit.Boards, unread, 2, unkeyed, goesOn, live.duel},
		{"GET /v1/feed", anybody, limit.Boards, unread, feedPrice, unkeyed, goesOn, feed.getFeed},
		{"GET /v1/presence", anybody, limit.Boards, unread, presencePrice, unkeyed, goesOn, present.getPresence},
		{"GET /v1/players/{player}/badges", anybodyOrMe, limit.Boards, unread, 0, unkeyed, goesOn, badges.getBadges},
		{"GET /v1/live/races/{id}", signedIn, limit.Boards, unread, 14, unkeyed, goesOn, live.race},
		{"GET /v1/game", anybody, limit.Boards, unread, 0, unkeyed, goesOn, game.getGame},
		{"GET /openapi.yaml", anybody, limit.Boards, unread, 0, unkeyed, goesOn, document.getOpenAPI},
	}
}

// meRoutes are those of the function me.
func meRoutes(a *API, s Services) []route {
	c, k := a.config, a.kernel
	me := me{k, c.Boards, c.Profiles, c.History, c.Notices, c.Notices, s.Removals}
	devices := devices{k, c.Devices, s.Claims, a.scores.devices, c.Profiles, c.History}
	results, leagues, exports := ownResultsOf{c.Game, s.People}, leagues{c.Game, s.Leagues}, exports{c.Game, s.People}
	badges, wallets := badgeLists{k, c.History}, wallets{k, c.Wallets, c.Notices}
	return []route{
		{ownData, anyPlayer, limit.Boards, unread, mePrice, unkeyed, goesOn, me.getMe},
		{"PATCH /v1/me", renamer, limit.Boards, whole, 8, unkeyed, waits, devices.orPlayer(me)},
		{erasing, signedIn, limit.Boards, unread, erasureMost, unkeyed, waits, me.deleteMe},
		{ownResults, anyPlayer, limit.Boards, unread, resultsPrice, unkeyed, goesOn, results.getResults},
		{ownLeague, anyPlayer, limit.Boards, unread, leaguePrice, unkeyed, goesOn, leagues.getLeague},
		{"GET /v1/me/export", signedIn, limit.Boards, unread, 250, unkeyed, goesOn, exports.getExport},
		{"GET /v1/me/badges", anyPlayer, limit.Boards, unread, 0, unkeyed, goesOn, badges.getOwn},
		{"GET /v1/me/wallets", anyPlayer, limit.Boards, unread, walletPrice, unkeyed, goesOn, wallets.getWallets},
		{"POST /v1/me/wallets/{currency}/spend", playerOrServer, limit.Purchases, whole, spendPrice, keyed, waits, wallets.postSpend},
		{"POST /v1/devices", newcomer, limit.Devices, orNone, 0, unkeyed, goesOn, devices.postDevice},
		// 632 are due for a device with one day in framedle, beside living weeks and months.
		{"POST /v1/me/claim", claimant, limit.Devices, whole, 700, keyed, waits, devices.postClaim},
	}
}

// friendsRoutes are those of the function friends.
func friendsRoutes(a *API, with Friends) []route {
	c, k := a.config, a.kernel
	f := friendships{k, with, c.Boards, c.Notices, c.Notices}
	return []route{
		{"GET /v1/friends", befriender, limit.Boards, unread, 2, unkeyed, goesOn, f.getFriends},
		{"POST /v1/friends/requests", befriender, limit.Boards, whole, 8, keyed, waits, f.postRequest},
		{"POST /v1/friends/requests/{player}/accept", befriender, limit.Boards, nothing, 12, keyed, waits, f.postAccept},
		{"DELETE /v1/friends/requests/{player}", befriender, limit.Boards, nothing, 8, unkeyed, waits, f.ending(friends.Drop)},
		{"DELETE /v1/friends/{player}", befriender, limit.Boards, nothing, 8, unkeyed, waits, f.ending(friends.Remove)},
		{"PUT /v1/friends/blocks/{player}", befriender, limit.Boards, nothing, 8, unkeyed, waits, f.ending(friends.Block)},
		{"DELETE /v1/friends/blocks/{player}", befriender, limit.Boards, nothing, 8, unkeyed, waits, f.ending(friends.Unblock)},
		{"POST /v1/friends/invites", befriender, limit.Boards, ifAny, 3, keyed, waits, f.postInvite},
		{"POST /v1/friends/invites/{code}/accept", befriender, limit.Boards, nothing, 10, keyed, waits, f.postInviteAccept},
	}
}

// duelRoutes are those of the function duel, which has races too.
func duelRoutes(a *API, of *duel.Store, with *race.Store) []route {
	c, k := a.config, a.kernel
	d := duels{k, of, c.Notices, c.Notices, c.Secret}
	races := newRaces(a, with)
	return []route{
		{"POST /v1/duels", playerOrServer, limit.Duels, orNone, 20, keyed, waits, d.postDuel},
		{"GET /v1/duels", signedIn, limit.Boards, unread, 72, unkeyed, goesOn, d.getDuels},
		{"POST /v1/duels/queue", signedIn, limit.Duels, orNone, 30, keyed, waits, d.postQueue},
		{"DELETE /v1/duels/queue", signedIn, limit.Boards, unread, 3, unkeyed, waits, d.deleteQueue},
		{"GET /v1/duels/{id}", playerOrServer, limit.Boards, unread, 2, unkeyed, goesOn, d.getDuel},
		{"POST /v1/duels/{id}/accept", signedIn, limit.Duels, orNone, 12, keyed, waits, d.postDuelAccept},
		{"POST /v1/duels/{id}/result", playerOrServer, limit.Duels, whole, 10, keyed, waits, d.postDuelResult},
		{"POST /v1/duels/{id}/rematch", signedIn, limit.Duels, nothing, 20, keyed, waits, d.postRematch},
		{"POST /v1/races", signedIn, limit.Duels, whole, 25, keyed, waits, races.postRace},
		{"POST /v1/races/queue", signedIn, limit.Duels, whole, 100, unkeyed, waits, races.postRaceQueue},
		{"DELETE /v1/races/queue", signedIn, limit.Boards, unread, 12, unkeyed, waits, races.deleteRaceQueue},
		{"GET /v1/races/{id}", signedIn, limit.Boards, unread, 14, unkeyed, goesOn, races.getRace},
		{"POST /v1/races/{id}/join", signedIn, limit.Duels, nothing, 20, unkeyed, waits, races.postRaceJoin},
		{"POST /v1/races/{id}/progress", signedIn, limit.Duels, whole, 5, unkeyed, waits, races.postRaceProgress},
		{"POST /v1/races/{id}/leave", signedIn, limit.Duels, nothing, 12, unkeyed, waits, races.postRaceLeave},
	}
}

// graphRoutes are those of the function graphql.
func graphRoutes(a *API, g Graphs, f Friends, d *duel.Store) []route {
	graphs := graphs{a.kernel, a.boards, a.config.Boards, a.config.Boards, f, d, g}
	return []route{
		{"POST /graphql", anybody, limit.Boards, wholeQuery, graphMost, unkeyed, goesOn, graphs.postGraph},
		{keptQueries, anybody, limit.Boards, unread, graphMost, unkeyed, goesOn, graphs.getGraph},
	}
}

// opsRoutes are those of the function ops.
func opsRoutes(a *API, s Services) []route {
	c, k, acts := a.config, a.kernel, acts{a.kernel, s.People}
	o, lists, audit := ops{k, c.Notices, s.Removals}, operatorLists{s.People}, scoreAudits{k, s.People}
	exports, held := exports{c.Game, s.People}, heldPlays{a.scores, c.Notices, acts}
	state, status := maintaining{k.now, c.Notices, acts}, statusOf{s.Status}
	dead, usage := deadLetters{k, c.Notices, s.Dead, acts}, usages{k, s.Usage, c.Plan}
	return []route{
		{"PUT /v1/ops/bans/{player}", theOperator, "", orNone, 0, unkeyed, waits, o.putBan},
		{"DELETE /v1/ops/bans/{player}", theOperator, "", unread, 0, unkeyed, waits, o.deleteBan},
		{"GET /v1/ops/bans", theOperator, "", unread, 0, unkeyed, goesOn, lists.getBans},
		{"GET /v1/ops/players/{player}", theOperator, "", unread, 0, unkeyed, goesOn, exports.getPlayer},
		{"DELETE /v1/ops/players/{player}", theOperator, "", unread, 0, unkeyed, waits, o.deletePlayer},
		{"DELETE /v1/ops/scores", theOperator, "", whole, 0, unkeyed, waits, o.deleteScore},
		{"GET /v1/ops/health", theOperator, "", unread, 0, unkeyed, goesOn, o.getHealth},
		{"GET /v1/ops/log", theOperator, "", unread, 0, unkeyed, goesOn, lists.getLog},
		{"GET /v1/ops/audit", theOperator, "", unread, 0, unkeyed, goesOn, audit.getAudit},
		{"GET /v1/ops/held", theOperator, "", unread, 0, unkeyed, goesOn, held.getHeld},
		{"PUT /v1/ops/held/{id}", theOperator, "", unread, 0, unkeyed, waits, held.putHeld},
		{"DELETE /v1/ops/held/{id}", theOperator, "", unread, 0, unkeyed, waits, held.deleteHeld},
		{"GET /v1/ops/statistics", theOperator, "", unread, 0, unkeyed, goesOn, lists.getStatistics},
		{"GET /v1/ops/maintenance", theOperator, "", unread, 0, unkeyed, goesOn, state.getMaintenance},
		{"PUT /v1/ops/maintenance", theOperator, "", whole, 0, unkeyed, goesOn, state.putMaintenance},
		{"DELETE /v1/ops/maintenance", theOperator, "", nothing, 0, unkeyed, goesOn, state.deleteMaintenance},
		{"GET /v1/ops/status", theOperator, "", unread, 0, unkeyed, goesOn, status.getStatus},
		{"GET /v1/ops/dead-letters", theOperator, "", unread, 0, unkeyed, goesOn, dead.getDeadLetters},
		{"POST /v1/ops/dead-letters/redrive", theOperator, "", nothing, 0, unkeyed, waits, dead.postRedrive},
		{"GET /v1/ops/usage", theOperator, "", unread, 0, unkeyed, goesOn, usage.getUsage},
	}
}

// eventsRoutes are those of the function events.
func eventsRoutes(a *API) []route {
	events := events{a.config.Activity}
	return []route{
		{"POST /v1/events", gameServer, "", wholeBatch, 0, unkeyed, waits, events.postEvents},
	}
}

// webhookRoutes are those of the function webhook.
func webhookRoutes(a *API, n News) []route {
	webhooks := webhooks{a.config.Notices, n}
	return []route{
		{"POST /v1/webhooks/clerk", clerk, "", wholeEvent, 0, unkeyed, waits, webhooks.postClerk},
	}
}

func newRaces(a *API, of *race.Store) races {
	c := a.config
	return races{a.kernel, of, c.Notices, c.Notices, c.Secret, c.Plays}
}
