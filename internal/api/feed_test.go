package api_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/archive/archivetest"
	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/product/jobs"
)

const (
	feedPath = "/v1/feed?mode=daily"
	keeping  = "outbox: true\n"
)

// fed has a call made in a game that keeps every submission, where somebody has played.
func fed(c func(*stack) call) func(*stack) call {
	return func(s *stack) call {
		if !strings.Contains(s.game, keeping) {
			s.game = keeping + s.game // others add modes at the end
			s.handler = s.process()
		}
		s.play(another("user_f"), "daily", "5")
		return c(s)
	}
}

func feedScenarios() map[string]scenario {
	there := fed(plain(get(feedPath)))
	return map[string]scenario{
		"GET /v1/feed 200": {call: there},
		"GET /v1/feed 304": {call: func(s *stack) call {
			c := there(s)
			return c.with("If-None-Match", s.want(http.StatusOK, c).header.Get("ETag"))
		}},
		"GET /v1/feed 400": {call: plain(get("/v1/feed?mode=daily&since=now")), kind: "invalid-request"},
		"GET /v1/feed 404": {call: func(s *stack) call {
			s.game = strings.Replace(s.game, keeping, "", 1)
			s.handler = s.process()
			return get(feedPath)
		}, kind: "not-found"},
		"GET /v1/feed 429": {call: from("192.0.2.27:1", get(feedPath)), kind: "rate-limited"},
		"GET /v1/feed 500": {call: there, fault: refusedCommand, kind: "internal"},
		"GET /v1/feed 503": {call: there, fault: redisDown, kind: "temporarily-unavailable"},
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
		s := newStackAt(t, address)
		s.game += keeping
		kept := openArchive(t, archivetest.Database(t))
		s.history = jobs.NewHistory(kept)
		read := func(more string) (b feedBody, players string) {
			s.handler = s.process() // one that remembers nothing
			s.want(http.StatusOK, get("/v1/feed?mode=longest"+more)).into(s, &b)
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
			s.play(p[0], "longest", p[1])
		}
		s.play("user_x", "daily", "5")
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
		_, err := s.keeper(kept).Save(t.Context())
		require.NoError(t, err)
		s.clock.Pass(time.Second)
		s.play("user_d", "longest", "6")
		_, players = read("")
		require.Equal(t, "user_d user_a user_c user_b", players)

		s.want(http.StatusOK, put("/v1/ops/bans/user_c", `{"reason":"plays with a script"}`).bearer(opsToken))
		_, players = read("")
		require.Equal(t, "user_d user_a user_b", players)
	})
}
