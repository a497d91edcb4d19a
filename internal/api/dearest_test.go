package api_test

import (
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/api/boards"
	"github.com/framedle/leaderboards/internal/api/gate"
	"github.com/framedle/leaderboards/internal/api/route"
	"github.com/framedle/leaderboards/internal/game"
)

// dearest are for each route the dearest known requests of callers without a key of the
// deployment: to a process that remembers nothing, with an idempotency key, on boards that
// have to be derived first. n makes names that nobody has had.
func dearest() map[string][]func(*stack) call {
	n := 0
	fresh := func(prefix string) string { n++; return fmt.Sprint(prefix, n) }
	keyed := func(c func(*stack) call) func(*stack) call {
		return func(s *stack) call { return c(s).with("Idempotency-Key", fresh("k")) }
	}
	byNew := func(c call) func(*stack) call {
		return keyed(func(s *stack) call { return s.as(fresh("user_n"), c) })
	}
	mine := func(c call) func(*stack) call { return keyed(as("user_a", c)) }
	befriending := func(c func(other string) call) func(*stack) call {
		return func(s *stack) call {
			me, other := fresh("user_n"), fresh("user_n")
			return keyed(asked(other, me, c(other)))(s)
		}
	}
	boards := func(path string, more string) (calls []func(*stack) call) {
		for _, period := range []string{"day", "week", "month", "alltime"} {
			for _, scope := range []string{"global", "country:BR", "region:SA", "group:g1"} {
				calls = append(calls, mine(get(fmt.Sprintf("/v1/leaderboards/daily%s?period=%s&scope=%s%s", path, period, scope, more))))
			}
		}
		return append(calls, mine(get("/v1/leaderboards/xp"+path)), mine(get("/v1/leaderboards/coins"+path+"?period=alltime&scope=country:BR")))
	}
	with := func(calls []func(*stack) call, more ...func(*stack) call) []func(*stack) call {
		return append(calls, more...)
	}
	justAfter := func(path func(me string) string) (calls []func(*stack) call) { // the board has been made, and then I play
		for _, board := range []string{"week", "month", "alltime", "day&scope=country:BR", "week&scope=country:BR", "month&scope=country:BR", "alltime&scope=country:BR", "day&scope=region:SA", "week&scope=region:SA", "month&scope=region:SA", "alltime&scope=region:SA", "week&scope=group:g1", "month&scope=group:g1"} {
			calls = append(calls, func(s *stack) call {
				me := fresh("user_n")
				s.want(http.StatusOK, get(daily+"?period="+board))
				s.want(http.StatusCreated, post(scores, fmt.Sprintf(`{"mode":"daily","player":%q,"score":7,"country":"BR","groups":["g1"]}`, me)).signed())
				return s.as(me, get(path(me)+"?period="+board))
			})
		}
		return calls
	}
	lookups := []func(*stack) call{}
	for _, period := range []string{"day", "week", "month", "alltime"} {
		for _, scope := range []string{"country:BR", "region:SA"} {
			lookups = append(lookups, plain(post("/v1/leaderboards/daily/lookup?scope="+scope+"&period="+period, goodLookup)))
		}
	}
	friendsOf := []func(*stack) call{}
	for _, period := range []string{"day", "week", "month", "alltime"} {
		friendsOf = append(friendsOf, as("user_a", get(friendsBoard+"?period="+period)))
	}
	decided := func(s *stack) string {
		address := s.arrange(fresh("match"), "user_a", "user_b")
		s.want(http.StatusOK, post(address+"/result", won).signed())
		return address
	}
	return map[string][]func(*stack) call{
		"POST /v1/scores": {
			byNew(post(scores, `{"mode":"daily","score":9,"country":"BR","details":{"a":1}}`)),
			byNew(post(scores, `{"mode":"longest","score":5,"country":"BR"}`)), byNew(post(scores, `{"mode":"newest","score":5}`)),
			byNew(post(scores, fiveCoins)), byNew(post(scores, `{"mode":"tied","score":5}`)), mine(post(scores, `{"mode":"tied","score":1}`)),
			keyed(func(s *stack) call {
				groups := []string{}
				for i := range 8 {
					groups = append(groups, fmt.Sprint("g", i))
				}
				token := s.tokenWith(fresh("user_n"), map[string]any{"metadata": map[string]any{"groups": groups}, "groups": groups})
				return post(scores, `{"mode":"daily","score":9,"details":{"a":1}}`).bearer(token)
			}),
			keyed(func(s *stack) call { return post(scores, goodScore).bearer(s.device().Token) }),
			byNew(post(scores, `{"mode":"daily","score":9,"country":"BR","details":{"a":1},"view":["page","around","friends","week"]}`)),
			mine(post(scores, `{"mode":"newest","score":9,"view":["page","around","friends","week"]}`)),
		},
		"GET /v1/leaderboards/{mode}":                  with(boards("", "&limit=200"), plain(get(daily+"?offset=1&limit=200")), plain(get(daily+"?period=week&offset=1"))),
		"GET /v1/live/{mode}":                          {plain(get("/v1/live/daily")), plain(get("/v1/live/daily?period=week")), plain(get("/v1/live/daily?period=month&date=2026-10-01")), plain(get("/v1/live/daily?period=week&scope=country:BR"))},
		"GET /v1/leaderboards/{mode}/players/{player}": with(boards("/players/user_a", ""), justAfter(func(me string) string { return daily + "/players/" + me })...),
		"GET /v1/leaderboards/{mode}/around/{player}":  with(boards("/around/user_a", "&range=50"), justAfter(func(me string) string { return daily + "/around/" + me })...),
		"POST /v1/leaderboards/{mode}/lookup":          lookups,
		"GET /v1/leaderboards/{mode}/friends":          friendsOf,
		"GET /v1/leaderboards/{mode}/distribution":     with(boards("/distribution", "&buckets=50"), as("user_a", get(daily+"/distribution?period=month&scope=country:BR&buckets=50")), as("user_a", get(daily+"/distribution?period=month&scope=region:SA&buckets=50"))),

		"GET /v1/leaderboards/{mode}/world": {merged(as("user_a", get(worldPath))), merged(as("user_a", get(worldPath+"?period=week&offset=1"))), merged(byNew(get(worldPath + "?limit=200")))},

		"GET /v1/me":         {as("user_a", get(myself)), byNew(get(myself))},
		"GET /v1/me/results": {as("user_a", get(myResults)), as("user_z", get(myResults+"?limit=100"))},
		"GET /v1/leagues/me": {leaguing(get(leaguePath))},
		"GET /v1/me/export": {func(s *stack) call {
			me := fresh("user_n")
			for i := range 101 {
				s.arrange(fresh("match"), me, fmt.Sprint("user_o", i))
			}
			return s.as(me, get(myExport))
		}, func(s *stack) call { return s.as("user_z", get(myExport)) }},
		"PATCH /v1/me":                         {mine(patch(myself, `{"name":"Ana","country":"PT","hidden":true}`)), byNew(patch(myself, `{"name":"Ana"}`)), byNew(patch(myself, `{"name":"Ana","country":"PT","hidden":true}`))},
		"DELETE /v1/me":                        {as("user_z", remove(myself, ""))}, // twelve days of three modes, with a group
		"GET /v1/me/wallets":                   {rich(func(s *stack, player string) call { return s.as(player, get(walletsPath)) })},
		"POST /v1/me/wallets/{currency}/spend": {spends(`{"amount":1}`)},
		"GET /v1/me/badges":                    {as("user_a", get(myBadges))},
		"GET /v1/players/{player}/badges":      {plain(get(theirBadges))},
		"GET /v1/feed":                         {fed(plain(get(feedPath)))},
		"GET /v1/presence":                     {earns(as("user_a", get(presencePath)))},

		"POST /v1/devices": {plain(post(devicesPath, ""))},
		"POST /v1/me/claim": {keyed(claiming("user_a")), keyed(func(s *stack) call { // what is on a device, with a group
			d := s.device()
			for _, mode := range []string{"daily", "longest", "tied"} {
				s.want(http.StatusCreated, post(scores, fmt.Sprintf(`{"mode":%q,"player":%q,"score":4,"country":"PT","groups":["g1"]}`, mode, d.Player)).signed())
			}
			return s.as("user_z", s.claim(d))
		})},

		"GET /v1/friends":                           {befriending(func(string) call { return get(friendsPath) })},
		"POST /v1/friends/requests":                 {byNew(post(requestsPath, `{"player":"user_a"}`))},
		"POST /v1/friends/requests/{player}/accept": {befriending(func(other string) call { return post(requestsPath+"/"+other+"/accept", "") })},
		"DELETE /v1/friends/requests/{player}":      {befriending(func(other string) call { return remove(requestsPath+"/"+other, "") })},
		"DELETE /v1/friends/{player}":               {befriending(func(other string) call { return remove(friendsPath+"/"+other, "") })},
		"PUT /v1/friends/blocks/{player}":           {befriending(func(other string) call { return put(blocksPath+"/"+other, "") })},
		"DELETE /v1/friends/blocks/{player}":        {befriending(func(other string) call { return remove(blocksPath+"/"+other, "") })},
		"POST /v1/friends/invites":                  {mine(post(invitesPath, ""))},
		"GET /v1/friends/invites/{code}":            {func(s *stack) call { return seen(fresh("user_n"), fresh("user_n"))(s) }},
		"POST /v1/friends/invites/{code}/accept":    {keyed(func(s *stack) call { return invited(fresh("user_n"), fresh("user_n"))(s) })},

		"POST /v1/duels": {mine(post(duelsPath, `{"opponent":"user_b"}`)), byNew(post(duelsPath, `{"opponent":"user_b"}`)), func(s *stack) call {
			me := fresh("user_n")
			for range 20 {
				s.challenge(me, `{}`)
			}
			return s.as(me, post(duelsPath, `{}`)).with("Idempotency-Key", fresh("k"))
		}},
		"GET /v1/duels": {func(s *stack) call {
			me := fresh("user_n")
			for i := range 66 {
				s.arrange(fresh("match"), me, fmt.Sprint("user_o", i))
			}
			return s.as(me, get(duelsPath+"?limit=50"))
		}},
		"POST /v1/plays": {as("user_a", post(playsAt, `{"mode":"daily"}`))},
		"POST /v1/duels/queue": {keyed(func(s *stack) call {
			s.want(http.StatusOK, s.as(fresh("user_q"), post(queuePath, `{}`)))
			return s.as(fresh("user_q"), post(queuePath, `{}`))
		})},
		"POST /v1/races": {keyed(func(s *stack) call { s.racing(); return s.as(newRacer(), post(racesAt, `{"mode":"typed"}`)) })},
		"POST /v1/races/queue": {func(s *stack) call {
			for range 3 {
				s.waitingRace("")
			}
			return s.as(newRacer(), post(raceQueueAt, `{"mode":"typed"}`))
		}},
		"DELETE /v1/races/queue": {func(s *stack) call { _, player := s.waitingRace(""); return s.as(player, remove(raceQueueAt, "")) }},
		"GET /v1/races/{id}": {func(s *stack) call {
			path, players := s.startedRace()
			s.want(http.StatusOK, s.as(players[1], post(path+"/leave", "")))
			s.clock.Pass(2 * time.Minute)
			return s.as(players[0], get(path))
		}},
		"GET /v1/live/races/{id}": {func(s *stack) call {
			path, player := s.waitingRace("")
			s.clock.Pass(2 * time.Second)
			return s.as(player, watchRace(path))
		}},
		"POST /v1/races/{id}/join": {func(s *stack) call {
			path, _ := s.waitingRace(`,"players":2`)
			return s.as(newRacer(), post(path+"/join", ""))
		}},
		"POST /v1/races/{id}/progress": {as("user_a", post(racesAt+"/nothing/progress", `{"progress":0.5}`)), func(s *stack) call {
			path, players := s.startedRace()
			return s.as(players[0], post(path+"/progress", `{"progress":0.5}`))
		}},
		"POST /v1/races/{id}/leave": {func(s *stack) call { path, player := s.waitingRace(""); return s.as(player, post(path+"/leave", "")) }},
		"DELETE /v1/duels/queue":    {byNew(remove(queuePath, ""))},
		"GET /v1/live/duels/{id}": {func(s *stack) call {
			return s.as("user_a", watchDuel("/"+s.arrange(fresh("match"), "user_a", "user_b")))
		}},
		"GET /v1/duels/{id}":         {func(s *stack) call { return s.as("user_a", get(s.arrange(fresh("match"), "user_a", "user_b"))) }},
		"POST /v1/duels/{id}/accept": {keyed(func(s *stack) call { return s.as("user_b", post(s.challenge("user_a", `{}`)+"/accept", "")) })},
		"POST /v1/duels/{id}/result": {keyed(func(s *stack) call {
			return s.as("user_a", post(s.arrange(fresh("match"), "user_a", "user_b")+"/result", won))
		})},
		"POST /v1/duels/{id}/rematch": {keyed(func(s *stack) call { return s.as("user_a", post(decided(s)+"/rematch", "")) })},
		"POST /graphql":               {plain(asks(`{ board(mode: "daily", period: MONTH, first: 100) { entries { player { id } } } }`)), plain(asks(`{ board(mode: "daily", scope: "country:BR", first: 100) { entries { player { id } } } }`)), plain(asks(`{ board(mode: "daily", period: WEEK, first: 100) { entries { player { card(mode: "longest", period: WEEK) { rank } } } } }`))},
		"GET /graphql":                {plain(keptQuery("top-and-week.graphql", `{"mode":"daily"}`)), plain(keptQuery("top.graphql", `{"mode":"daily","period":"MONTH"}`))},
		"GET /v1/game":                {plain(get("/v1/game"))},
		"GET /openapi.yaml":           {plain(get("/openapi.yaml"))},
	}
}

