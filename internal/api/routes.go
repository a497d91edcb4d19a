package api

import (
	openapi "github.com/framedle/leaderboards/api"
	"github.com/framedle/leaderboards/internal/dealing"
	"github.com/framedle/leaderboards/internal/devices"
	"github.com/framedle/leaderboards/internal/duel"
	"github.com/framedle/leaderboards/internal/earnings"
	"github.com/framedle/leaderboards/internal/friendships"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/gate"
	"github.com/framedle/leaderboards/internal/limit"
	"github.com/framedle/leaderboards/internal/matches"
	"github.com/framedle/leaderboards/internal/ops"
	"github.com/framedle/leaderboards/internal/race"
	"github.com/framedle/leaderboards/internal/world"
)

// route is a row of the tables below: what holds for every request of one route before its
// handler runs.
type route struct {
	pattern string        // method and path, as ServeMux reads them
	may     gate.Access   // who may call it
	limit   limit.Class   // the limit that it counts against, see gate.Keeper.Count; empty: none
	body    gate.BodyRule // how its body is read
	cost    int           // the most that one request can cost, see prices.go
	key     keeping       // whether an Idempotency-Key is taken
	while   maintenance   // whether it waits while nothing may be written
	serve   gate.Endpoint
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
	goesOn maintenance = false // it writes nothing, or manages maintenance itself
)

// terms are the terms on which the gate lets in a request of this route.
func (r route) terms(g *game.Game, befriending bool) gate.Terms {
	return gate.Terms{
		May: r.may, Friends: befriending, Limit: r.limit, Body: r.body, Held: r.held(g),
		Keyed: r.key == keyed, Waits: r.while == waits,
	}
}

// Each function of the deployment has a table of its own. The table makes the handlers that
// it names, so that the linker leaves all other handlers out of the function.
//
// A route that only holders of a key of the deployment may call costs them nothing: the
// limits do not count them.

// submitRoutes are the routes of the function submit.
func submitRoutes(a *API) []route {
	plays := dealing.New(dealing.Config{Game: a.game, Now: a.now, Dealer: a.config.Plays, Reader: a.scores.reader})
	return []route{
		{"POST /v1/scores", gate.AnyPlayerOrServer, limit.Submit, gate.Whole, 18, keyed, waits, a.scores.postScore},
		{"POST /v1/scores/batch", gate.GameServer, limit.Submit, gate.WholeBatch, 0, keyed, waits, a.scores.postScores},
		{"POST /v1/plays", gate.AnyPlayerOrServer, limit.Boards, gate.Whole, 0, unkeyed, goesOn, plays.PostPlay},
	}
}

// enqueueRoutes are the routes of the function enqueue, which replaces submit on the route
// that both have.
func enqueueRoutes(a *API, q Queue) []route {
	enqueue := enqueue{a.scores, a.config.Calendar, q}
	return []route{
		{"POST /v1/scores", gate.AnyPlayerOrServer, limit.Submit, gate.Whole, 18, keyed, waits, enqueue.postScore},
	}
}

// leaderboardRoutes are the routes of the function leaderboard.
func leaderboardRoutes(a *API, live liveEndpoints) []route {
	c, k, boards := a.config, a.kernel, a.boards
	worlds := worlds{boards, world.Reader{Boards: c.Boards}}
	feed, present, badges := newFeed(boards, c), present{c.Presence}, badgesOf(a)
	game, document := newDescription(k, c), newDocument(openapi.Document)
	return []route{
		{"GET /v1/leaderboards/{mode}", gate.Anybody, limit.Boards, gate.Unread, boardPrice, unkeyed, goesOn, boards.getPage},
		{"GET /v1/leaderboards/{mode}/players/{player}", gate.AnybodyOrMe, limit.Boards, gate.Unread, countryCard, unkeyed, goesOn, boards.getCard},
		{"GET /v1/leaderboards/{mode}/around/{player}", gate.AnybodyOrMe, limit.Boards, gate.Unread, boardPrice, unkeyed, goesOn, boards.getAround},
		{"POST /v1/leaderboards/{mode}/lookup", gate.Anybody, limit.Boards, gate.Whole, boardPrice, unkeyed, goesOn, boards.postLookup},
		{"GET /v1/leaderboards/{mode}/distribution", gate.Anybody, limit.Boards, gate.Unread, distributionPrice, unkeyed, goesOn, boards.getDistribution},
		{worldBoard, gate.Anybody, limit.Boards, gate.Unread, worldPrice, unkeyed, goesOn, worlds.getWorld},
		{"GET /v1/leaderboards/{mode}/friends", gate.SignedIn, limit.Boards, gate.Unread, boardPrice, unkeyed, goesOn, boards.getFriends},
		{"GET /v1/live/{mode}", gate.Anybody, limit.Boards, gate.Unread, boardPrice, unkeyed, goesOn, live.board},
		{"GET /v1/live/duels/{id}", gate.PlayerOrServer, limit.Boards, gate.Unread, 2, unkeyed, goesOn, live.duel},
		{"GET /v1/feed", gate.Anybody, limit.Boards, gate.Unread, feedPrice, unkeyed, goesOn, feed.getFeed},
		{"GET /v1/presence", gate.Anybody, limit.Boards, gate.Unread, presencePrice, unkeyed, goesOn, present.getPresence},
		{"GET /v1/players/{player}/badges", gate.AnybodyOrMe, limit.Boards, gate.Unread, 0, unkeyed, goesOn, badges.GetBadges},
		{"GET /v1/live/races/{id}", gate.SignedIn, limit.Boards, gate.Unread, 14, unkeyed, goesOn, live.race},
		{"GET /v1/game", gate.Anybody, limit.Boards, gate.Unread, 0, unkeyed, goesOn, game.getGame},
		{"GET /openapi.yaml", gate.Anybody, limit.Boards, gate.Unread, 0, unkeyed, goesOn, document.getOpenAPI},
	}
}

