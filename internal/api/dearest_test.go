package api_test

import (
	"github.com/framedle/leaderboards/internal/dev/apitest"

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

	"github.com/framedle/leaderboards/internal/api"
	"github.com/framedle/leaderboards/internal/api/gate"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/platform/auth"
)

// dearest are for each route the dearest known requests of callers without a key of the
// deployment: to a process that remembers nothing, with an idempotency key, on boards that
// have to be derived first. n makes names that nobody has had.
func dearest() map[string][]func(*apitest.Stack) apitest.Call {
	n := 0
	fresh := func(prefix string) string { n++; return fmt.Sprint(prefix, n) }
	keyed := func(c func(*apitest.Stack) apitest.Call) func(*apitest.Stack) apitest.Call {
		return func(s *apitest.Stack) apitest.Call { return c(s).With("Idempotency-Key", fresh("k")) }
	}
	byNew := func(c apitest.Call) func(*apitest.Stack) apitest.Call {
		return keyed(func(s *apitest.Stack) apitest.Call { return s.As(fresh("user_n"), c) })
	}
	mine := func(c apitest.Call) func(*apitest.Stack) apitest.Call { return keyed(apitest.As("user_a", c)) }
	befriending := func(c func(other string) apitest.Call) func(*apitest.Stack) apitest.Call {
		return func(s *apitest.Stack) apitest.Call {
			me, other := fresh("user_n"), fresh("user_n")
			return keyed(apitest.Asked(other, me, c(other)))(s)
		}
	}
	boards := func(path string, more string) (calls []func(*apitest.Stack) apitest.Call) {
		for _, period := range []string{"day", "week", "month", "alltime"} {
			for _, scope := range []string{"global", "country:BR", "region:SA", "group:g1"} {
				calls = append(calls, mine(apitest.Get(fmt.Sprintf("/v1/leaderboards/daily%s?period=%s&scope=%s%s", path, period, scope, more))))
			}
		}
		return append(calls, mine(apitest.Get("/v1/leaderboards/xp"+path)), mine(apitest.Get("/v1/leaderboards/coins"+path+"?period=alltime&scope=country:BR")))
	}
	with := func(calls []func(*apitest.Stack) apitest.Call, more ...func(*apitest.Stack) apitest.Call) []func(*apitest.Stack) apitest.Call {
		return append(calls, more...)
	}
	justAfter := func(path func(me string) string) (calls []func(*apitest.Stack) apitest.Call) { // the board has been made, and then I play
		for _, board := range []string{"week", "month", "alltime", "day&scope=country:BR", "week&scope=country:BR", "month&scope=country:BR", "alltime&scope=country:BR", "day&scope=region:SA", "week&scope=region:SA", "month&scope=region:SA", "alltime&scope=region:SA", "week&scope=group:g1", "month&scope=group:g1"} {
			calls = append(calls, func(s *apitest.Stack) apitest.Call {
				me := fresh("user_n")
				s.Want(http.StatusOK, apitest.Get(apitest.Daily+"?period="+board))
				s.Want(http.StatusCreated, apitest.Post(apitest.Scores, fmt.Sprintf(`{"mode":"daily","player":%q,"score":7,"country":"BR","groups":["g1"]}`, me)).Signed())
				return s.As(me, apitest.Get(path(me)+"?period="+board))
			})
		}
		return calls
	}
	lookups := []func(*apitest.Stack) apitest.Call{}
	for _, period := range []string{"day", "week", "month", "alltime"} {
		for _, scope := range []string{"country:BR", "region:SA"} {
			lookups = append(lookups, apitest.Plain(apitest.Post("/v1/leaderboards/daily/lookup?scope="+scope+"&period="+period, goodLookup)))
		}
	}
	friendsOf := func() (calls []func(*apitest.Stack) apitest.Call) {
		for _, period := range []string{"day", "week", "month", "alltime"} {
			calls = append(calls, apitest.As("user_a", apitest.Get(apitest.FriendsBoard+"?period="+period)))
		}
		return calls
	}
	decided := func(s *apitest.Stack) string {
		address := s.Arrange(fresh("match"), "user_a", "user_b")
		s.Want(http.StatusOK, apitest.Post(address+"/result", apitest.Won).Signed())
		return address
	}
	return map[string][]func(*apitest.Stack) apitest.Call{
		"POST /v1/scores": {
			byNew(apitest.Post(apitest.Scores, `{"mode":"daily","score":9,"country":"BR","details":{"a":1}}`)),
			byNew(apitest.Post(apitest.Scores, `{"mode":"longest","score":5,"country":"BR"}`)), byNew(apitest.Post(apitest.Scores, `{"mode":"newest","score":5}`)),
			byNew(apitest.Post(apitest.Scores, fiveCoins)), byNew(apitest.Post(apitest.Scores, `{"mode":"tied","score":5}`)), mine(apitest.Post(apitest.Scores, `{"mode":"tied","score":1}`)),
			keyed(func(s *apitest.Stack) apitest.Call {
				groups := []string{}
				for i := range 8 {
					groups = append(groups, fmt.Sprint("g", i))
				}
				token := s.TokenWith(fresh("user_n"), map[string]any{"metadata": map[string]any{"groups": groups}, "groups": groups})
				return apitest.Post(apitest.Scores, `{"mode":"daily","score":9,"details":{"a":1}}`).Bearer(token)
			}),
			keyed(func(s *apitest.Stack) apitest.Call {
				return apitest.Post(apitest.Scores, apitest.GoodScore).Bearer(s.Device().Token)
			}),
			byNew(apitest.Post(apitest.Scores, `{"mode":"daily","score":9,"country":"BR","details":{"a":1},"view":["page","around","week"]}`)),
			byNew(apitest.Post(apitest.Scores, `{"mode":"daily","score":9,"country":"BR","details":{"a":1},"view":["page","around","friends","week"]}`)),
			mine(apitest.Post(apitest.Scores, `{"mode":"newest","score":9,"view":["page","around","friends","week"]}`)),
		},
		"GET /v1/leaderboards/{mode}":                  with(boards("", "&limit=200"), apitest.Plain(apitest.Get(apitest.Daily+"?offset=1&limit=200")), apitest.Plain(apitest.Get(apitest.Daily+"?period=week&offset=1"))),
		"GET /v1/live/{mode}":                          {apitest.Plain(apitest.Get("/v1/live/daily")), apitest.Plain(apitest.Get("/v1/live/daily?period=week")), apitest.Plain(apitest.Get("/v1/live/daily?period=month&date=2026-10-01")), apitest.Plain(apitest.Get("/v1/live/daily?period=week&scope=country:BR"))},
		"GET /v1/leaderboards/{mode}/players/{player}": with(boards("/players/user_a", ""), justAfter(func(me string) string { return apitest.Daily + "/players/" + me })...),
		"GET /v1/leaderboards/{mode}/around/{player}":  with(boards("/around/user_a", "&range=50"), justAfter(func(me string) string { return apitest.Daily + "/around/" + me })...),
		"POST /v1/leaderboards/{mode}/lookup":          lookups,
		"GET /v1/leaderboards/{mode}/friends":          friendsOf(),
		"GET /v1/leaderboards/{mode}/distribution":     with(boards("/distribution", "&buckets=50"), apitest.As("user_a", apitest.Get(apitest.Daily+"/distribution?period=month&scope=country:BR&buckets=50")), apitest.As("user_a", apitest.Get(apitest.Daily+"/distribution?period=month&scope=region:SA&buckets=50"))),

		"GET /v1/leaderboards/{mode}/world": {apitest.Merged(apitest.As("user_a", apitest.Get(apitest.WorldPath))), apitest.Merged(apitest.As("user_a", apitest.Get(apitest.WorldPath+"?period=week&offset=1"))), apitest.Merged(byNew(apitest.Get(apitest.WorldPath + "?limit=200")))},

		"GET /v1/me":         {apitest.As("user_a", apitest.Get(apitest.Myself)), byNew(apitest.Get(apitest.Myself))},
		"GET /v1/me/results": {apitest.As("user_a", apitest.Get(myResults)), apitest.As("user_z", apitest.Get(myResults+"?limit=100"))},
		"GET /v1/me/ranks":   {apitest.As("user_z", apitest.Get(myRanks+"?mode=daily&limit=31"))},
		"GET /v1/leagues/me": {apitest.Leaguing(apitest.Get(apitest.LeaguePath))},
		"GET /v1/me/export": {func(s *apitest.Stack) apitest.Call {
			me := fresh("user_n")
			meetsInDuels(s, fresh, me)
			return s.As(me, apitest.Get(apitest.MyExport))
		}, func(s *apitest.Stack) apitest.Call { return s.As("user_z", apitest.Get(apitest.MyExport)) }},
		"PATCH /v1/me":  {mine(apitest.Patch(apitest.Myself, `{"name":"Ana","country":"PT","hidden":true}`)), byNew(apitest.Patch(apitest.Myself, `{"name":"Ana"}`)), byNew(apitest.Patch(apitest.Myself, `{"name":"Ana","country":"PT","hidden":true}`))},
		"DELETE /v1/me": {apitest.As("user_z", apitest.Remove(apitest.Myself, ""))}, // twelve days of three modes, with a group
		"GET /v1/me/wallets": {apitest.Rich(func(s *apitest.Stack, player string) apitest.Call {
			return s.As(player, apitest.Get(apitest.WalletsPath))
		})},
		"POST /v1/me/wallets/{currency}/spend": {apitest.Spends(`{"amount":1}`)},
		"GET /v1/me/badges":                    {apitest.As("user_a", apitest.Get(apitest.MyBadges))},
		"GET /v1/players/{player}/badges":      {apitest.Plain(apitest.Get(apitest.TheirBadges))},
		"GET /v1/feed":                         {apitest.Fed(apitest.Plain(apitest.Get(apitest.FeedPath)))},
		"GET /v1/presence":                     {apitest.InGame(apitest.Counting, apitest.As("user_a", apitest.Get(apitest.PresencePath)))},

		"POST /v1/devices": {apitest.Plain(apitest.Post(apitest.DevicesPath, ""))},
		"POST /v1/me/claim": {keyed(apitest.Claiming("user_a")), keyed(func(s *apitest.Stack) apitest.Call { // what is on a device, with a group
			d := s.Device()
			for _, mode := range []string{"daily", "longest", "tied"} {
				s.Want(http.StatusCreated, apitest.Post(apitest.Scores, fmt.Sprintf(`{"mode":%q,"player":%q,"score":4,"country":"PT","groups":["g1"]}`, mode, d.Player)).Signed())
			}
			return s.As("user_z", s.Claim(d))
		})},

		"GET /v1/friends":                           {befriending(func(string) apitest.Call { return apitest.Get(apitest.FriendsPath) })},
		"POST /v1/friends/requests":                 {byNew(apitest.Post(apitest.RequestsPath, `{"player":"user_a"}`)), keyed(apitest.Introduced(fresh("user_n"), func(*apitest.Stack) apitest.Call { return apitest.Post(apitest.RequestsPath, `{"player":"user_a"}`) }))},
		"POST /v1/friends/requests/{player}/accept": {befriending(func(other string) apitest.Call { return apitest.Post(apitest.RequestsPath+"/"+other+"/accept", "") })},
		"DELETE /v1/friends/requests/{player}":      {befriending(func(other string) apitest.Call { return apitest.Remove(apitest.RequestsPath+"/"+other, "") })},
		"DELETE /v1/friends/{player}":               {befriending(func(other string) apitest.Call { return apitest.Remove(apitest.FriendsPath+"/"+other, "") })},
		"PUT /v1/friends/blocks/{player}":           {befriending(func(other string) apitest.Call { return apitest.Put(apitest.BlocksPath+"/"+other, "") })},
		"DELETE /v1/friends/blocks/{player}":        {befriending(func(other string) apitest.Call { return apitest.Remove(apitest.BlocksPath+"/"+other, "") })},
		"POST /v1/friends/invites":                  {mine(apitest.Post(apitest.InvitesPath, "")), keyed(apitest.Introduced(fresh("user_n"), func(*apitest.Stack) apitest.Call { return apitest.Post(apitest.InvitesPath, "") }))},
		"GET /v1/friends/invites/{code}":            {func(s *apitest.Stack) apitest.Call { return apitest.Seen(fresh("user_n"), fresh("user_n"))(s) }},
		"POST /v1/friends/invites/{code}/accept":    {keyed(func(s *apitest.Stack) apitest.Call { return apitest.Invited(fresh("user_n"), fresh("user_n"))(s) }), keyed(apitest.Introduced(fresh("user_n"), func(s *apitest.Stack) apitest.Call { return apitest.Post(s.Invite(fresh("user_n"))+"/accept", "") }))},

		"POST /v1/duels": {mine(apitest.Post(apitest.DuelsPath, `{"opponent":"user_b"}`)), byNew(apitest.Post(apitest.DuelsPath, `{"opponent":"user_b"}`)), func(s *apitest.Stack) apitest.Call {
			me := fresh("user_n")
			for range 20 {
				s.Challenge(me, `{}`)
			}
			return s.As(me, apitest.Post(apitest.DuelsPath, `{}`)).With("Idempotency-Key", fresh("k"))
		}},
		"GET /v1/duels": {func(s *apitest.Stack) apitest.Call {
			me := fresh("user_n")
			for i := range 66 {
				s.Arrange(fresh("match"), me, fmt.Sprint("user_o", i))
			}
			return s.As(me, apitest.Get(apitest.DuelsPath+"?limit=50"))
		}},
		"POST /v1/plays": {apitest.As("user_a", apitest.Post(apitest.PlaysAt, `{"mode":"daily"}`))},
		"POST /v1/duels/queue": {keyed(func(s *apitest.Stack) apitest.Call {
			s.Want(http.StatusOK, s.As(fresh("user_q"), apitest.Post(apitest.QueuePath, `{}`)))
			return s.As(fresh("user_q"), apitest.Post(apitest.QueuePath, `{}`))
		})},
		"POST /v1/races": {keyed(func(s *apitest.Stack) apitest.Call {
			s.Racing()
			return s.As(apitest.NewRacer(), apitest.Post(apitest.RacesAt, `{"mode":"typed"}`))
		}), keyed(apitest.Introduced(fresh("user_racer_n"), func(s *apitest.Stack) apitest.Call {
			s.Racing()
			return apitest.Post(apitest.RacesAt, `{"mode":"typed"}`)
		}))},
		"POST /v1/races/queue": {func(s *apitest.Stack) apitest.Call {
			for range 3 {
				s.WaitingRace("")
			}
			return s.As(apitest.NewRacer(), apitest.Post(apitest.RaceQueueAt, `{"mode":"typed"}`))
		}, apitest.Introduced(fresh("user_racer_n"), func(s *apitest.Stack) apitest.Call {
			for range 3 {
				s.WaitingRace("")
			}
			return apitest.Post(apitest.RaceQueueAt, `{"mode":"typed"}`)
		})},
		"DELETE /v1/races/queue": {func(s *apitest.Stack) apitest.Call {
			_, player := s.WaitingRace("")
			return s.As(player, apitest.Remove(apitest.RaceQueueAt, ""))
		}},
		"GET /v1/races/{id}": {func(s *apitest.Stack) apitest.Call {
			path, players := s.StartedRace()
			s.Want(http.StatusOK, s.As(players[1], apitest.Post(path+"/leave", "")))
			s.Clock.Pass(2 * time.Minute)
			return s.As(players[0], apitest.Get(path))
		}},
		"GET /v1/live/races/{id}": {func(s *apitest.Stack) apitest.Call {
			path, player := s.WaitingRace("")
			s.Clock.Pass(2 * time.Second)
			return s.As(player, apitest.WatchRace(path))
		}},
		"POST /v1/races/{id}/join": {func(s *apitest.Stack) apitest.Call {
			path, _ := s.WaitingRace(`,"players":2`)
			return s.As(apitest.NewRacer(), apitest.Post(path+"/join", ""))
		}, apitest.Introduced(fresh("user_racer_n"), func(s *apitest.Stack) apitest.Call {
			path, _ := s.WaitingRace(`,"players":2`)
			return apitest.Post(path+"/join", "")
		})},
		"POST /v1/races/{id}/progress": {apitest.As("user_a", apitest.Post(apitest.RacesAt+"/nothing/progress", `{"progress":0.5}`)), func(s *apitest.Stack) apitest.Call {
			path, players := s.StartedRace()
			return s.As(players[0], apitest.Post(path+"/progress", `{"progress":0.5}`))
		}},
		"POST /v1/races/{id}/leave": {func(s *apitest.Stack) apitest.Call {
			path, player := s.WaitingRace("")
			return s.As(player, apitest.Post(path+"/leave", ""))
		}},
		"DELETE /v1/duels/queue": {byNew(apitest.Remove(apitest.QueuePath, ""))},
		"GET /v1/live/duels/{id}": {func(s *apitest.Stack) apitest.Call {
			return s.As("user_a", apitest.WatchDuel("/"+s.Arrange(fresh("match"), "user_a", "user_b")))
		}},
		"GET /v1/duels/{id}": {func(s *apitest.Stack) apitest.Call {
			return s.As("user_a", apitest.Get(s.Arrange(fresh("match"), "user_a", "user_b")))
		}},
		"DELETE /v1/duels/{id}": {func(s *apitest.Stack) apitest.Call {
			return s.As("user_b", apitest.Remove(s.Challenge("user_a", `{"opponent":"user_b"}`), ""))
		}},
		"POST /v1/duels/{id}/accept": {keyed(func(s *apitest.Stack) apitest.Call {
			return s.As("user_b", apitest.Post(s.Challenge("user_a", `{}`)+"/accept", ""))
		})},
		"POST /v1/duels/{id}/result": {keyed(func(s *apitest.Stack) apitest.Call {
			return s.As("user_a", apitest.Post(s.Arrange(fresh("match"), "user_a", "user_b")+"/result", apitest.Won))
		})},
		"POST /v1/duels/{id}/rematch": {keyed(func(s *apitest.Stack) apitest.Call { return s.As("user_a", apitest.Post(decided(s)+"/rematch", "")) })},
		"POST /graphql":               {apitest.Plain(apitest.Asks(`{ board(mode: "daily", period: MONTH, first: 100) { entries { player { id } } } }`)), apitest.Plain(apitest.Asks(`{ board(mode: "daily", scope: "country:BR", first: 100) { entries { player { id } } } }`)), apitest.Plain(apitest.Asks(`{ board(mode: "daily", period: WEEK, first: 100) { entries { player { card(mode: "longest", period: WEEK) { rank } } } } }`))},
		"GET /graphql":                {apitest.Plain(apitest.KeptQuery("top-and-week.graphql", `{"mode":"daily"}`)), apitest.Plain(apitest.KeptQuery("top.graphql", `{"mode":"daily","period":"MONTH"}`))},
		"GET /v1/game":                {apitest.Plain(apitest.Get("/v1/game"))},
		"GET /openapi.yaml":           {apitest.Plain(apitest.Get("/openapi.yaml"))},
	}
}

