package api_test

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/dev/testkit"
)

// cost is what one call of a route costs in the steady state: the process has
// served the same before and knows what it keeps in memory.
type cost struct {
	call                 func(*stack) call
	commands, roundTrips int64
}

// asBudgeted means what the route's row has as Steady.
const asBudgeted = -1

// budgets are exact: a route that spends one command more fails, and one that
// spends less has its row lowered. n makes names that nobody has had.
func budgets() map[string][]cost {
	n := 0
	fresh := func(prefix string) string { n++; return fmt.Sprint(prefix, n) }
	byNew := func(c call) func(*stack) call {
		return func(s *stack) call { return s.as(fresh("user_n"), c) }
	}
	arranged := func(s *stack) string { return s.arrange(fresh("match"), "user_a", "user_b") }
	decided := func(s *stack) string {
		address := arranged(s)
		s.want(http.StatusOK, post(address+"/result", won).signed())
		return address
	}
	// befriending has one new player do something about another.
	befriending := func(c func(other string) call) func(*stack) call {
		return func(s *stack) call {
			me, other := fresh("user_n"), fresh("user_n")
			return asked(other, me, c(other))(s)
		}
	}
	buckets := 4 // a number of them that nobody asked for
	return map[string][]cost{
		"POST /v1/scores": {
			{byNew(post(scores, goodScore)), 2, 1},
			{as("user_a", post(scores, goodScore)), 2, 1}, // kept
			{as("user_a", asksFor("daily", "800", `"view":["around"]`)), 2, 1},
			{as("user_a", asksFor("daily", "800", `"view":["around","friends"]`)), 4, 3},
			{as("user_a", asksFor("daily", "800", `"view":["around","friends","week"]`)), asBudgeted, 4},
			{byNew(post(scores, `{"mode":"longest","score":5}`)), 2, 1},
			{byNew(post(scores, `{"mode":"newest","score":5}`)), 2, 1},
			{byNew(post(scores, fiveCoins).with("Idempotency-Key", "k")), 4, 1},
			{byNew(post(scores, goodScore).with("Idempotency-Key", "k")), 4, 3},
			{as("user_a", post(scores, goodScore).with("Idempotency-Key", "replayed")), 1, 1},
			{as("user_a", post(scores, `{"mode":"daily","score":"x"}`)), 0, 0},
			{plain(post(scores, goodScore)), 0, 0},
		},
		"POST /v1/scores/batch": {{plain(post(batch, goodBatch).signed()), asBudgeted, 1}},
		"POST /v1/events":       {{plain(post(eventsPath, goodEvents).signed()), asBudgeted, 0}}, // in a game without activity
		"GET /v1/leaderboards/{mode}": {
			{plain(get(daily)), 0, 0},
			{plain(get(daily + "?offset=1")), asBudgeted, 1},
		},
		"GET /v1/live/{mode}":    {{plain(get("/v1/live/daily")), asBudgeted, 0}},
		"POST /v1/races":         {{func(s *stack) call { s.waitingRace(""); return s.as(newRacer(), post(racesAt, `{"mode":"typed"}`)) }, asBudgeted, 2}},
		"POST /v1/races/queue":   {{func(s *stack) call { s.waitingRace(""); return s.as(newRacer(), post(raceQueueAt, `{"mode":"typed"}`)) }, asBudgeted, 8}},
		"DELETE /v1/races/queue": {{func(s *stack) call { _, player := s.waitingRace(""); return s.as(player, remove(raceQueueAt, "")) }, asBudgeted, 3}},
		"GET /v1/races/{id}": {{func(s *stack) call {
			path, player := s.waitingRace("")
			s.clock.Pass(2 * time.Second)
			return s.as(player, get(path))
		}, asBudgeted, 2}},
		"GET /v1/live/races/{id}": {{func(s *stack) call {
			path, player := s.waitingRace("")
			s.clock.Pass(2 * time.Second)
			return s.as(player, watchRace(path))
		}, asBudgeted, 2}},
		"POST /v1/races/{id}/join": {{func(s *stack) call {
			path, _ := s.waitingRace(`,"players":2`)
			return s.as(newRacer(), post(path+"/join", ""))
		}, asBudgeted, 4}},
		"POST /v1/races/{id}/progress": {{func(s *stack) call {
			path, players := s.startedRace()
			return s.as(players[0], post(path+"/progress", `{"progress":0.5}`))
		}, asBudgeted, 2}},
		"POST /v1/races/{id}/leave":                    {{func(s *stack) call { path, player := s.waitingRace(""); return s.as(player, post(path+"/leave", "")) }, asBudgeted, 2}},
		"GET /v1/live/duels/{id}":                      {{func(s *stack) call { return s.as("user_x", watchDuel(s.arrange(fresh("match"), "user_x", "user_y"))) }, asBudgeted, 1}},
		"GET /v1/leaderboards/{mode}/players/{player}": {{plain(get(card)), asBudgeted, 1}},
		"GET /v1/leaderboards/{mode}/around/{player}":  {{plain(get(around)), asBudgeted, 1}},
		"GET /v1/leaderboards/{mode}/distribution": {
			{plain(get(distribution)), 0, 0},
			{func(*stack) call { buckets++; return get(fmt.Sprint(distribution, "?buckets=", buckets)) }, asBudgeted, 1},
		},
		"POST /v1/plays": {{as("user_a", post(playsAt, `{"mode":"daily"}`)), asBudgeted, 0}},

		"POST /v1/leaderboards/{mode}/lookup": {{plain(post(lookup, goodLookup)), asBudgeted, 1}},
		"GET /v1/leaderboards/{mode}/friends": {{as("user_a", get(friendsBoard)), asBudgeted, 2}},

		"GET /v1/me": {{as("user_a", get(myself)), asBudgeted, 2}},
		"GET /v1/me/results": {
			{as("user_none", get(myResults)), asBudgeted, 1},
			{as("user_none", get(myResults+"?mode=daily")), 9, 1},
		},
		"GET /v1/leagues/me": {{as("user_a", get(leaguePath)), asBudgeted, 0}}, // in a game without leagues
		"GET /v1/me/export": {{func(s *stack) call { // a day played and one duel: not what other rows have left to a player
			me := fresh("user_n")
			s.play(me, "daily", "500")
			s.arrange(fresh("match"), me, "user_b")
			return s.as(me, get(myExport))
		}, asBudgeted, 13}},
		"PATCH /v1/me":                         {{as("user_a", patch(myself, `{"name":"Ana"}`)), asBudgeted, 2}},
		"DELETE /v1/me":                        {{byNew(remove(myself, "")), asBudgeted, 5}},
		"GET /v1/me/wallets":                   {{as("user_a", get(walletsPath)), asBudgeted, 0}},
		"POST /v1/me/wallets/{currency}/spend": {{as("user_a", post(spendPath, `{"amount":1}`).with("Idempotency-Key", "k")), asBudgeted, 0}},
		"GET /v1/me/badges":                    {{as("user_a", get(myBadges)), asBudgeted, 0}},
		"GET /v1/players/{player}/badges":      {{plain(get(theirBadges)), asBudgeted, 0}},
		"GET /v1/feed":                         {{fed(plain(get(feedPath))), asBudgeted, 4}},
		"GET /v1/leaderboards/{mode}/world":    {{merged(plain(get(worldPath))), asBudgeted, 2}},
		"GET /v1/presence":                     {{earns(plain(get(presencePath))), asBudgeted, 0}},
		"POST /v1/devices":                     {{plain(post(devicesPath, "")), asBudgeted, 0}},
		"POST /v1/me/claim":                    {{claiming("user_a"), asBudgeted, 6}},

		"GET /v1/friends":                           {{as("user_a", get(friendsPath)), asBudgeted, 0}},
		"POST /v1/friends/requests":                 {{byNew(post(requestsPath, `{"player":"user_a"}`)), asBudgeted, 1}},
		"POST /v1/friends/requests/{player}/accept": {{befriending(func(other string) call { return post(requestsPath+"/"+other+"/accept", "") }), asBudgeted, 1}},
		"DELETE /v1/friends/requests/{player}":      {{befriending(func(other string) call { return remove(requestsPath+"/"+other, "") }), asBudgeted, 1}},
		"DELETE /v1/friends/{player}":               {{befriending(func(other string) call { return remove(friendsPath+"/"+other, "") }), asBudgeted, 1}},
		"PUT /v1/friends/blocks/{player}":           {{befriending(func(other string) call { return put(blocksPath+"/"+other, "") }), asBudgeted, 1}},
		"DELETE /v1/friends/blocks/{player}":        {{befriending(func(other string) call { return remove(blocksPath+"/"+other, "") }), asBudgeted, 1}},
		"POST /v1/friends/invites":                  {{as("user_a", post(invitesPath, "")), asBudgeted, 0}},
		"GET /v1/friends/invites/{code}":            {{func(s *stack) call { return seen(fresh("user_n"), fresh("user_n"))(s) }, asBudgeted, 1}},
		"POST /v1/friends/invites/{code}/accept":    {{func(s *stack) call { return invited(fresh("user_n"), fresh("user_n"))(s) }, asBudgeted, 1}},

		"POST /v1/duels": {
			{as("user_a", post(duelsPath, `{"opponent":"user_b"}`)), asBudgeted, 2},
			{func(*stack) call {
				return post(duelsPath, fmt.Sprintf(`{"id":%q,"players":["user_a","user_b"]}`, fresh("match"))).signed()
			}, 7, 1},
		},
		"GET /v1/duels":               {{as("user_a", get(duelsPath+"?limit=1")), asBudgeted, 1}},
		"POST /v1/duels/queue":        {{func(s *stack) call { return s.as(fresh("user_q"), post(queuePath, `{}`)) }, asBudgeted, 4}},
		"DELETE /v1/duels/queue":      {{byNew(remove(queuePath, "")), asBudgeted, 1}},
		"GET /v1/duels/{id}":          {{func(s *stack) call { return s.as("user_a", get(arranged(s))) }, asBudgeted, 1}},
		"POST /v1/duels/{id}/accept":  {{func(s *stack) call { return s.as("user_b", post(s.challenge("user_a", `{}`)+"/accept", "")) }, asBudgeted, 3}},
		"POST /v1/duels/{id}/result":  {{func(s *stack) call { return post(arranged(s)+"/result", won).signed() }, asBudgeted, 1}},
		"POST /v1/duels/{id}/rematch": {{func(s *stack) call { return s.as("user_a", post(decided(s)+"/rematch", "")) }, asBudgeted, 3}},

		"POST /graphql": {
			{plain(asks(`{ board(mode: "daily") { total } }`)), 0, 0},
			{plain(asks(`{ players(ids: ["user_a"]) { card(mode: "daily") { rank } } }`)), asBudgeted, 1},
			{plain(asks(`{ board(mode: "daily", first: 0) { total } }`)), 0, 0},
		},
		"GET /graphql": {
			{plain(keptQuery("top.graphql", `{"mode":"daily"}`)), 0, 0},
			{plain(keptQuery("top-and-week.graphql", `{"mode":"daily"}`)), asBudgeted, 1},
		},

		"POST /v1/webhooks/clerk": {{func(s *stack) call { return s.told(fresh("msg_"), `{"type":"session.created","data":{}}`) }, asBudgeted, 2}},

		"PUT /v1/ops/bans/{player}":         {{operator(put(opsBan, `{"reason":"plays with a script"}`)), asBudgeted, 18}},
		"DELETE /v1/ops/bans/{player}":      {{operator(remove(opsBan, "")), asBudgeted, 1}},
		"DELETE /v1/ops/players/{player}":   {{operator(remove(opsErase, "")), asBudgeted, 1}},
		"DELETE /v1/ops/scores":             {{operator(remove(opsScores, goodOf)), asBudgeted, 16}},
		"GET /v1/ops/players/{player}":      {{operator(get(opsErase)), asBudgeted, 10}},
		"GET /v1/ops/bans":                  {{operator(get(opsBans)), asBudgeted, 0}},
		"GET /v1/ops/log":                   {{operator(get(opsLog)), asBudgeted, 0}},
		"GET /v1/ops/audit":                 {{auditing(operator(get(opsAudit))), asBudgeted, 0}},
		"GET /v1/ops/held":                  {{afterOne(operator(get(opsHeld))), asBudgeted, 0}},
		"PUT /v1/ops/held/{id}":             {{passing, asBudgeted, 5}},
		"DELETE /v1/ops/held/{id}":          {{dropping, asBudgeted, 4}},
		"GET /v1/ops/statistics":            {{operator(get(opsStatistics)), asBudgeted, 0}},
		"GET /v1/ops/health":                {{operator(get(opsHealth)), asBudgeted, 1}},
		"GET /v1/ops/usage":                 {{operator(get(opsUsage)), asBudgeted, 1}},
		"GET /v1/ops/status":                {{operator(get(opsStatus)), asBudgeted, 6}},
		"GET /v1/ops/dead-letters":          {{operator(get(opsDead)), asBudgeted, 0}},
		"POST /v1/ops/dead-letters/redrive": {{operator(post(opsRedrive, "")), asBudgeted, 0}},
		"GET /v1/ops/maintenance":           {{operator(get(opsMaintenance)), asBudgeted, 1}},
		"PUT /v1/ops/maintenance":           {{maintenance, asBudgeted, 2}, {operator(remove(opsMaintenance, "")), 1, 1}},
		"DELETE /v1/ops/maintenance":        {{operator(remove(opsMaintenance, "")), asBudgeted, 1}},
		"GET /v1/game":                      {{plain(get("/v1/game")), asBudgeted, 0}},
		"GET /openapi.yaml":                 {{plain(get("/openapi.yaml")), asBudgeted, 0}},
	}
}