// meRoutes are the routes of the function me.
func meRoutes(a *API, s Services) []route {
	c, k := a.config, a.kernel
	me := me{k, c.Boards, c.Profiles, badgesOf(a), c.History, c.Notices, a.scores.claimed, c.Notices, s.Removals}
	anonymous := devices.New(devices.Config{
		Game: c.Game, Now: k.now, Gate: k.gate, Tokens: c.Devices, Claims: s.Claims, Claimed: a.scores.claimed,
		Profiles: c.Profiles, History: c.History,
	})
	exports := exports{c.Game, s.People}
	earned := earnings.New(earnings.Config{
		Game: c.Game, Gate: k.gate, Bans: c.Notices, Badges: me.badges, Wallets: c.Wallets, Leagues: s.Leagues, Results: s.People,
	})
	return []route{
		{ownData, gate.AnyPlayer, limit.Boards, gate.Unread, mePrice, unkeyed, goesOn, me.getMe},
		{"PATCH /v1/me", gate.Renamer, limit.Boards, gate.Whole, 8, unkeyed, waits, me.patchMe},
		{erasing, gate.SignedIn, limit.Boards, gate.Unread, erasureMost, unkeyed, waits, me.deleteMe},
		{ownResults, gate.AnyPlayer, limit.Boards, gate.Unread, resultsPrice, unkeyed, goesOn, earned.GetResults},
		{ownLeague, gate.AnyPlayer, limit.Boards, gate.Unread, leaguePrice, unkeyed, goesOn, earned.GetLeague},
		{"GET /v1/me/export", gate.SignedIn, limit.Boards, gate.Unread, 250, unkeyed, goesOn, exports.getExport},
		{"GET /v1/me/badges", gate.AnyPlayer, limit.Boards, gate.Unread, 0, unkeyed, goesOn, earned.GetOwnBadges},
		{"GET /v1/me/wallets", gate.AnyPlayer, limit.Boards, gate.Unread, walletPrice, unkeyed, goesOn, earned.GetWallets},
		{"POST /v1/me/wallets/{currency}/spend", gate.PlayerOrServer, limit.Purchases, gate.Whole, spendPrice, keyed, waits, earned.PostSpend},
		{"POST /v1/devices", gate.Newcomer, limit.Devices, gate.OrNone, 0, unkeyed, goesOn, anonymous.PostDevice},
		// 632 for a device with one day in framedle and its open weeks and months
		{"POST /v1/me/claim", gate.Claimant, limit.Devices, gate.Whole, 700, keyed, waits, anonymous.PostClaim},
	}
}

