package feed_test

import (
	"github.com/framedle/leaderboards/internal/dev/apitest"

	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/archive/archivetest"
	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/product/jobs"
)

func feedScenarios() map[string]apitest.Scenario {
	there := apitest.Fed(apitest.Plain(apitest.Get(apitest.FeedPath)))
	return map[string]apitest.Scenario{
		"GET /v1/feed 200": {Call: there},
		"GET /v1/feed 304": {Call: func(s *apitest.Stack) apitest.Call {
			c := there(s)
			return c.With("If-None-Match", s.Want(http.StatusOK, c).Header.Get("ETag"))
		}},
		"GET /v1/feed 400": {Call: apitest.Plain(apitest.Get("/v1/feed?mode=daily&since=now")), Kind: "invalid-request"},
		"GET /v1/feed 404": {Call: func(s *apitest.Stack) apitest.Call {
			s.Game = strings.Replace(s.Game, apitest.Keeping, "", 1)
			s.Handler = s.Process()
			return apitest.Get(apitest.FeedPath)
		}, Kind: "not-found"},
		"GET /v1/feed 429": {Call: apitest.From("192.0.2.27:1", apitest.Get(apitest.FeedPath)), Kind: "rate-limited"},
		"GET /v1/feed 500": {Call: there, Fault: apitest.RefusedCommand, Kind: "internal"},
		"GET /v1/feed 503": {Call: there, Fault: apitest.RedisDown, Kind: "temporarily-unavailable"},
	}
}

type feedBody struct {
	Mode, Date string
	Entries    []struct {
		Rank   *int64
		Player string
		Score  int64
		Name   string
		At     string
	}
}

// The feed has the submissions that changed the board, newest first, wherever they are kept
// by then, and no players who are not on the board.
func TestTheFeedHasWhatChangedTheBoard(t *testing.T) {
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := apitest.NewStackAt(t, address)
		s.Game += apitest.Keeping
		kept := apitest.OpenArchive(t, archivetest.Database(t))
		s.History = jobs.NewHistory(kept)
		read := func(more string) (b feedBody, players string) {
			s.Handler = s.Process() // one that remembers nothing
			s.Want(http.StatusOK, apitest.Get("/v1/feed?mode=longest"+more)).Into(s, &b)
			var said []string
			for _, e := range b.Entries {
				said = append(said, e.Player)
			}
			return b, strings.Join(said, " ")
		}
		b, none := read("")
		require.Empty(t, none)
		require.NotNil(t, b.Entries, "an empty list")
		for _, p := range [][2]string{{"user_a", "5"}, {"user_b", "9"}, {"user_c", "7"}, {"user_b", "3"}, {"user_a", "8"}} {
			s.Play(p[0], "longest", p[1])
		}
		s.Play("user_x", "daily", "5")
		b, players := read("")
		require.Equal(t, "user_a user_c user_b", players, "a worse score of user_b changed nothing")
		require.Equal(t, []int64{8, 7, 9}, []int64{b.Entries[0].Score, b.Entries[1].Score, b.Entries[2].Score})
		require.Equal(t, []int64{2, 3, 1}, []int64{*b.Entries[0].Rank, *b.Entries[1].Rank, *b.Entries[2].Rank})
		_, players = read("&limit=1")
		require.Equal(t, "user_a", players)
		_, players = read("&since=" + b.Entries[1].At)
		require.Equal(t, "user_a", players)
		_, players = read("&date=2020-01-01")
		require.Empty(t, players)

		// cron-save takes the outbox to the archive, and what is played then is in Redis.
		_, err := s.Keeper(kept).Save(t.Context())
		require.NoError(t, err)
		s.Clock.Pass(time.Second)
		s.Play("user_d", "longest", "6")
		_, players = read("")
		require.Equal(t, "user_d user_a user_c user_b", players)

		s.Want(http.StatusOK, apitest.Put("/v1/ops/bans/user_c", `{"reason":"plays with a script"}`).Bearer(apitest.OpsToken))
		_, players = read("")
		require.Equal(t, "user_d user_a user_b", players)
	})
}

func TestEveryStatusOfTheFeedHappens(t *testing.T) { apitest.EachStatus(t, feedScenarios()) }