// trusted reports whether a route takes a key of the deployment's own alone.
func trusted(row route.Route) bool {
	return slices.Contains([]gate.Access{gate.GameServer, gate.Operator, gate.Clerk}, row.Auth)
}

// heldForLook is what is held for a look at a board, in the game of the tests: under
// first, a group's day is written as everybody's is.
func heldForLook(t *testing.T, target string) int {
	u, err := url.Parse(target)
	require.NoError(t, err)
	kind, mode := game.Day, new(game.Mode)
	if text := u.Query().Get("period"); text != "" {
		kind, err = game.ParsePeriodKind(text)
		require.NoError(t, err)
	}
	if strings.HasPrefix(u.Path, "/v1/leaderboards/xp") {
		kind, mode = game.AllTime, &game.ModeOfXP
	}
	scope := game.Scope{}
	if text := u.Query().Get("scope"); text != "" {
		scope, err = game.ParseScope(text)
		require.NoError(t, err)
	}
	if strings.HasSuffix(u.Path, "/world") {
		return prices(t)["GET /v1/leaderboards/{mode}/world"]
	}
	held := boards.DayPrice + boards.LookPrice(game.BoardOf(mode, kind.Of(game.DateOf(noon)), scope))
	if strings.HasSuffix(u.Path, "/distribution") {
		buckets := game.DefaultBuckets
		if text := u.Query().Get("buckets"); text != "" {
			buckets, err = strconv.Atoi(text)
			require.NoError(t, err)
		}
		held += boards.DistributionBeside + buckets
	}
	return held
}