// friendsRoutes are the routes of the function friends.
func friendsRoutes(a *API, with friendships.Friends) []route {
	f := friendships.New(friendships.Config{Gate: a.gate, Friends: with, Names: a.config.Boards, Notices: a.config.Notices})
	return []route{
		{"GET /v1/friends", gate.Befriender, limit.Boards, gate.Unread, 2, unkeyed, goesOn, f.GetFriends},
		{"POST /v1/friends/requests", gate.Befriender, limit.Boards, gate.Whole, 8, keyed, waits, f.PostRequest},
		{"POST /v1/friends/requests/{player}/accept", gate.Befriender, limit.Boards, gate.Nothing, 12, keyed, waits, f.PostAccept},
		{"DELETE /v1/friends/requests/{player}", gate.Befriender, limit.Boards, gate.Nothing, 8, unkeyed, waits, f.DeleteRequest},
		{"DELETE /v1/friends/{player}", gate.Befriender, limit.Boards, gate.Nothing, 8, unkeyed, waits, f.DeleteFriend},
		{"PUT /v1/friends/blocks/{player}", gate.Befriender, limit.Boards, gate.Nothing, 8, unkeyed, waits, f.PutBlock},
		{"DELETE /v1/friends/blocks/{player}", gate.Befriender, limit.Boards, gate.Nothing, 8, unkeyed, waits, f.DeleteBlock},
		{"POST /v1/friends/invites", gate.Befriender, limit.Boards, gate.IfAny, 3, keyed, waits, f.PostInvite},
		{"POST /v1/friends/invites/{code}/accept", gate.Befriender, limit.Boards, gate.Nothing, 10, keyed, waits, f.PostInviteAccept},
	}
}

// duelRoutes are the routes of the function duel, which has races too.
func duelRoutes(a *API, of *duel.Store, with *race.Store) []route {
	m := matches.New(matchesOf(a, of, with))
	return []route{
		{"POST /v1/duels", gate.PlayerOrServer, limit.Duels, gate.OrNone, 20, keyed, waits, m.PostDuel},
		{"GET /v1/duels", gate.SignedIn, limit.Boards, gate.Unread, 72, unkeyed, goesOn, m.GetDuels},
		{"POST /v1/duels/queue", gate.SignedIn, limit.Duels, gate.OrNone, 30, keyed, waits, m.PostQueue},
		{"DELETE /v1/duels/queue", gate.SignedIn, limit.Boards, gate.Unread, 3, unkeyed, waits, m.DeleteQueue},
		{"GET /v1/duels/{id}", gate.PlayerOrServer, limit.Boards, gate.Unread, 2, unkeyed, goesOn, m.GetDuel},
		{"POST /v1/duels/{id}/accept", gate.SignedIn, limit.Duels, gate.OrNone, 12, keyed, waits, m.PostDuelAccept},
		{"POST /v1/duels/{id}/result", gate.PlayerOrServer, limit.Duels, gate.Whole, 10, keyed, waits, m.PostDuelResult},
		{"POST /v1/duels/{id}/rematch", gate.SignedIn, limit.Duels, gate.Nothing, 20, keyed, waits, m.PostRematch},
		{"POST /v1/races", gate.SignedIn, limit.Duels, gate.Whole, 25, keyed, waits, m.PostRace},
		{"POST /v1/races/queue", gate.SignedIn, limit.Duels, gate.Whole, 100, unkeyed, waits, m.PostRaceQueue},
		{"DELETE /v1/races/queue", gate.SignedIn, limit.Boards, gate.Unread, 12, unkeyed, waits, m.DeleteRaceQueue},
		{"GET /v1/races/{id}", gate.SignedIn, limit.Boards, gate.Unread, 14, unkeyed, goesOn, m.GetRace},
		{"POST /v1/races/{id}/join", gate.SignedIn, limit.Duels, gate.Nothing, 20, unkeyed, waits, m.PostRaceJoin},
		{"POST /v1/races/{id}/progress", gate.SignedIn, limit.Duels, gate.Whole, 5, unkeyed, waits, m.PostRaceProgress},
		{"POST /v1/races/{id}/leave", gate.SignedIn, limit.Duels, gate.Nothing, 12, unkeyed, waits, m.PostRaceLeave},
	}
}

// graphRoutes are the routes of the function graphql.
func graphRoutes(a *API, g Graphs, f friendships.Friends, d *duel.Store) []route {
	graphs := graphs{a.kernel, a.boards, a.config.Boards, a.config.Boards, f, d, g}
	return []route{
		{"POST /graphql", gate.Anybody, limit.Boards, wholeQuery, graphMost, unkeyed, goesOn, graphs.postGraph},
		{keptQueries, gate.Anybody, limit.Boards, gate.Unread, graphMost, unkeyed, goesOn, graphs.getGraph},
	}
}

