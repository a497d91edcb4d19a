package api_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/feature/world"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lifecycle/standings"
	"github.com/framedle/leaderboards/upstash"
	"github.com/framedle/leaderboards/upstash/upstashtest"
)

const (
	worldPath = daily + "/world"
	merging   = "world: {top: 100, periods: [day, week]}\n"
)

// merged has a call made in a game of two sites that have merged; at the other one
// user_far and sixty others have played.
func merged(c func(*stack) call) func(*stack) call {
	return func(s *stack) call {
		if !strings.Contains(s.game, merging) {
			s.game += merging
			s.handler = s.process()
			s.mergeWith("far", 61)
		}
		return c(s)
	}
}

// mergeWith merges both ways with a site of some players, the first of whom has a name.
func (s *stack) mergeWith(name string, players int) {
	g := testkit.Game(s, s.game)
	there := testkit.OnPlan(s, upstashtest.Options{ReadOnlyToken: "may-only-read"}, testkit.AtOnce)
	reader := there.Connect(testkit.AtOnce, func(c *upstash.Config) { c.Token = "may-only-read" })
	far := standings.New(standings.Options{Redis: there.Client, Game: g, Now: s.clock.Now})
	for i := range players {
		p := game.Submission{Mode: testkit.Mode(s, g, "daily"), Player: fmt.Sprint("user_", name, i), Date: g.Today(s.clock.Now()), Score: game.Score(1000 - i), At: s.clock.Now()}
		if i == 0 {
			p.Profile = game.Profile{Name: "Far", Country: "PT"}
		}
		_, err := far.Boards.Submit(s.Context(), p)
		require.NoError(s, err)
	}
	_, err := (&world.Merge{Boards: far.Boards, Name: name}).Run(s.Context())
	require.NoError(s, err)
	here := standings.New(standings.Options{Redis: s.client, Game: g, Now: s.clock.Now})
	_, err = (&world.Merge{Boards: here.Boards, Name: "here", Others: []world.Other{{Name: name, Redis: reader}}}).Run(s.Context())
	require.NoError(s, err)
}

func worldScenarios() map[string]scenario {
	there := merged(plain(get(worldPath)))
	return map[string]scenario{
		"GET /v1/leaderboards/{mode}/world 200": {call: there},
		"GET /v1/leaderboards/{mode}/world 304": {call: func(s *stack) call {
			c := there(s)
			return c.with("If-None-Match", s.want(http.StatusOK, c).header.Get("ETag"))
		}},
		"GET /v1/leaderboards/{mode}/world 400": {call: merged(plain(get(worldPath + "?scope=country:BR"))), kind: "invalid-request"},
		"GET /v1/leaderboards/{mode}/world 404": {call: merged(plain(get(worldPath + "?period=month"))), kind: "not-found"},
		"GET /v1/leaderboards/{mode}/world 429": {call: from("192.0.2.25:1", get(worldPath)), kind: "rate-limited"},
		"GET /v1/leaderboards/{mode}/world 500": {call: there, fault: refusedCommand, kind: "internal"},
		"GET /v1/leaderboards/{mode}/world 503": {call: there, fault: redisDown, kind: "temporarily-unavailable"},
	}
}

func TestABoardOfTheWorldSaysWhoSaidWhatAndWhereOneStands(t *testing.T) {
	s := newStack(t)
	s.play("user_near", "daily", "980")
	merged(plain(get(worldPath)))(s)
	read := func(c call) (answer struct {
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
		require.NoError(t, json.Unmarshal(s.want(http.StatusOK, c).body, &answer))
		return answer
	}
	answer := read(get(worldPath + "?limit=2"))
	require.Equal(t, "world", answer.Scope)
	require.Nil(t, answer.Me)
	require.Equal(t, "Far", answer.Entries[0].Name)
	require.Equal(t, "PT", answer.Entries[0].Country)
	require.Len(t, answer.Sites, 2)
	require.EqualValues(t, 61, answer.Sites[0].Players)
	require.False(t, answer.Sites[0].Down)
	require.Equal(t, answer.Total, answer.Sites[0].Players+answer.Sites[1].Players)
	next := read(get(worldPath + "?limit=2&cursor=" + answer.NextCursor))
	require.Equal(t, "user_far2", next.Entries[0].Player)

	mine := read(s.as("user_near", get(worldPath)))
	require.EqualValues(t, 21, *mine.Me.Rank, "behind 1000 to 980, of which the other was earlier or not")
	s.play("user_new", "daily", "1000")
	mine = read(s.as("user_new", get(worldPath)))
	require.LessOrEqual(t, *mine.Me.Rank, int64(2), "one's own score counts before the next merge")
	require.Nil(t, read(s.as("user_nowhere", get(worldPath))).Me)

	s.mergeWith("over", 150) // the world's 100 are full
	mine = read(s.as("user_near", get(worldPath+"?period=week")))
	require.EqualValues(t, 100, mine.Ranked)
	require.NotNil(t, mine.Me.Rank)
	s.play("user_last", "daily", "1")
	mine = read(s.as("user_last", get(worldPath)))
	require.Nil(t, mine.Me.Rank)
	require.Less(t, mine.Me.Percentile, 5.0)

	s.clock.Pass(20 * time.Minute)
	for _, site := range read(get(worldPath + "?limit=1")).Sites {
		require.True(t, site.Down, site.Name)
	}
}

func TestBadRequestsForTheWorldCostNothing(t *testing.T) {
	s := newStack(t)
	merged(plain(get(worldPath)))(s)
	for _, query := range []string{
		"?scope=world", "?period=decade", "?date=yesterday", "?limit=0", "?limit=201", "?offset=-1", "?cursor=x", "?cursor=x&offset=1",
		"?x=1", "?period=month", "?period=alltime", "?limit=1&limit=2", "?period=", "?%zz",
	} {
		before := s.exchanges.Load()
		answer := s.send(get(worldPath + query))
		require.Contains(t, []int{http.StatusBadRequest, http.StatusNotFound}, answer.status, query)
		require.Equal(t, before, s.exchanges.Load(), query)
	}
	s.want(http.StatusNotFound, get("/v1/leaderboards/xp/world"))
	s.want(http.StatusNotFound, get("/v1/leaderboards/nothing/world"))
}

// TestXPAndDuelsAreNotMerged where the game file leaves modes out: an empty board would say
// that nobody has any.
func TestXPAndDuelsAreNotMerged(t *testing.T) {
	s := newStack(t)
	s.game += "world: {}\n"
	s.handler = s.process()
	for _, mode := range []string{game.XPMode, game.DuelMode} {
		answer := s.want(http.StatusNotFound, get("/v1/leaderboards/"+mode+"/world"))
		require.Contains(t, string(answer.body), "are not merged", mode)
	}
}