func TestNoRequestCostsMoreThanItsRoute(t *testing.T) {
	s := newStack(t)
	s.clock.Stop()
	s.befriend()
	for day := range 12 {
		s.clock.Set(noon.AddDate(0, 0, day-11))
		for i, player := range []string{"user_a", "user_b", "user_z"} {
			for _, mode := range []string{"daily", "longest", "tied"} {
				s.want(http.StatusCreated, post(scores, fmt.Sprintf(`{"mode":%q,"player":%q,"score":%d,"country":"BR","groups":["g1"]}`, mode, player, i+1)).signed())
			}
		}
		_, err := s.keeper(nil).Daily(t.Context())
		require.NoError(t, err)
	}
	all, documented := dearest(), costTable(t)
	priced := map[string]bool{}
	rows := allRows(t)
	slices.SortFunc(rows, func(a, b route.Route) int { return strings.Compare(a.Pattern, b.Pattern) }) // erasures first, of what is there
	for _, row := range rows {
		pattern, price := row.Pattern, row.Price.Most
		if trusted(row) {
			require.Zero(t, price, "%s: who holds a key pays nothing", pattern)
			continue
		}
		if priced[pattern] { // by two functions, of which one takes the other's place
			continue
		}
		priced[pattern] = true
		t.Run(pattern, func(t *testing.T) {
			require.NotEmpty(t, all[pattern], "add the route's dearest request")
			most := int64(0)
			for i, request := range all[pattern] {
				for _, passes := range []time.Duration{0, 300 * time.Millisecond} { // between two looks at the clock
					s := s.on(t)
					if passes > 0 {
						var looks atomic.Int64
						s.elapsed = func() time.Duration { return time.Duration(looks.Add(1)) * passes }
					}
					s.clock.Set(s.clock.Now().Add(20 * time.Minute))                              // derived boards are due again
					require.NoError(t, s.keeper(nil).Store.Rollup.Calendar.ListDays(t.Context())) // as a schedule does
					c := request(s)
					s.handler = s.process()
					before := s.billed()
					commands, _ := s.spent(func() { require.Less(t, s.send(c).status, 500, "%d", i) })
					require.Equal(t, s.billed()-before, commands, "the meter and Redis itself disagree")
					most = max(most, commands)
					if strings.Contains(pattern, "/v1/leaderboards/") {
						require.LessOrEqual(t, commands, int64(heldForLook(t, c.target)), "%s", c.target)
					}
				}
			}
			if pattern == "POST /v1/scores" {
				price += 25 // of a view, which are counted when it has been answered
			}
			require.LessOrEqual(t, most, int64(price), "the route costs more than its price")
			require.GreaterOrEqual(t, most*5, int64(price), "the route costs far less than its price")
			told, there := documented[pattern]
			require.True(t, there, "docs/internals/limits.md has no figure")
			require.Equal(t, row.Price.Most, told, "docs/internals/limits.md has another figure")
		})
	}
	require.ElementsMatch(t, slices.Collect(maps.Keys(documented)), slices.Collect(maps.Keys(priced)))
}

// costTable reads the dearest commands of each route from the page about limits.
func costTable(t *testing.T) map[string]int {
	text, err := os.ReadFile("../../docs/internals/limits.md")
	require.NoError(t, err)
	table := map[string]int{}
	for _, row := range regexp.MustCompile("(?m)^\\| `([A-Z]+ /[^`]+)` \\| ([0-9]+) \\|").FindAllStringSubmatch(string(text), -1) {
		table[row[1]], err = strconv.Atoi(row[2])
		require.NoError(t, err)
	}
	return table
}
