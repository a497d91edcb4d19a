package api

import (
	openapi "github.com/framedle/leaderboards/api"
	"github.com/framedle/leaderboards/internal/dealing"
	"github.com/framedle/leaderboards/internal/devices"
	"github.com/framedle/leaderboards/internal/duel"
	"github.com/framedle/leaderboards/internal/earnings"
	"github.com/framedle/leaderboards/internal/friends"
	"github.com/framedle/leaderboards/internal/friendships"
	"github.com/framedle/leaderboards/internal/gate"
	"github.com/framedle/leaderboards/internal/limit"
	"github.com/framedle/leaderboards/internal/matches"
	"github.com/framedle/leaderboards/internal/ops"
	"github.com/framedle/leaderboards/internal/race"
	"github.com/framedle/leaderboards/internal/roster"
	"github.com/framedle/leaderboards/internal/world"
)

// route is a row of the tables below: what holds for every request of one route before its
// handler runs.
type route struct {
	pattern string        // method and path, as ServeMux reads them
	may     gate.Access   // who may call it
	limit   limit.Class   // the limit that it counts against, see gate.Keeper.Count; empty: none
	body    gate.BodyRule // how its body is read
	price   price         // what one request can cost, see prices.go
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
func (r route) terms() gate.Terms {
	return gate.Terms{
		May: r.may, Limit: r.limit, Body: r.body, Held: r.price.held, Keyed: r.key == keyed, Waits: r.while == waits,
	}
}

// Each function of the deployment has a table of its own. The table makes the handlers that
// it names, so that the linker leaves all other handlers out of the function.
//
// A route that only holders of a key of the deployment may call costs them nothing: the
// limits do not count them.

// submitRoutes are the routes of the function submit.
func submitRoutes(a *API) []route {
	scores := scores{a}
	plays := dealing.Endpoints{Game: a.Game, Now: a.Now, Dealer: a.Plays, Reader: a.reader}
	return []route{
		{"POST /v1/scores", gate.AnyPlayerOrServer, limit.Submit, gate.Whole, scorePrice(a.Game), keyed, waits, scores.postScore},
		{"POST /v1/scores/batch", gate.GameServer, limit.Submit, gate.WholeBatch, free, keyed, waits, scores.postScores},
		{"POST /v1/plays", gate.AnyPlayerOrServer, limit.Boards, gate.Whole, free, unkeyed, goesOn, plays.PostPlay},
	}
}

// enqueueRoutes are the routes of the function enqueue, which replaces submit on the route
// that both have.
func enqueueRoutes(a *API, q Queue) []route {
	enqueue := enqueue{scores{a}, q}
	return []route{
		{"POST /v1/scores", gate.AnyPlayerOrServer, limit.Submit, gate.Whole, scorePrice(a.Game), keyed, waits, enqueue.postScore},
	}
}

// leaderboardRoutes are the routes of the function leaderboard.
func leaderboardRoutes(a *API, live liveEndpoints) []route {
	boards := boards{a}
	worlds := worlds{boards, world.Reader{Boards: a.Boards}}
	feed, present, badges := feed{a}, present{a}, badgesOf(a)
	game, document := description{a}, newDocument(openapi.Document)
	return []route{
		{"GET /v1/leaderboards/{mode}", gate.Anybody, limit.Boards, gate.Unread, look(boardPrice), unkeyed, goesOn, boards.getPage},
		{"GET /v1/leaderboards/{mode}/players/{player}", gate.AnybodyOrMe, limit.Boards, gate.Unread, look(countryCard), unkeyed, goesOn, boards.getCard},
		{"GET /v1/leaderboards/{mode}/around/{player}", gate.AnybodyOrMe, limit.Boards, gate.Unread, look(boardPrice), unkeyed, goesOn, boards.getAround},
		{"POST /v1/leaderboards/{mode}/lookup", gate.Anybody, limit.Boards, gate.Whole, look(boardPrice), unkeyed, goesOn, boards.postLookup},
		{"GET /v1/leaderboards/{mode}/distribution", gate.Anybody, limit.Boards, gate.Unread, look(distributionPrice), unkeyed, goesOn, boards.getDistribution},
		{"GET /v1/leaderboards/{mode}/world", gate.Anybody, limit.Boards, gate.Unread, upTo(worldPrice), unkeyed, goesOn, worlds.getWorld},
		{"GET /v1/leaderboards/{mode}/friends", gate.SignedIn, limit.Boards, gate.Unread, look(boardPrice), unkeyed, goesOn, boards.getFriends},
		{"GET /v1/live/{mode}", gate.Anybody, limit.Boards, gate.Unread, look(boardPrice), unkeyed, goesOn, live.board},
		{"GET /v1/live/duels/{id}", gate.PlayerOrServer, limit.Boards, gate.Unread, upTo(2), unkeyed, goesOn, live.duel},
		{"GET /v1/feed", gate.Anybody, limit.Boards, gate.Unread, upTo(feedPrice), unkeyed, goesOn, feed.getFeed},
		{"GET /v1/presence", gate.Anybody, limit.Boards, gate.Unread, upTo(presencePrice), unkeyed, goesOn, gate.NoQuery(present.getPresence)},
		{"GET /v1/players/{player}/badges", gate.AnybodyOrMe, limit.Boards, gate.Unread, free, unkeyed, goesOn, badges.GetBadges},
		{"GET /v1/live/races/{id}", gate.SignedIn, limit.Boards, gate.Unread, upTo(14), unkeyed, goesOn, live.race},
		{"GET /v1/game", gate.Anybody, limit.Boards, gate.Unread, free, unkeyed, goesOn, gate.NoQuery(game.getGame)},
		{"GET /openapi.yaml", gate.Anybody, limit.Boards, gate.Unread, free, unkeyed, goesOn, document.getOpenAPI},
	}
}

// meRoutes are the routes of the function me.
func meRoutes(a *API, s Services) []route {
	me := me{a, s, badgesOf(a)}
	anonymous := devices.Endpoints{
		Game: a.Game, Now: a.Now, Gate: a.Gate, Tokens: a.Devices, Claims: s.Claims, Claimed: a.claimed,
		Profiles: a.Profiles, History: a.History,
	}
	exports := exports{a, s.People}
	earned := earnings.Endpoints{
		Game: a.Game, Gate: a.Gate, Notices: a.Notices, Wallets: a.Wallets, Leagues: s.Leagues, Results: s.People,
	}
	return []route{
		{"GET /v1/me", gate.AnyPlayer, limit.Boards, gate.Unread, price{mePrice, meHeld(a.Game)}, unkeyed, goesOn, gate.NoQuery(me.getMe)},
		{"PATCH /v1/me", gate.Renamer, limit.Boards, gate.Whole, upTo(8), unkeyed, waits, gate.NoQuery(me.patchMe)},
		{"DELETE /v1/me", gate.SignedIn, limit.Boards, gate.Unread, price{erasureMost, erasureOf}, unkeyed, waits, gate.NoQuery(me.deleteMe)},
		{"GET /v1/me/results", gate.AnyPlayer, limit.Boards, gate.Unread, price{resultsPrice, resultsHeld(a.Game)}, unkeyed, goesOn, earned.GetResults},
		{"GET /v1/leagues/me", gate.AnyPlayer, limit.Boards, gate.Unread, price{leaguePrice, leagueHeld}, unkeyed, goesOn, gate.NoQuery(earned.GetLeague)},
		{"GET /v1/me/export", gate.SignedIn, limit.Boards, gate.Unread, upTo(250), unkeyed, goesOn, exports.getExport},
		{"GET /v1/me/badges", gate.AnyPlayer, limit.Boards, gate.Unread, free, unkeyed, goesOn, me.badges.GetOwnBadges},
		{"GET /v1/me/wallets", gate.AnyPlayer, limit.Boards, gate.Unread, upTo(walletPrice), unkeyed, goesOn, gate.NoQuery(earned.GetWallets)},
		{"POST /v1/me/wallets/{currency}/spend", gate.PlayerOrServer, limit.Purchases, gate.Whole, upTo(spendPrice), keyed, waits, earned.PostSpend},
		{"POST /v1/devices", gate.Newcomer, limit.Devices, gate.OrNone, free, unkeyed, goesOn, gate.NoQuery(anonymous.PostDevice)},
		// 633 for a device with one day in framedle and its open weeks and months
		{"POST /v1/me/claim", gate.Claimant, limit.Devices, gate.Whole, upTo(700), keyed, waits, gate.NoQuery(anonymous.PostClaim)},
	}
}

// friendsRoutes are the routes of the function friends.
func friendsRoutes(a *API, with friendships.Friends) []route {
	f := friendships.Endpoints{Gate: a.Gate, Friends: with, Names: a.Boards, Notices: a.Notices, Codes: a.Codes}
	may := gate.SignedIn
	if with == nil {
		may = gate.NoFriends
	}
	return []route{
		{"GET /v1/friends", may, limit.Boards, gate.Unread, upTo(2), unkeyed, goesOn, gate.NoQuery(f.GetFriends)},
		{"POST /v1/friends/requests", may, limit.Boards, gate.Whole, upTo(8), keyed, waits, gate.NoQuery(f.PostRequest)},
		{"POST /v1/friends/requests/{player}/accept", may, limit.Boards, gate.Nothing, upTo(12), keyed, waits, f.PostAccept},
		{"DELETE /v1/friends/requests/{player}", may, limit.Boards, gate.Nothing, upTo(8), unkeyed, waits, f.Ending(friends.Drop)},
		{"DELETE /v1/friends/{player}", may, limit.Boards, gate.Nothing, upTo(8), unkeyed, waits, f.Ending(friends.Remove)},
		{"PUT /v1/friends/blocks/{player}", may, limit.Boards, gate.Nothing, upTo(8), unkeyed, waits, f.Ending(friends.Block)},
		{"DELETE /v1/friends/blocks/{player}", may, limit.Boards, gate.Nothing, upTo(8), unkeyed, waits, f.Ending(friends.Unblock)},
		{"POST /v1/friends/invites", may, limit.Boards, gate.IfAny, upTo(3), keyed, waits, gate.NoQuery(f.PostInvite)},
		{"POST /v1/friends/invites/{code}/accept", may, limit.Boards, gate.Nothing, upTo(10), keyed, waits, f.PostInviteAccept},
	}
}

// duelRoutes are the routes of the function duel, which has races too.
func duelRoutes(a *API, of *duel.Store, with *race.Store) []route {
	both := matchesOf(a, of, with)
	duels, races := matches.Duels{Config: both}, matches.Races{Config: both}
	return []route{
		{"POST /v1/duels", gate.PlayerOrServer, limit.Duels, gate.OrNone, upTo(20), keyed, waits, duels.PostDuel},
		{"GET /v1/duels", gate.SignedIn, limit.Boards, gate.Unread, upTo(72), unkeyed, goesOn, duels.GetDuels},
		{"POST /v1/duels/queue", gate.SignedIn, limit.Duels, gate.OrNone, upTo(30), keyed, waits, duels.PostQueue},
		{"DELETE /v1/duels/queue", gate.SignedIn, limit.Boards, gate.Unread, upTo(3), unkeyed, waits, duels.DeleteQueue},
		{"GET /v1/duels/{id}", gate.PlayerOrServer, limit.Boards, gate.Unread, upTo(2), unkeyed, goesOn, duels.GetDuel},
		{"POST /v1/duels/{id}/accept", gate.SignedIn, limit.Duels, gate.OrNone, upTo(12), keyed, waits, duels.PostDuelAccept},
		{"POST /v1/duels/{id}/result", gate.PlayerOrServer, limit.Duels, gate.Whole, upTo(10), keyed, waits, duels.PostDuelResult},
		{"POST /v1/duels/{id}/rematch", gate.SignedIn, limit.Duels, gate.Nothing, upTo(20), keyed, waits, duels.PostRematch},
		{"POST /v1/races", gate.SignedIn, limit.Duels, gate.Whole, upTo(25), keyed, waits, gate.NoQuery(races.PostRace)},
		{"POST /v1/races/queue", gate.SignedIn, limit.Duels, gate.Whole, upTo(100), unkeyed, waits, gate.NoQuery(races.PostRaceQueue)},
		{"DELETE /v1/races/queue", gate.SignedIn, limit.Boards, gate.Unread, upTo(12), unkeyed, waits, gate.NoQuery(races.DeleteRaceQueue)},
		{"GET /v1/races/{id}", gate.SignedIn, limit.Boards, gate.Unread, upTo(14), unkeyed, goesOn, races.GetRace},
		{"POST /v1/races/{id}/join", gate.SignedIn, limit.Duels, gate.Nothing, upTo(20), unkeyed, waits, races.PostRaceJoin},
		{"POST /v1/races/{id}/progress", gate.SignedIn, limit.Duels, gate.Whole, upTo(5), unkeyed, waits, races.PostRaceProgress},
		{"POST /v1/races/{id}/leave", gate.SignedIn, limit.Duels, gate.Nothing, upTo(12), unkeyed, waits, races.PostRaceLeave},
	}
}

// graphRoutes are the routes of the function graphql.
func graphRoutes(a *API, g Graphs, f friendships.Friends, d *duel.Store) []route {
	graphs := graphs{a, f, d, g}
	return []route{
		{"POST /graphql", gate.Anybody, limit.Boards, wholeQuery, price{graphMost, 0}, unkeyed, goesOn, gate.NoQuery(graphs.postGraph)},
		{"GET /graphql", gate.Anybody, limit.Boards, gate.Unread, price{graphMost, 0}, unkeyed, goesOn, graphs.getGraph},
	}
}

// opsRoutes are the routes of the function ops.
func opsRoutes(a *API, s Services) []route {
	exports := exports{a, s.People}
	o := ops.New(ops.Config{
		Game: a.Game, Now: a.Now, Log: a.Log, Gate: a.Gate, Notices: a.Notices, Removals: s.Removals, People: s.People,
		Held: a.Held, Calendar: a.Calendar, Pass: scores{a}.pass,
		Status: s.Status, Dead: s.Dead, Usage: s.Usage, Plan: a.Plan, Budgets: Budgets,
	})
	return []route{
		{"PUT /v1/ops/bans/{player}", gate.Operator, "", gate.OrNone, free, unkeyed, waits, o.PutBan},
		{"DELETE /v1/ops/bans/{player}", gate.Operator, "", gate.Unread, free, unkeyed, waits, o.DeleteBan},
		{"GET /v1/ops/bans", gate.Operator, "", gate.Unread, free, unkeyed, goesOn, o.GetBans},
		{"GET /v1/ops/players/{player}", gate.Operator, "", gate.Unread, free, unkeyed, goesOn, exports.getPlayer},
		{"DELETE /v1/ops/players/{player}", gate.Operator, "", gate.Unread, free, unkeyed, waits, o.DeletePlayer},
		{"DELETE /v1/ops/scores", gate.Operator, "", gate.Whole, free, unkeyed, waits, gate.NoQuery(o.DeleteScore)},
		{"GET /v1/ops/health", gate.Operator, "", gate.Unread, free, unkeyed, goesOn, o.GetHealth},
		{"GET /v1/ops/log", gate.Operator, "", gate.Unread, free, unkeyed, goesOn, o.GetLog},
		{"GET /v1/ops/audit", gate.Operator, "", gate.Unread, free, unkeyed, goesOn, o.GetAudit},
		{"GET /v1/ops/held", gate.Operator, "", gate.Unread, free, unkeyed, goesOn, o.GetHeld},
		{"PUT /v1/ops/held/{id}", gate.Operator, "", gate.Unread, free, unkeyed, waits, o.PutHeld},
		{"DELETE /v1/ops/held/{id}", gate.Operator, "", gate.Unread, free, unkeyed, waits, o.DeleteHeld},
		{"GET /v1/ops/statistics", gate.Operator, "", gate.Unread, free, unkeyed, goesOn, o.GetStatistics},
		{"GET /v1/ops/maintenance", gate.Operator, "", gate.Unread, free, unkeyed, goesOn, gate.NoQuery(o.GetMaintenance)},
		{"PUT /v1/ops/maintenance", gate.Operator, "", gate.Whole, free, unkeyed, goesOn, gate.NoQuery(o.PutMaintenance)},
		{"DELETE /v1/ops/maintenance", gate.Operator, "", gate.Nothing, free, unkeyed, goesOn, gate.NoQuery(o.DeleteMaintenance)},
		{"GET /v1/ops/status", gate.Operator, "", gate.Unread, free, unkeyed, goesOn, gate.NoQuery(o.GetStatus)},
		{"GET /v1/ops/dead-letters", gate.Operator, "", gate.Unread, free, unkeyed, goesOn, gate.NoQuery(o.GetDeadLetters)},
		{"POST /v1/ops/dead-letters/redrive", gate.Operator, "", gate.Nothing, free, unkeyed, waits, gate.NoQuery(o.PostRedrive)},
		{"GET /v1/ops/usage", gate.Operator, "", gate.Unread, free, unkeyed, goesOn, o.GetUsage},
	}
}

// eventsRoutes are the routes of the function events.
func eventsRoutes(a *API) []route {
	events := events{a}
	return []route{
		{"POST /v1/events", gate.GameServer, "", gate.WholeBatch, free, unkeyed, waits, events.postEvents},
	}
}

// webhookRoutes are the routes of the function webhook.
func webhookRoutes(a *API, n *roster.Roster) []route {
	webhooks := webhooks{a, n}
	return []route{
		{"POST /v1/webhooks/clerk", gate.Clerk, "", wholeEvent, free, unkeyed, waits, webhooks.postClerk},
	}
}

// badgesOf makes the reader of players' badges.
func badgesOf(a *API) earnings.Badges {
	return earnings.NewBadges(a.Game, a.Now, a.problems, a.History)
}

// matchesOf is the Config of duels and races.
func matchesOf(a *API, duels *duel.Store, races *race.Store) matches.Config {
	return matches.Config{
		Game: a.Game, Now: a.Now, Gate: a.Gate, Notices: a.Notices, Secret: a.Secret, Dealer: a.Plays, Duels: duels, Races: races,
	}
}
