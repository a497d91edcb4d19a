package world_test

import (
	"github.com/framedle/leaderboards/internal/dev/apitest"

	"encoding/json"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/game"
)

func worldScenarios() map[string]apitest.Scenario {
	there := apitest.Merged(apitest.Plain(apitest.Get(apitest.WorldPath)))
	return map[string]apitest.Scenario{
		"GET /v1/leaderboards/{mode}/world 200": {Call: there},
		"GET /v1/leaderboards/{mode}/world 304": {Call: func(s *apitest.Stack) apitest.Call {
			c := there(s)
			return c.With("If-None-Match", s.Want(http.StatusOK, c).Header.Get("ETag"))
		}},
		"GET /v1/leaderboards/{mode}/world 400": {Call: apitest.Merged(apitest.Plain(apitest.Get(apitest.WorldPath + "?scope=country:BR"))), Kind: "invalid-request"},
		"GET /v1/leaderboards/{mode}/world 404": {Call: apitest.Merged(apitest.Plain(apitest.Get(apitest.WorldPath + "?period=month"))), Kind: "not-found"},
		"GET /v1/leaderboards/{mode}/world 429": {Call: apitest.From("192.0.2.25:1", apitest.Get(apitest.WorldPath)), Kind: "rate-limited"},
		"GET /v1/leaderboards/{mode}/world 500": {Call: there, Fault: apitest.RefusedCommand, Kind: "internal"},
		"GET /v1/leaderboards/{mode}/world 503": {Call: there, Fault: apitest.RedisDown, Kind: "temporarily-unavailable"},
	}
}

func TestABoardOfTheWorldSaysWhoSaidWhatAndWhereOneStands(t *testing.T) {
	s := apitest.NewStack(t)
	s.Play("user_near", "daily", "980")
	apitest.Merged(apitest.Plain(apitest.Get(apitest.WorldPath)))(s)
	read := func(c apitest.Call) (answer struct {
		Scope         string
		Total, Ranked int64
		Sites         []struct {
			Name    string
			Players int64
			AsOf    time.Time `json:"as_of"`
			Down    bool
		}
		Entries    []struct{ Player, Name, Country string }
		NextCursor string `json:"next_cursor"`
		Me         *struct {
			Rank              *int64
			Score, Percentile float64
			TopPercent        float64 `json:"top_percent"`
		}
	}) {
		require.NoError(t, json.Unmarshal(s.Want(http.StatusOK, c).Body, &answer))
		return answer
	}
	answer := read(apitest.Get(apitest.WorldPath + "?limit=2"))
	require.Equal(t, "world", answer.Scope)
	require.Nil(t, answer.Me)
	require.Equal(t, "Far", answer.Entries[0].Name)
	require.Equal(t, "PT", answer.Entries[0].Country)
	require.Len(t, answer.Sites, 2)
	require.EqualValues(t, 61, answer.Sites[0].Players)
	require.False(t, answer.Sites[0].Down)
	require.Equal(t, answer.Total, answer.Sites[0].Players+answer.Sites[1].Players)
	next := read(apitest.Get(apitest.WorldPath + "?limit=2&cursor=" + answer.NextCursor))
	require.Equal(t, "user_far2", next.Entries[0].Player)

	mine := read(s.As("user_near", apitest.Get(apitest.WorldPath)))
	require.EqualValues(t, 21, *mine.Me.Rank, "behind 1000 to 980, of which the other was earlier or not")
	s.Play("user_new", "daily", "1000")
	mine = read(s.As("user_new", apitest.Get(apitest.WorldPath)))
	require.LessOrEqual(t, *mine.Me.Rank, int64(2), "one's own score counts before the next merge")
	require.Nil(t, read(s.As("user_nowhere", apitest.Get(apitest.WorldPath))).Me)

	s.MergeWith("over", 150) // the world's 100 are full
	mine = read(s.As("user_near", apitest.Get(apitest.WorldPath+"?period=week")))
	require.EqualValues(t, 100, mine.Ranked)
	require.NotNil(t, mine.Me.Rank)
	s.Play("user_last", "daily", "1")
	mine = read(s.As("user_last", apitest.Get(apitest.WorldPath)))
	require.Nil(t, mine.Me.Rank)
	require.Less(t, mine.Me.Percentile, 5.0)

	s.Clock.Pass(20 * time.Minute)
	for _, site := range read(apitest.Get(apitest.WorldPath + "?limit=1")).Sites {
		require.True(t, site.Down, site.Name)
	}
}

func TestBadRequestsForTheWorldCostNothing(t *testing.T) {
	s := apitest.NewStack(t)
	apitest.Merged(apitest.Plain(apitest.Get(apitest.WorldPath)))(s)
	for _, query := range []string{
		"?scope=world", "?period=decade", "?date=yesterday", "?limit=0", "?limit=201", "?offset=-1", "?cursor=x", "?cursor=x&offset=1",
		"?x=1", "?period=month", "?period=alltime", "?limit=1&limit=2", "?period=", "?%zz",
	} {
		before := s.Exchanges.Load()
		answer := s.Send(apitest.Get(apitest.WorldPath + query))
		require.Contains(t, []int{http.StatusBadRequest, http.StatusNotFound}, answer.Status, query)
		require.Equal(t, before, s.Exchanges.Load(), query)
	}
	s.Want(http.StatusNotFound, apitest.Get("/v1/leaderboards/xp/world"))
	s.Want(http.StatusNotFound, apitest.Get("/v1/leaderboards/nothing/world"))
}

// TestXPAndDuelsAreNotMerged where the game file leaves modes out: an empty board would say
// that nobody has any.
func TestXPAndDuelsAreNotMerged(t *testing.T) {
	s := apitest.NewStack(t)
	s.Game += "world: {}\n"
	s.Handler = s.Process()
	for _, mode := range []string{game.XPMode, game.DuelMode} {
		answer := s.Want(http.StatusNotFound, apitest.Get("/v1/leaderboards/"+mode+"/world"))
		require.Contains(t, string(answer.Body), "are not merged", mode)
	}
}

func TestEveryStatusOfBoardsOfTheWorldHappens(t *testing.T) { apitest.EachStatus(t, worldScenarios()) }
