package api

import (
	openapi "github.com/framedle/leaderboards/api"
	"github.com/framedle/leaderboards/internal/api/gate"
	"github.com/framedle/leaderboards/internal/api/limit"
	"github.com/framedle/leaderboards/internal/feature/device"
	"github.com/framedle/leaderboards/internal/feature/friend"
	"github.com/framedle/leaderboards/internal/feature/friend/friendapi"
	"github.com/framedle/leaderboards/internal/feature/matches"
	"github.com/framedle/leaderboards/internal/feature/play/playapi"
	"github.com/framedle/leaderboards/internal/feature/rewards"
	"github.com/framedle/leaderboards/internal/feature/world"
	"github.com/framedle/leaderboards/internal/platform/ops"
)

// route is a row of the table below: what holds for every request of one route before its
// handler runs.
type route struct {
	function string        // the function of template.yaml that serves it
	pattern  string        // method and path, as ServeMux reads them
	may      gate.Access   // who may call it
	limit    limit.Class   // the limit that it counts against, see gate.Keeper.Count; empty: none
	body     gate.BodyRule // how its body is read
	price    price         // what one request can cost, see prices.go
	key      keeping       // whether an Idempotency-Key is taken
	while    maintenance   // whether it waits while nothing may be written
	serve    gate.Endpoint
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

// intake is the table of the functions that take scores and events. It is separate because
// these functions are to start fastest: they link nothing that serves other routes.
func intake(a *API, s Services) []route {
	scores, plays := scores{a}, playapi.Endpoints{Game: a.Game, Now: a.Now, Dealer: a.Plays, Reader: a.reader}
	enqueue, events := enqueue{scores, s.Queue}, events{a}
	return []route{
		{"submit", "POST /v1/scores", gate.AnyPlayerOrServer, limit.Submit, gate.Whole, scorePrice(a.Game), keyed, waits, scores.postScore},
		{"submit", "POST /v1/scores/batch", gate.GameServer, limit.Submit, gate.WholeBatch, free, keyed, waits, scores.postScores},
		{"submit", "POST /v1/plays", gate.AnyPlayerOrServer, limit.Boards, gate.Whole, free, unkeyed, goesOn, plays.PostPlay},

		{"enqueue", "POST /v1/scores", gate.AnyPlayerOrServer, limit.Submit, gate.Whole, scorePrice(a.Game), keyed, waits, enqueue.postScore},

		{"events", "POST /v1/events", gate.GameServer, "", gate.WholeBatch, free, unkeyed, waits, events.postEvents},
	}
}

// routes is the table of all routes, function by function. A route that only holders of a key
// of the deployment may call costs them nothing: the limits do not count them.
func routes(a *API, s Services) []route {
	boards, live, feed, present := boards{a}, liveOf(a, s), feed{a}, present{a}
	worlds := worlds{boards, world.Reader{Boards: a.Boards}}
	badges := rewards.NewBadges(a.Game, a.Now, a.problems, a.History)
	game, document := description{a}, newDocument(openapi.Document)

	me, exports := me{a, s, badges}, exports{a, s.People}
	anonymous := device.Endpoints{
		Game: a.Game, Now: a.Now, Gate: a.Gate, Tokens: a.Devices, Claims: s.Claims, Claimed: a.claimed,
		Profiles: a.Profiles, History: a.History,
	}
	earned := rewards.Endpoints{
		Game: a.Game, Gate: a.Gate, Notices: a.Notices, Wallets: a.Wallets, Leagues: s.Leagues, Results: s.People,
	}

	f := friendapi.Endpoints{Gate: a.Gate, Friends: s.Friends, Names: a.Boards, Notices: a.Notices, Codes: a.Codes}
	befriend := gate.SignedIn
	if s.Friends == nil {
		befriend = gate.NoFriends
	}

	duels, races := matches.Duels{Config: matchesOf(a, s)}, matches.Races{Config: matchesOf(a, s)}
	graphs := graphs{a, s}
	o := ops.New(ops.Config{
		Game: a.Game, Now: a.Now, Log: a.Log, Gate: a.Gate, Notices: a.Notices, Removals: s.Removals, People: s.People,
		Held: a.Held, Calendar: a.Calendar, Pass: scores{a}.pass,
		Status: s.Status, Dead: s.Dead, Usage: s.Usage, Plan: a.Plan, Budgets: Budgets,
	})
	webhooks := webhooks{a, s.News}

	return append(intake(a, s), []route{
		{"leaderboard", "GET /v1/leaderboards/{mode}", gate.Anybody, limit.Boards, gate.Unread, look(boardPrice), unkeyed, goesOn, boards.getPage},
		{"leaderboard", "GET /v1/leaderboards/{mode}/players/{player}", gate.AnybodyOrMe, limit.Boards, gate.Unread, look(countryCard), unkeyed, goesOn, boards.getCard},
		{"leaderboard", "GET /v1/leaderboards/{mode}/around/{player}", gate.AnybodyOrMe, limit.Boards, gate.Unread, look(boardPrice), unkeyed, goesOn, boards.getAround},
		{"leaderboard", "POST /v1/leaderboards/{mode}/lookup", gate.Anybody, limit.Boards, gate.Whole, look(boardPrice), unkeyed, goesOn, boards.postLookup},
		{"leaderboard", "GET /v1/leaderboards/{mode}/distribution", gate.Anybody, limit.Boards, gate.Unread, look(distributionPrice), unkeyed, goesOn, boards.getDistribution},
		{"leaderboard", "GET /v1/leaderboards/{mode}/world", gate.Anybody, limit.Boards, gate.Unread, upTo(worldPrice), unkeyed, goesOn, worlds.getWorld},
		{"leaderboard", "GET /v1/leaderboards/{mode}/friends", gate.SignedIn, limit.Boards, gate.Unread, look(boardPrice), unkeyed, goesOn, boards.getFriends},
		{"leaderboard", "GET /v1/live/{mode}", gate.Anybody, limit.Boards, gate.Unread, look(boardPrice), unkeyed, goesOn, live.board},
		{"leaderboard", "GET /v1/live/duels/{id}", gate.PlayerOrServer, limit.Boards, gate.Unread, upTo(2), unkeyed, goesOn, live.duel},
		{"leaderboard", "GET /v1/feed", gate.Anybody, limit.Boards, gate.Unread, upTo(feedPrice), unkeyed, goesOn, feed.getFeed},
		{"leaderboard", "GET /v1/presence", gate.Anybody, limit.Boards, gate.Unread, upTo(presencePrice), unkeyed, goesOn, gate.NoQuery(present.getPresence)},
		{"leaderboard", "GET /v1/players/{player}/badges", gate.AnybodyOrMe, limit.Boards, gate.Unread, free, unkeyed, goesOn, badges.GetBadges},
		{"leaderboard", "GET /v1/live/races/{id}", gate.SignedIn, limit.Boards, gate.Unread, upTo(14), unkeyed, goesOn, live.race},
		{"leaderboard", "GET /v1/game", gate.Anybody, limit.Boards, gate.Unread, free, unkeyed, goesOn, gate.NoQuery(game.getGame)},
		{"leaderboard", "GET /openapi.yaml", gate.Anybody, limit.Boards, gate.Unread, free, unkeyed, goesOn, document.getOpenAPI},

		{"me", "GET /v1/me", gate.AnyPlayer, limit.Boards, gate.Unread, price{mePrice, meHeld(a.Game)}, unkeyed, goesOn, gate.NoQuery(me.getMe)},
		{"me", "PATCH /v1/me", gate.Renamer, limit.Boards, gate.Whole, upTo(8), unkeyed, waits, gate.NoQuery(me.patchMe)},
		{"me", "DELETE /v1/me", gate.SignedIn, limit.Boards, gate.Unread, price{erasureMost, erasureOf}, unkeyed, waits, gate.NoQuery(me.deleteMe)},
		{"me", "GET /v1/me/results", gate.AnyPlayer, limit.Boards, gate.Unread, price{resultsPrice, resultsHeld(a.Game)}, unkeyed, goesOn, earned.GetResults},
		{"me", "GET /v1/leagues/me", gate.AnyPlayer, limit.Boards, gate.Unread, price{leaguePrice, leagueHeld}, unkeyed, goesOn, gate.NoQuery(earned.GetLeague)},
		{"me", "GET /v1/me/export", gate.SignedIn, limit.Boards, gate.Unread, upTo(250), unkeyed, goesOn, exports.getExport},
		{"me", "GET /v1/me/badges", gate.AnyPlayer, limit.Boards, gate.Unread, free, unkeyed, goesOn, badges.GetOwnBadges},
		{"me", "GET /v1/me/wallets", gate.AnyPlayer, limit.Boards, gate.Unread, upTo(walletPrice), unkeyed, goesOn, gate.NoQuery(earned.GetWallets)},
		{"me", "POST /v1/me/wallets/{currency}/spend", gate.PlayerOrServer, limit.Purchases, gate.Whole, upTo(spendPrice), keyed, waits, earned.PostSpend},
		{"me", "POST /v1/devices", gate.Newcomer, limit.Devices, gate.OrNone, free, unkeyed, goesOn, gate.NoQuery(anonymous.PostDevice)},
		// 633 for a device with one day in framedle and its open weeks and months
		{"me", "POST /v1/me/claim", gate.Claimant, limit.Devices, gate.Whole, upTo(700), keyed, waits, gate.NoQuery(anonymous.PostClaim)},

		{"friends", "GET /v1/friends", befriend, limit.Boards, gate.Unread, upTo(2), unkeyed, goesOn, gate.NoQuery(f.GetFriends)},
		{"friends", "POST /v1/friends/requests", befriend, limit.Boards, gate.Whole, upTo(8), keyed, waits, gate.NoQuery(f.PostRequest)},
		{"friends", "POST /v1/friends/requests/{player}/accept", befriend, limit.Boards, gate.Nothing, upTo(12), keyed, waits, f.PostAccept},
		{"friends", "DELETE /v1/friends/requests/{player}", befriend, limit.Boards, gate.Nothing, upTo(8), unkeyed, waits, f.Ending(friend.Drop)},
		{"friends", "DELETE /v1/friends/{player}", befriend, limit.Boards, gate.Nothing, upTo(8), unkeyed, waits, f.Ending(friend.Remove)},
		{"friends", "PUT /v1/friends/blocks/{player}", befriend, limit.Boards, gate.Nothing, upTo(8), unkeyed, waits, f.Ending(friend.Block)},
		{"friends", "DELETE /v1/friends/blocks/{player}", befriend, limit.Boards, gate.Nothing, upTo(8), unkeyed, waits, f.Ending(friend.Unblock)},
		{"friends", "POST /v1/friends/invites", befriend, limit.Boards, gate.IfAny, upTo(3), keyed, waits, gate.NoQuery(f.PostInvite)},
		{"friends", "POST /v1/friends/invites/{code}/accept", befriend, limit.Boards, gate.Nothing, upTo(10), keyed, waits, f.PostInviteAccept},

		{"duel", "POST /v1/duels", gate.PlayerOrServer, limit.Duels, gate.OrNone, upTo(20), keyed, waits, duels.PostDuel},
		{"duel", "GET /v1/duels", gate.SignedIn, limit.Boards, gate.Unread, upTo(72), unkeyed, goesOn, duels.GetDuels},
		{"duel", "POST /v1/duels/queue", gate.SignedIn, limit.Duels, gate.OrNone, upTo(30), keyed, waits, duels.PostQueue},
		{"duel", "DELETE /v1/duels/queue", gate.SignedIn, limit.Boards, gate.Unread, upTo(3), unkeyed, waits, duels.DeleteQueue},
		{"duel", "GET /v1/duels/{id}", gate.PlayerOrServer, limit.Boards, gate.Unread, upTo(2), unkeyed, goesOn, duels.GetDuel},
		{"duel", "POST /v1/duels/{id}/accept", gate.SignedIn, limit.Duels, gate.OrNone, upTo(12), keyed, waits, duels.PostDuelAccept},
		{"duel", "POST /v1/duels/{id}/result", gate.PlayerOrServer, limit.Duels, gate.Whole, upTo(10), keyed, waits, duels.PostDuelResult},
		{"duel", "POST /v1/duels/{id}/rematch", gate.SignedIn, limit.Duels, gate.Nothing, upTo(20), keyed, waits, duels.PostRematch},
		{"duel", "POST /v1/races", gate.SignedIn, limit.Duels, gate.Whole, upTo(25), keyed, waits, gate.NoQuery(races.PostRace)},
		{"duel", "POST /v1/races/queue", gate.SignedIn, limit.Duels, gate.Whole, upTo(100), unkeyed, waits, gate.NoQuery(races.PostRaceQueue)},
		{"duel", "DELETE /v1/races/queue", gate.SignedIn, limit.Boards, gate.Unread, upTo(12), unkeyed, waits, gate.NoQuery(races.DeleteRaceQueue)},
		{"duel", "GET /v1/races/{id}", gate.SignedIn, limit.Boards, gate.Unread, upTo(14), unkeyed, goesOn, races.GetRace},
		{"duel", "POST /v1/races/{id}/join", gate.SignedIn, limit.Duels, gate.Nothing, upTo(20), unkeyed, waits, races.PostRaceJoin},
		{"duel", "POST /v1/races/{id}/progress", gate.SignedIn, limit.Duels, gate.Whole, upTo(5), unkeyed, waits, races.PostRaceProgress},
		{"duel", "POST /v1/races/{id}/leave", gate.SignedIn, limit.Duels, gate.Nothing, upTo(12), unkeyed, waits, races.PostRaceLeave},

		{"graphql", "POST /graphql", gate.Anybody, limit.Boards, wholeQuery, price{graphMost, 0}, unkeyed, goesOn, gate.NoQuery(graphs.postGraph)},
		{"graphql", "GET /graphql", gate.Anybody, limit.Boards, gate.Unread, price{graphMost, 0}, unkeyed, goesOn, graphs.getGraph},

		{"ops", "PUT /v1/ops/bans/{player}", gate.Operator, "", gate.OrNone, free, unkeyed, waits, o.PutBan},
		{"ops", "DELETE /v1/ops/bans/{player}", gate.Operator, "", gate.Unread, free, unkeyed, waits, o.DeleteBan},
		{"ops", "GET /v1/ops/bans", gate.Operator, "", gate.Unread, free, unkeyed, goesOn, o.GetBans},
		{"ops", "GET /v1/ops/players/{player}", gate.Operator, "", gate.Unread, free, unkeyed, goesOn, exports.getPlayer},
		{"ops", "DELETE /v1/ops/players/{player}", gate.Operator, "", gate.Unread, free, unkeyed, waits, o.DeletePlayer},
		{"ops", "DELETE /v1/ops/scores", gate.Operator, "", gate.Whole, free, unkeyed, waits, gate.NoQuery(o.DeleteScore)},
		{"ops", "GET /v1/ops/health", gate.Operator, "", gate.Unread, free, unkeyed, goesOn, o.GetHealth},
		{"ops", "GET /v1/ops/log", gate.Operator, "", gate.Unread, free, unkeyed, goesOn, o.GetLog},
		{"ops", "GET /v1/ops/audit", gate.Operator, "", gate.Unread, free, unkeyed, goesOn, o.GetAudit},
		{"ops", "GET /v1/ops/held", gate.Operator, "", gate.Unread, free, unkeyed, goesOn, o.GetHeld},
		{"ops", "PUT /v1/ops/held/{id}", gate.Operator, "", gate.Unread, free, unkeyed, waits, o.PutHeld},
		{"ops", "DELETE /v1/ops/held/{id}", gate.Operator, "", gate.Unread, free, unkeyed, waits, o.DeleteHeld},
		{"ops", "GET /v1/ops/statistics", gate.Operator, "", gate.Unread, free, unkeyed, goesOn, o.GetStatistics},
		{"ops", "GET /v1/ops/maintenance", gate.Operator, "", gate.Unread, free, unkeyed, goesOn, gate.NoQuery(o.GetMaintenance)},
		{"ops", "PUT /v1/ops/maintenance", gate.Operator, "", gate.Whole, free, unkeyed, goesOn, gate.NoQuery(o.PutMaintenance)},
		{"ops", "DELETE /v1/ops/maintenance", gate.Operator, "", gate.Nothing, free, unkeyed, goesOn, gate.NoQuery(o.DeleteMaintenance)},
		{"ops", "GET /v1/ops/status", gate.Operator, "", gate.Unread, free, unkeyed, goesOn, gate.NoQuery(o.GetStatus)},
		{"ops", "GET /v1/ops/dead-letters", gate.Operator, "", gate.Unread, free, unkeyed, goesOn, gate.NoQuery(o.GetDeadLetters)},
		{"ops", "POST /v1/ops/dead-letters/redrive", gate.Operator, "", gate.Nothing, free, unkeyed, waits, gate.NoQuery(o.PostRedrive)},
		{"ops", "GET /v1/ops/usage", gate.Operator, "", gate.Unread, free, unkeyed, goesOn, o.GetUsage},

		{"webhook", "POST /v1/webhooks/clerk", gate.Clerk, "", wholeEvent, free, unkeyed, waits, webhooks.postClerk},
	}...)
}

// matchesOf is the Config of duels and races.
func matchesOf(a *API, s Services) matches.Config {
	return matches.Config{
		Game: a.Game, Now: a.Now, Gate: a.Gate, Notices: a.Notices, Secret: a.Secret, Dealer: a.Plays, Duels: s.Duels, Races: s.Races,
	}
}
