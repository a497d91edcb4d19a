package api

import (
	"github.com/framedle/leaderboards/internal/friends"
	"github.com/framedle/leaderboards/internal/limit"
)

// route is what holds of every request of one route before its handler begins.
// bind sees to it, column by column.
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

// routes are all that the product answers, by the function that serves them.
// Function enqueue takes the place of submit on the route that both have.
//
// Routes that only holders of a key of the deployment's own may use cost those
// nothing.
func (a *API) routes(s Services) map[string][]route {
	h := a.handlers(s)
	f, d, o := h.friends, h.duels, h.ops
	return map[string][]route{
		"submit": {
			{"POST /v1/scores", anyPlayerOrServer, limit.Submit, whole, 18, keyed, waits, h.scores.postScore},
			{"POST /v1/scores/batch", gameServer, limit.Submit, wholeBatch, 0, keyed, waits, h.scores.postScores},
			{"POST /v1/plays", anyPlayerOrServer, limit.Boards, whole, 0, unkeyed, goesOn, h.plays.postPlay},
		},
		"enqueue": {
			{"POST /v1/scores", anyPlayerOrServer, limit.Submit, whole, 18, keyed, waits, h.enqueue.postScore},
		},
		"leaderboard": {
			{"GET /v1/leaderboards/{mode}", anybody, limit.Boards, unread, boardPrice, unkeyed, goesOn, h.boards.getPage},
			{"GET /v1/leaderboards/{mode}/players/{player}", anybodyOrMe, limit.Boards, unread, cardPrice, unkeyed, goesOn, h.boards.getCard},
			{"GET /v1/leaderboards/{mode}/around/{player}", anybodyOrMe, limit.Boards, unread, boardPrice, unkeyed, goesOn, h.boards.getAround},
			{"POST /v1/leaderboards/{mode}/lookup", anybody, limit.Boards, whole, boardPrice, unkeyed, goesOn, h.boards.postLookup},
			{"GET /v1/leaderboards/{mode}/distribution", anybody, limit.Boards, unread, distributionPrice, unkeyed, goesOn, h.boards.getDistribution},
			{worldBoard, anybody, limit.Boards, unread, worldPrice, unkeyed, goesOn, h.worlds.getWorld},
			{"GET /v1/leaderboards/{mode}/friends", signedIn, limit.Boards, unread, boardPrice, unkeyed, goesOn, h.boards.getFriends},
			{"GET /v1/live/{mode}", anybody, limit.Boards, unread, boardPrice, unkeyed, goesOn, h.streams.getLive},
			{"GET /v1/live/duels/{id}", playerOrServer, limit.Boards, unread, 2, unkeyed, goesOn, h.liveDuels.getLiveDuel},
			{"GET /v1/feed", anybody, limit.Boards, unread, feedPrice, unkeyed, goesOn, h.feed.getFeed},
			{"GET /v1/presence", anybody, limit.Boards, unread, presencePrice, unkeyed, goesOn, h.present.getPresence},
			{"GET /v1/players/{player}/badges", anybodyOrMe, limit.Boards, unread, 0, unkeyed, goesOn, h.badges.getBadges},
			{"GET /v1/live/races/{id}", signedIn, limit.Boards, unread, 14, unkeyed, goesOn, h.liveRaces.getLiveRace},
			{"GET /v1/game", anybody, limit.Boards, unread, 0, unkeyed, goesOn, h.game.getGame},
			{"GET /openapi.yaml", anybody, limit.Boards, unread, 0, unkeyed, goesOn, h.document.getOpenAPI},
		},
		"me": {
			{ownData, anyPlayer, limit.Boards, unread, mePrice, unkeyed, goesOn, h.me.getMe},
			{"PATCH /v1/me", renamer, limit.Boards, whole, 8, unkeyed, waits, h.devices.orPlayer(h.me)},
			{erasing, signedIn, limit.Boards, unread, erasureMost, unkeyed, waits, h.me.deleteMe},
			{ownResults, anyPlayer, limit.Boards, unread, resultsPrice, unkeyed, goesOn, h.results.getResults},
			{ownLeague, anyPlayer, limit.Boards, unread, leaguePrice, unkeyed, goesOn, h.leagues.getLeague},
			{"GET /v1/me/export", signedIn, limit.Boards, unread, 250, unkeyed, goesOn, h.exports.getExport},
			{"GET /v1/me/badges", anyPlayer, limit.Boards, unread, 0, unkeyed, goesOn, h.badges.getOwn},
			{"GET /v1/me/wallets", anyPlayer, limit.Boards, unread, walletPrice, unkeyed, goesOn, h.wallets.getWallets},
			{"POST /v1/me/wallets/{currency}/spend", playerOrServer, limit.Purchases, whole, spendPrice, keyed, waits, h.wallets.postSpend},
			{"POST /v1/devices", newcomer, limit.Devices, orNone, 0, unkeyed, goesOn, h.devices.postDevice},
			// 632 are due for a device with one day in framedle, beside living weeks and months.
			{"POST /v1/me/claim", claimant, limit.Devices, whole, 700, keyed, waits, h.devices.postClaim},
		},
		"friends": {
			{"GET /v1/friends", befriender, limit.Boards, unread, 2, unkeyed, goesOn, f.getFriends},
			{"POST /v1/friends/requests", befriender, limit.Boards, whole, 8, keyed, waits, f.postRequest},
			{"POST /v1/friends/requests/{player}/accept", befriender, limit.Boards, nothing, 12, keyed, waits, f.postAccept},
			{"DELETE /v1/friends/requests/{player}", befriender, limit.Boards, nothing, 8, unkeyed, waits, f.ending(friends.Drop)},
			{"DELETE /v1/friends/{player}", befriender, limit.Boards, nothing, 8, unkeyed, waits, f.ending(friends.Remove)},
			{"PUT /v1/friends/blocks/{player}", befriender, limit.Boards, nothing, 8, unkeyed, waits, f.ending(friends.Block)},
			{"DELETE /v1/friends/blocks/{player}", befriender, limit.Boards, nothing, 8, unkeyed, waits, f.ending(friends.Unblock)},
			{"POST /v1/friends/invites", befriender, limit.Boards, ifAny, 3, keyed, waits, f.postInvite},
			{"POST /v1/friends/invites/{code}/accept", befriender, limit.Boards, nothing, 10, keyed, waits, f.postInviteAccept},
		},
		"duel": {
			{"POST /v1/duels", playerOrServer, limit.Duels, orNone, 20, keyed, waits, d.postDuel},
			{"GET /v1/duels", signedIn, limit.Boards, unread, 72, unkeyed, goesOn, d.getDuels},
			{"POST /v1/duels/queue", signedIn, limit.Duels, orNone, 30, keyed, waits, d.postQueue},
			{"DELETE /v1/duels/queue", signedIn, limit.Boards, unread, 3, unkeyed, waits, d.deleteQueue},
			{"GET /v1/duels/{id}", playerOrServer, limit.Boards, unread, 2, unkeyed, goesOn, d.getDuel},
			{"POST /v1/duels/{id}/accept", signedIn, limit.Duels, orNone, 12, keyed, waits, d.postDuelAccept},
			{"POST /v1/duels/{id}/result", playerOrServer, limit.Duels, whole, 10, keyed, waits, d.postDuelResult},
			{"POST /v1/duels/{id}/rematch", signedIn, limit.Duels, nothing, 20, keyed, waits, d.postRematch},
			{"POST /v1/races", signedIn, limit.Duels, whole, 25, keyed, waits, h.races.postRace},
			{"POST /v1/races/queue", signedIn, limit.Duels, whole, 100, unkeyed, waits, h.races.postRaceQueue},
			{"DELETE /v1/races/queue", signedIn, limit.Boards, unread, 12, unkeyed, waits, h.races.deleteRaceQueue},
			{"GET /v1/races/{id}", signedIn, limit.Boards, unread, 14, unkeyed, goesOn, h.races.getRace},
			{"POST /v1/races/{id}/join", signedIn, limit.Duels, nothing, 20, unkeyed, waits, h.races.postRaceJoin},
			{"POST /v1/races/{id}/progress", signedIn, limit.Duels, whole, 5, unkeyed, waits, h.races.postRaceProgress},
			{"POST /v1/races/{id}/leave", signedIn, limit.Duels, nothing, 12, unkeyed, waits, h.races.postRaceLeave},
		},
		"graphql": {
			{"POST /graphql", anybody, limit.Boards, wholeQuery, graphMost, unkeyed, goesOn, h.graphs.postGraph},
			{keptQueries, anybody, limit.Boards, unread, graphMost, unkeyed, goesOn, h.graphs.getGraph},
		},
		"ops": {
			{"PUT /v1/ops/bans/{player}", theOperator, "", orNone, 0, unkeyed, waits, o.putBan},
			{"DELETE /v1/ops/bans/{player}", theOperator, "", unread, 0, unkeyed, waits, o.deleteBan},
			{"GET /v1/ops/bans", theOperator, "", unread, 0, unkeyed, goesOn, h.lists.getBans},
			{"GET /v1/ops/players/{player}", theOperator, "", unread, 0, unkeyed, goesOn, h.exports.getPlayer},
			{"DELETE /v1/ops/players/{player}", theOperator, "", unread, 0, unkeyed, waits, o.deletePlayer},
			{"DELETE /v1/ops/scores", theOperator, "", whole, 0, unkeyed, waits, o.deleteScore},
			{"GET /v1/ops/health", theOperator, "", unread, 0, unkeyed, goesOn, o.getHealth},
			{"GET /v1/ops/log", theOperator, "", unread, 0, unkeyed, goesOn, h.lists.getLog},
			{"GET /v1/ops/audit", theOperator, "", unread, 0, unkeyed, goesOn, h.audit.getAudit},
			{"GET /v1/ops/held", theOperator, "", unread, 0, unkeyed, goesOn, h.held.getHeld},
			{"PUT /v1/ops/held/{id}", theOperator, "", unread, 0, unkeyed, waits, h.held.putHeld},
			{"DELETE /v1/ops/held/{id}", theOperator, "", unread, 0, unkeyed, waits, h.held.deleteHeld},
			{"GET /v1/ops/statistics", theOperator, "", unread, 0, unkeyed, goesOn, h.lists.getStatistics},
			{"GET /v1/ops/maintenance", theOperator, "", unread, 0, unkeyed, goesOn, h.state.getMaintenance},
			{"PUT /v1/ops/maintenance", theOperator, "", whole, 0, unkeyed, goesOn, h.state.putMaintenance},
			{"DELETE /v1/ops/maintenance", theOperator, "", nothing, 0, unkeyed, goesOn, h.state.deleteMaintenance},
			{"GET /v1/ops/status", theOperator, "", unread, 0, unkeyed, goesOn, h.status.getStatus},
			{"GET /v1/ops/dead-letters", theOperator, "", unread, 0, unkeyed, goesOn, h.dead.getDeadLetters},
			{"POST /v1/ops/dead-letters/redrive", theOperator, "", nothing, 0, unkeyed, waits, h.dead.postRedrive},
			{"GET /v1/ops/usage", theOperator, "", unread, 0, unkeyed, goesOn, h.usage.getUsage},
		},
		"events": {
			{"POST /v1/events", gameServer, "", wholeBatch, 0, unkeyed, waits, h.events.postEvents},
		},
		"webhook": {
			{"POST /v1/webhooks/clerk", clerk, "", wholeEvent, 0, unkeyed, waits, h.webhooks.postClerk},
		},
	}
}