// trusted reports whether a route takes a key of the deployment's own alone.
func trusted(row gate.Route) bool {
	return row.Auth == gate.GameServer || row.Auth == gate.Clerk || row.Auth.Role() != auth.NoRole
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
		return apitest.Prices(t)["GET /v1/leaderboards/{mode}/world"]
	}
	held := api.DayPrice + api.LookPrice(game.BoardOf(mode, kind.Of(game.DateOf(apitest.Noon)), scope))
	if strings.HasSuffix(u.Path, "/distribution") {
		buckets := game.DefaultBuckets
		if text := u.Query().Get("buckets"); text != "" {
			buckets, err = strconv.Atoi(text)
			require.NoError(t, err)
		}
		held += api.DistributionBeside + buckets
	}
	return held
}

func TestNoRequestCostsMoreThanItsRoute(t *testing.T) {
	s := apitest.NewStack(t)
	s.Clock.Stop()
	s.Keep()
	for day := range 12 {
		s.Clock.Set(apitest.Noon.AddDate(0, 0, day-11))
		for i, player := range []string{"user_a", "user_b", "user_z"} {
			for _, mode := range []string{"daily", "longest", "tied"} {
				s.Want(http.StatusCreated, apitest.Post(apitest.Scores, fmt.Sprintf(`{"mode":%q,"player":%q,"score":%d,"country":"BR","groups":["g1"]}`, mode, player, i+1)).Signed())
			}
		}
		_, err := s.Keeper(nil).Daily(t.Context())
		require.NoError(t, err)
	}
	all, documented := dearest(), costTable(t)
	priced := map[string]bool{}
	rows := apitest.AllRows(t)
	slices.SortFunc(rows, func(a, b gate.Route) int { return strings.Compare(a.Pattern, b.Pattern) }) // erasures first, of what is there
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
					s := s.On(t)
					if passes > 0 {
						var looks atomic.Int64
						s.Elapsed = func() time.Duration { return time.Duration(looks.Add(1)) * passes }
					}
					s.Clock.Set(s.Clock.Now().Add(20 * time.Minute))                              // derived boards are due again
					require.NoError(t, s.Keeper(nil).Store.Rollup.Calendar.ListDays(t.Context())) // as a schedule does
					c := request(s)
					s.Handler = s.Process()
					before := s.Billed()
					commands, _ := s.Spent(func() { require.Less(t, s.Send(c).Status, 500, "%d", i) })
					require.Equal(t, s.Billed()-before, commands, "the meter and Redis itself disagree")
					most = max(most, commands)
					if strings.Contains(pattern, "/v1/leaderboards/") {
						require.LessOrEqual(t, commands, int64(heldForLook(t, c.Target)), "%s", c.Target)
					}
				}
			}
			if pattern == "POST /v1/scores" {
				price += 30 // of a view, which are counted when it has been answered
			}
			require.LessOrEqual(t, most, int64(price), "the route costs more than its price")
			require.GreaterOrEqual(t, most*5, int64(price), "the route costs far less than its price")
			answer, there := documented[pattern]
			require.True(t, there, "docs/internals/limits.md has no figure")
			require.Equal(t, row.Price.Most, answer, "docs/internals/limits.md has another figure")
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
