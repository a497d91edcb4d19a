package api_test

import (
	"github.com/framedle/leaderboards/internal/dev/apitest"

	"cmp"
	"fmt"
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// cost is what one call of a route costs in the steady state: the process has
// served the same before and knows what it keeps in memory.
type cost struct {
	call                 func(*apitest.Stack) apitest.Call
	commands, roundTrips int64
}

// asBudgeted means what the route's row has as Steady.
const asBudgeted = -1

// budgets are exact: a route that spends one command more fails, and one that
// spends less has its row lowered. n makes names that nobody has had.
func budgets() map[string][]cost {
	n := 0
	fresh := func(prefix string) string { n++; return fmt.Sprint(prefix, n) }
	byNew := func(c apitest.Call) func(*apitest.Stack) apitest.Call {
		return func(s *apitest.Stack) apitest.Call { return s.As(fresh("user_n"), c) }
	}
	arranged := func(s *apitest.Stack) string { return s.Arrange(fresh("match"), "user_a", "user_b") }
	decided := func(s *apitest.Stack) string {
		address := arranged(s)
		s.Want(http.StatusOK, apitest.Post(address+"/result", apitest.Won).Signed())
		return address
	}
	// befriending has one new player do something about another.
	befriending := func(c func(other string) apitest.Call) func(*apitest.Stack) apitest.Call {
		return func(s *apitest.Stack) apitest.Call {
			me, other := fresh("user_n"), fresh("user_n")
			return apitest.Asked(other, me, c(other))(s)
		}
	}
	var ofOne, ofNone int64 // round trips of features in an export, of a player with one duel and of one without
	for _, trips := range map[string][2]int64{
		"memberships": {1, 1},
		"of duels":    {3, 2},
	} {
		ofOne, ofNone = ofOne+trips[0], ofNone+trips[1]
	}
	var blocks int64 // round trips for whom a player has blocked
	for _, trips := range map[string]int64{
		"friends": 1,
	} {
		blocks += trips
	}
	buckets := 4 // a number of them that nobody asked for
	return map[string][]cost{
		"POST /v1/scores": {
			{byNew(apitest.Post(apitest.Scores, apitest.GoodScore)), 2, 1},
			{apitest.As("user_a", apitest.Post(apitest.Scores, apitest.GoodScore)), 2, 1}, // kept
			{apitest.As("user_a", asksFor("daily", "800", `"view":["around"]`)), 2, 1},
			{apitest.As("user_a", asksFor("daily", "800", `"view":["around","week"]`)), 5, 2},
			{apitest.As("user_a", asksFor("daily", "800", `"view":["around","friends"]`)), 4, 3},
			{apitest.As("user_a", asksFor("daily", "800", `"view":["around","friends","week"]`)), asBudgeted, 4},
			{byNew(apitest.Post(apitest.Scores, `{"mode":"longest","score":5}`)), 2, 1},
			{byNew(apitest.Post(apitest.Scores, `{"mode":"newest","score":5}`)), 2, 1},
			{byNew(apitest.Post(apitest.Scores, fiveCoins).With("Idempotency-Key", "k")), 4, 1},
			{byNew(apitest.Post(apitest.Scores, apitest.GoodScore).With("Idempotency-Key", "k")), 4, 3},
			{apitest.As("user_a", apitest.Post(apitest.Scores, apitest.GoodScore).With("Idempotency-Key", "replayed")), 1, 1},
			{apitest.As("user_a", apitest.Post(apitest.Scores, `{"mode":"daily","score":"x"}`)), 0, 0},
			{apitest.Plain(apitest.Post(apitest.Scores, apitest.GoodScore)), 0, 0},
		},
		"POST /v1/scores/batch": {{apitest.Plain(apitest.Post(apitest.Batch, goodBatch).Signed()), asBudgeted, 1}},
		"POST /v1/events":       {{apitest.Plain(apitest.Post(apitest.EventsPath, apitest.GoodEvents).Signed()), asBudgeted, 0}}, // in a game without activity
		"GET /v1/leaderboards/{mode}": {
			{apitest.Plain(apitest.Get(apitest.Daily)), 0, 0},
			{apitest.Plain(apitest.Get(apitest.Daily + "?offset=1")), asBudgeted, 1},
		},
		"GET /v1/live/{mode}": {{apitest.Plain(apitest.Get("/v1/live/daily")), asBudgeted, 0}},
		"POST /v1/races": {{func(s *apitest.Stack) apitest.Call {
			s.WaitingRace("")
			return s.As(apitest.NewRacer(), apitest.Post(apitest.RacesAt, `{"mode":"typed"}`))
		}, asBudgeted, 3}},
		"POST /v1/races/queue": {{func(s *apitest.Stack) apitest.Call {
			s.WaitingRace("")
			return s.As(apitest.NewRacer(), apitest.Post(apitest.RaceQueueAt, `{"mode":"typed"}`))
		}, asBudgeted, 5 + 4*blocks}},
		"DELETE /v1/races/queue": {{func(s *apitest.Stack) apitest.Call {
			_, player := s.WaitingRace("")
			return s.As(player, apitest.Remove(apitest.RaceQueueAt, ""))
		}, asBudgeted, 3}},
		"GET /v1/races/{id}": {{func(s *apitest.Stack) apitest.Call {
			path, player := s.WaitingRace("")
			s.Clock.Pass(2 * time.Second)
			return s.As(player, apitest.Get(path))
		}, asBudgeted, 2}},
		"GET /v1/live/races/{id}": {{func(s *apitest.Stack) apitest.Call {
			path, player := s.WaitingRace("")
			s.Clock.Pass(2 * time.Second)
			return s.As(player, apitest.WatchRace(path))
		}, asBudgeted, 2}},
		"POST /v1/races/{id}/join": {{func(s *apitest.Stack) apitest.Call {
			path, _ := s.WaitingRace(`,"players":2`)
			return s.As(apitest.NewRacer(), apitest.Post(path+"/join", ""))
		}, asBudgeted, 4 + blocks}},
		"POST /v1/races/{id}/progress": {{func(s *apitest.Stack) apitest.Call {
			path, players := s.StartedRace()
			return s.As(players[0], apitest.Post(path+"/progress", `{"progress":0.5}`))
		}, asBudgeted, 2}},
		"POST /v1/races/{id}/leave": {{func(s *apitest.Stack) apitest.Call {
			path, player := s.WaitingRace("")
			return s.As(player, apitest.Post(path+"/leave", ""))
		}, asBudgeted, 2}},
		"GET /v1/live/duels/{id}": {{func(s *apitest.Stack) apitest.Call {
			return s.As("user_x", apitest.WatchDuel(s.Arrange(fresh("match"), "user_x", "user_y")))
		}, asBudgeted, 1}},
		"GET /v1/leaderboards/{mode}/players/{player}": {{apitest.Plain(apitest.Get(apitest.Card)), asBudgeted, 1}},
		"GET /v1/leaderboards/{mode}/around/{player}":  {{apitest.Plain(apitest.Get(around)), asBudgeted, 1}},
		"GET /v1/leaderboards/{mode}/distribution": {
			{apitest.Plain(apitest.Get(distribution)), 0, 0},
			{func(*apitest.Stack) apitest.Call {
				buckets++
				return apitest.Get(fmt.Sprint(distribution, "?buckets=", buckets))
			}, asBudgeted, 1},
		},
		"POST /v1/plays": {{apitest.As("user_a", apitest.Post(apitest.PlaysAt, `{"mode":"daily"}`)), asBudgeted, 0}},

		"POST /v1/leaderboards/{mode}/lookup": {{apitest.Plain(apitest.Post(apitest.Lookup, goodLookup)), asBudgeted, 1}},
		"GET /v1/leaderboards/{mode}/friends": {{apitest.As("user_a", apitest.Get(apitest.FriendsBoard)), asBudgeted, 2}},

		"GET /v1/me": {{apitest.As("user_a", apitest.Get(apitest.Myself)), asBudgeted, 2}},
		"GET /v1/me/results": {
			{apitest.As("user_none", apitest.Get(myResults)), asBudgeted, 1},
			{apitest.As("user_none", apitest.Get(myResults+"?mode=daily")), 9, 1},
		},
		"GET /v1/me/ranks":   {{apitest.As("user_a", apitest.Get(myRanks+"?mode=daily")), asBudgeted, 0}},
		"GET /v1/leagues/me": {{apitest.As("user_a", apitest.Get(apitest.LeaguePath)), asBudgeted, 0}}, // in a game without leagues
		"GET /v1/me/export": {{func(s *apitest.Stack) apitest.Call { // a day played and one duel: not what other rows have left to a player
			me := fresh("user_n")
			s.Play(me, "daily", "500")
			s.Arrange(fresh("match"), me, "user_b")
			return s.As(me, apitest.Get(apitest.MyExport))
		}, asBudgeted, 9 + ofOne}},
		"PATCH /v1/me":                         {{apitest.As("user_a", apitest.Patch(apitest.Myself, `{"name":"Ana"}`)), asBudgeted, 2}},
		"DELETE /v1/me":                        {{byNew(apitest.Remove(apitest.Myself, "")), asBudgeted, 5}},
		"GET /v1/me/wallets":                   {{apitest.As("user_a", apitest.Get(apitest.WalletsPath)), asBudgeted, 0}},
		"POST /v1/me/wallets/{currency}/spend": {{apitest.As("user_a", apitest.Post(apitest.SpendPath, `{"amount":1}`).With("Idempotency-Key", "k")), asBudgeted, 0}},
		"GET /v1/me/badges":                    {{apitest.As("user_a", apitest.Get(apitest.MyBadges)), asBudgeted, 0}},
		"GET /v1/players/{player}/badges":      {{apitest.Plain(apitest.Get(apitest.TheirBadges)), asBudgeted, 0}},
		"GET /v1/feed":                         {{apitest.Fed(apitest.Plain(apitest.Get(apitest.FeedPath))), asBudgeted, 4}},
		"GET /v1/leaderboards/{mode}/world":    {{apitest.Merged(apitest.Plain(apitest.Get(apitest.WorldPath))), asBudgeted, 2}},
		"GET /v1/presence":                     {{apitest.InGame(apitest.Counting, apitest.Plain(apitest.Get(apitest.PresencePath))), asBudgeted, 0}},
		"POST /v1/devices":                     {{apitest.Plain(apitest.Post(apitest.DevicesPath, "")), asBudgeted, 0}},
		"POST /v1/me/claim":                    {{apitest.Claiming("user_a"), asBudgeted, 6}},

		"GET /v1/friends":                           {{apitest.As("user_a", apitest.Get(apitest.FriendsPath)), asBudgeted, 0}},
		"POST /v1/friends/requests":                 {{byNew(apitest.Post(apitest.RequestsPath, `{"player":"user_a"}`)), asBudgeted, 1}},
		"POST /v1/friends/requests/{player}/accept": {{befriending(func(other string) apitest.Call { return apitest.Post(apitest.RequestsPath+"/"+other+"/accept", "") }), asBudgeted, 1}},
		"DELETE /v1/friends/requests/{player}":      {{befriending(func(other string) apitest.Call { return apitest.Remove(apitest.RequestsPath+"/"+other, "") }), asBudgeted, 1}},
		"DELETE /v1/friends/{player}":               {{befriending(func(other string) apitest.Call { return apitest.Remove(apitest.FriendsPath+"/"+other, "") }), asBudgeted, 1}},
		"PUT /v1/friends/blocks/{player}":           {{befriending(func(other string) apitest.Call { return apitest.Put(apitest.BlocksPath+"/"+other, "") }), asBudgeted, 1}},
		"DELETE /v1/friends/blocks/{player}":        {{befriending(func(other string) apitest.Call { return apitest.Remove(apitest.BlocksPath+"/"+other, "") }), asBudgeted, 1}},
		"POST /v1/friends/invites":                  {{apitest.As("user_a", apitest.Post(apitest.InvitesPath, "")), asBudgeted, 0}},
		"GET /v1/friends/invites/{code}":            {{func(s *apitest.Stack) apitest.Call { return apitest.Seen(fresh("user_n"), fresh("user_n"))(s) }, asBudgeted, 1}},
		"POST /v1/friends/invites/{code}/accept":    {{func(s *apitest.Stack) apitest.Call { return apitest.Invited(fresh("user_n"), fresh("user_n"))(s) }, asBudgeted, 1}},

		"POST /v1/duels": {
			{apitest.As("user_a", apitest.Post(apitest.DuelsPath, `{"opponent":"user_b"}`)), asBudgeted, 1 + blocks},
			{func(*apitest.Stack) apitest.Call {
				return apitest.Post(apitest.DuelsPath, fmt.Sprintf(`{"id":%q,"players":["user_a","user_b"]}`, fresh("match"))).Signed()
			}, 7, 1},
		},
		"GET /v1/duels": {{apitest.As("user_a", apitest.Get(apitest.DuelsPath+"?limit=1")), asBudgeted, 1}},
		"POST /v1/duels/queue": {{func(s *apitest.Stack) apitest.Call {
			return s.As(fresh("user_q"), apitest.Post(apitest.QueuePath, `{}`))
		}, asBudgeted, 3 + blocks}},
		"DELETE /v1/duels/queue": {{byNew(apitest.Remove(apitest.QueuePath, "")), asBudgeted, 1}},
		"GET /v1/duels/{id}":     {{func(s *apitest.Stack) apitest.Call { return s.As("user_a", apitest.Get(arranged(s))) }, asBudgeted, 1}},
		"DELETE /v1/duels/{id}": {{func(s *apitest.Stack) apitest.Call {
			return s.As("user_d", apitest.Remove(s.Challenge("user_d", `{}`), ""))
		}, asBudgeted, 2}},
		"POST /v1/duels/{id}/accept": {{func(s *apitest.Stack) apitest.Call {
			return s.As("user_b", apitest.Post(s.Challenge("user_a", `{}`)+"/accept", ""))
		}, asBudgeted, 2 + blocks}},
		"POST /v1/duels/{id}/result":  {{func(s *apitest.Stack) apitest.Call { return apitest.Post(arranged(s)+"/result", apitest.Won).Signed() }, asBudgeted, 1}},
		"POST /v1/duels/{id}/rematch": {{func(s *apitest.Stack) apitest.Call { return s.As("user_a", apitest.Post(decided(s)+"/rematch", "")) }, asBudgeted, 2 + blocks}},

		"POST /graphql": {
			{apitest.Plain(apitest.Asks(`{ board(mode: "daily") { total } }`)), 0, 0},
			{apitest.Plain(apitest.Asks(`{ players(ids: ["user_a"]) { card(mode: "daily") { rank } } }`)), asBudgeted, 1},
			{apitest.Plain(apitest.Asks(`{ board(mode: "daily", first: 0) { total } }`)), 0, 0},
		},
		"GET /graphql": {
			{apitest.Plain(apitest.KeptQuery("top.graphql", `{"mode":"daily"}`)), 0, 0},
			{apitest.Plain(apitest.KeptQuery("top-and-week.graphql", `{"mode":"daily"}`)), asBudgeted, 1},
		},

		"POST /v1/webhooks/clerk": {{func(s *apitest.Stack) apitest.Call {
			return s.ClerkMessage(fresh("msg_"), `{"type":"session.created","data":{}}`)
		}, asBudgeted, 2}},

		"PUT /v1/ops/bans/{player}":         {{apitest.Operator(apitest.Put(apitest.OpsBan, `{"reason":"plays with a script"}`)), asBudgeted, 18}},
		"DELETE /v1/ops/bans/{player}":      {{apitest.Operator(apitest.Remove(apitest.OpsBan, "")), asBudgeted, 1}},
		"DELETE /v1/ops/players/{player}":   {{apitest.Operator(apitest.Remove(opsErase, "")), asBudgeted, 1}},
		"DELETE /v1/ops/scores":             {{apitest.Operator(apitest.Remove(apitest.OpsScores, goodOf)), asBudgeted, 16}},
		"GET /v1/ops/players/{player}":      {{apitest.Operator(apitest.Get(opsErase)), asBudgeted, 7 + ofNone}},
		"GET /v1/ops/players":               {{apitest.Operator(apitest.Get(opsPlayers)), asBudgeted, 0}},
		"GET /v1/ops/bans":                  {{apitest.Operator(apitest.Get(opsBans)), asBudgeted, 0}},
		"GET /v1/ops/log":                   {{apitest.Operator(apitest.Get(opsLog)), asBudgeted, 0}},
		"GET /v1/ops/audit":                 {{apitest.Recording(apitest.Operator(apitest.Get("/v1/ops/audit?mode=daily"))), asBudgeted, 0}},
		"GET /v1/ops/held":                  {{apitest.AfterOne(apitest.Operator(apitest.Get(apitest.OpsHeld))), asBudgeted, 0}},
		"PUT /v1/ops/held/{id}":             {{apitest.Passing, asBudgeted, 5}},
		"DELETE /v1/ops/held/{id}":          {{apitest.Dropping, asBudgeted, 4}},
		"GET /v1/ops/statistics":            {{apitest.Operator(apitest.Get(opsStatistics)), asBudgeted, 0}},
		"GET /v1/ops/health":                {{apitest.Operator(apitest.Get(opsHealth)), asBudgeted, 1}},
		"GET /v1/ops/usage":                 {{apitest.Operator(apitest.Get(apitest.OpsUsage)), asBudgeted, 1}},
		"GET /v1/ops/status":                {{apitest.Operator(apitest.Get(opsStatus)), asBudgeted, 6}},
		"GET /v1/ops/dead-letters":          {{apitest.Operator(apitest.Get(apitest.OpsDead)), asBudgeted, 0}},
		"POST /v1/ops/dead-letters/redrive": {{apitest.Operator(apitest.Post(apitest.OpsRedrive, "")), asBudgeted, 0}},
		"GET /v1/ops/maintenance":           {{apitest.Operator(apitest.Get(apitest.OpsMaintenance)), asBudgeted, 1}},
		"PUT /v1/ops/maintenance":           {{apitest.Maintenance, asBudgeted, 2}, {apitest.Operator(apitest.Remove(apitest.OpsMaintenance, "")), 1, 1}},
		"DELETE /v1/ops/maintenance":        {{apitest.Operator(apitest.Remove(apitest.OpsMaintenance, "")), asBudgeted, 1}},
		"GET /v1/game":                      {{apitest.Plain(apitest.Get("/v1/game")), asBudgeted, 0}},
		"GET /openapi.yaml":                 {{apitest.Plain(apitest.Get("/openapi.yaml")), asBudgeted, 0}},
	}
}

// Every route of the document has a row, and none spends more or less than it
// says, by the client's meter and by Redis' own count.
func TestEveryRouteSpendsItsBudget(t *testing.T) {
	all := budgets()
	s := apitest.NewStack(t)
	s.Clock.Stop()                                          // what is fetched again after a time is not part of a row,
	s.Elapsed = func() time.Duration { return time.Second } // however long the machine takes
	s.Keep()
	for _, player := range []string{"user_a", "user_b", "user_z"} {
		s.Play(player, "daily", "500")
	}
	s.Page(apitest.Daily + "?period=week") // it is there when a view asks for it
	answer := s.Budgets()
	var routes []string
	for pattern := range s.Contract.Operations() {
		routes = append(routes, pattern)
		require.NotEmpty(t, all[pattern], "%s has no budget: add its row", pattern)
	}
	require.Len(t, all, len(routes), "a row is of no route")
	require.Len(t, answer, len(routes), "a budget is of no route")
	slices.Sort(routes)
	for _, pattern := range routes {
		require.Contains(t, answer, pattern, "the operator is told of no budget")
		dearest := slices.MaxFunc(all[pattern], func(a, b cost) int { return cmp.Compare(a.of(answer[pattern]), b.of(answer[pattern])) })
		require.Equal(t, answer[pattern], dearest.of(answer[pattern]), "%s: a row is dearer than what the operator is told", pattern)
		require.True(t, slices.ContainsFunc(all[pattern], func(c cost) bool { return c.of(answer[pattern]) == answer[pattern] }), "%s: no row costs the budget", pattern)
		for i, row := range all[pattern] {
			t.Run(fmt.Sprint(pattern, " ", i), func(t *testing.T) {
				s := s.On(t)
				first := s.Send(row.call(s)) // what a process asks once
				if pattern == "POST /v1/scores" {
					s.Send(row.call(s)) // and tells others
				}
				c := row.call(s)
				before := s.Billed()
				commands, roundTrips := s.Spent(func() { s.Want(first.Status, c) })
				require.Equal(t, s.Billed()-before, commands, "the meter and Redis itself disagree")
				require.Equal(t, row.of(answer[pattern]), commands, "billed commands")
				require.Equal(t, row.roundTrips, roundTrips, "round trips")
			})
		}
	}
}

// of is what the row's route may cost.
func (c cost) of(budget int64) int64 {
	if c.commands == asBudgeted {
		return budget
	}
	return c.commands
}