// opsRoutes are the routes of the function ops.
func opsRoutes(a *API, s Services) []route {
	c, k := a.config, a.kernel
	exports := exports{c.Game, s.People}
	o := ops.New(ops.Config{
		Game: c.Game, Now: c.Now, Log: c.Log, Gate: k.gate, Notices: c.Notices, Removals: s.Removals, Lists: s.People, Audits: s.People,
		Held: c.Held, Calendar: c.Calendar, Pass: a.scores.pass,
		Status: s.Status, Dead: s.Dead, Usage: s.Usage, Plan: c.Plan, Budgets: Budgets,
	})
	return []route{
		{"PUT /v1/ops/bans/{player}", gate.Operator, "", gate.OrNone, 0, unkeyed, waits, o.PutBan},
		{"DELETE /v1/ops/bans/{player}", gate.Operator, "", gate.Unread, 0, unkeyed, waits, o.DeleteBan},
		{"GET /v1/ops/bans", gate.Operator, "", gate.Unread, 0, unkeyed, goesOn, o.GetBans},
		{"GET /v1/ops/players/{player}", gate.Operator, "", gate.Unread, 0, unkeyed, goesOn, exports.getPlayer},
		{"DELETE /v1/ops/players/{player}", gate.Operator, "", gate.Unread, 0, unkeyed, waits, o.DeletePlayer},
		{"DELETE /v1/ops/scores", gate.Operator, "", gate.Whole, 0, unkeyed, waits, o.DeleteScore},
		{"GET /v1/ops/health", gate.Operator, "", gate.Unread, 0, unkeyed, goesOn, o.GetHealth},
		{"GET /v1/ops/log", gate.Operator, "", gate.Unread, 0, unkeyed, goesOn, o.GetLog},
		{"GET /v1/ops/audit", gate.Operator, "", gate.Unread, 0, unkeyed, goesOn, o.GetAudit},
		{"GET /v1/ops/held", gate.Operator, "", gate.Unread, 0, unkeyed, goesOn, o.GetHeld},
		{"PUT /v1/ops/held/{id}", gate.Operator, "", gate.Unread, 0, unkeyed, waits, o.PutHeld},
		{"DELETE /v1/ops/held/{id}", gate.Operator, "", gate.Unread, 0, unkeyed, waits, o.DeleteHeld},
		{"GET /v1/ops/statistics", gate.Operator, "", gate.Unread, 0, unkeyed, goesOn, o.GetStatistics},
		{"GET /v1/ops/maintenance", gate.Operator, "", gate.Unread, 0, unkeyed, goesOn, o.GetMaintenance},
		{"PUT /v1/ops/maintenance", gate.Operator, "", gate.Whole, 0, unkeyed, goesOn, o.PutMaintenance},
		{"DELETE /v1/ops/maintenance", gate.Operator, "", gate.Nothing, 0, unkeyed, goesOn, o.DeleteMaintenance},
		{"GET /v1/ops/status", gate.Operator, "", gate.Unread, 0, unkeyed, goesOn, o.GetStatus},
		{"GET /v1/ops/dead-letters", gate.Operator, "", gate.Unread, 0, unkeyed, goesOn, o.GetDeadLetters},
		{"POST /v1/ops/dead-letters/redrive", gate.Operator, "", gate.Nothing, 0, unkeyed, waits, o.PostRedrive},
		{"GET /v1/ops/usage", gate.Operator, "", gate.Unread, 0, unkeyed, goesOn, o.GetUsage},
	}
}

// eventsRoutes are the routes of the function events.
func eventsRoutes(a *API) []route {
	events := events{a.config.Activity}
	return []route{
		{"POST /v1/events", gate.GameServer, "", gate.WholeBatch, 0, unkeyed, waits, events.postEvents},
	}
}

// webhookRoutes are the routes of the function webhook.
func webhookRoutes(a *API, n News) []route {
	webhooks := webhooks{a.config.Notices, n}
	return []route{
		{"POST /v1/webhooks/clerk", gate.Clerk, "", wholeEvent, 0, unkeyed, waits, webhooks.postClerk},
	}
}

// badgesOf makes the reader of players' badges.
func badgesOf(a *API) earnings.Badges {
	return earnings.NewBadges(a.game, a.now, a.problems, a.config.History)
}

// matchesOf is the Config of duels and races.
func matchesOf(a *API, duels *duel.Store, races *race.Store) matches.Config {
	c, k := a.config, a.kernel
	return matches.Config{
		Game: c.Game, Now: k.now, Gate: k.gate, Notices: c.Notices, Secret: c.Secret, Dealer: c.Plays, Duels: duels, Races: races,
	}
}