// Every route of the document has a row, and none spends more or less than it
// says, by the client's meter and by Redis' own count.
func TestEveryRouteSpendsItsBudget(t *testing.T) {
	all := budgets()
	s := newStack(t)
	s.clock.Stop()                                          // what is fetched again after a time is not part of a row,
	s.elapsed = func() time.Duration { return time.Second } // however long the machine takes
	s.befriend()
	for _, player := range []string{"user_a", "user_b", "user_z"} {
		s.play(player, "daily", "500")
	}
	told := s.budgets()
	var routes []string
	for pattern := range s.contract.operations() {
		routes = append(routes, pattern)
		require.NotEmpty(t, all[pattern], "%s has no budget: add its row", pattern)
	}
	require.Len(t, all, len(routes), "a row is of no route")
	require.Len(t, told, len(routes), "a budget is of no route")
	slices.Sort(routes)
	for _, pattern := range routes {
		require.Contains(t, told, pattern, "the operator is told of no budget")
		dearest := slices.MaxFunc(all[pattern], func(a, b cost) int { return cmp.Compare(a.of(told[pattern]), b.of(told[pattern])) })
		require.Equal(t, told[pattern], dearest.of(told[pattern]), "%s: a row is dearer than what the operator is told", pattern)
		require.True(t, slices.ContainsFunc(all[pattern], func(c cost) bool { return c.commands == asBudgeted }), "%s: no row costs the budget", pattern)
		for i, row := range all[pattern] {
			t.Run(fmt.Sprint(pattern, " ", i), func(t *testing.T) {
				s := s.on(t)
				first := s.send(row.call(s)) // what a process asks once
				if pattern == "POST /v1/scores" {
					s.send(row.call(s)) // and tells others
				}
				c := row.call(s)
				before := s.billed()
				commands, roundTrips := s.spent(func() { s.want(first.status, c) })
				require.Equal(t, s.billed()-before, commands, "the meter and Redis itself disagree")
				require.Equal(t, row.of(told[pattern]), commands, "billed commands")
				require.Equal(t, row.roundTrips, roundTrips, "round trips")
			})
		}
	}
}

// budgets are what the operator is told that routes cost.
func (s *stack) budgets() map[string]int64 {
	budgets := map[string]int64{}
	for _, row := range rows(s, testkit.Game(s, s.game)) {
		pattern, steady := row.Pattern, row.Steady
		budgets[pattern] = int64(steady)
	}
	return budgets
}

// of is what the row's route may cost.
func (c cost) of(budget int64) int64 {
	if c.commands == asBudgeted {
		return budget
	}
	return c.commands
}

// billed is how many commands Redis has run that cost something.
func (s *stack) billed() int64 {
	stats, err := s.redis.Server.Redis().CommandStats(s.Context())
	require.NoError(s, err)
	return s.redis.Ran() - stats["ping"]
}
