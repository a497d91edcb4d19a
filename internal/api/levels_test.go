package api_test

import (
	"github.com/framedle/leaderboards/internal/dev/apitest"

	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

const leveled = "  leveled: {policy: best, max: 1000, levels: 12, scopes: [group]}\n"

func withLevels(t *testing.T) *apitest.Stack {
	s := apitest.NewStack(t)
	s.Game = strings.Replace(s.Game, "modes:\n", "modes:\n"+leveled, 1)
	s.Handler = s.Process()
	return s
}

func TestALevelHasBoardsOfItsOwn(t *testing.T) {
	s := withLevels(t)
	for _, c := range []apitest.Call{
		s.As("user_a", apitest.Post(apitest.Scores, `{"mode":"leveled","score":900,"level":1}`)),
		s.As("user_b", apitest.Post(apitest.Scores, `{"mode":"leveled","score":500,"level":12}`)),
		s.As("user_c", apitest.Post(apitest.Scores, `{"mode":"leveled","score":700}`)),
	} {
		s.Want(http.StatusCreated, c)
	}
	// No better than what stands on the day, and the first at its level: known to this process.
	s.Want(http.StatusOK, s.As("user_a", apitest.Post(apitest.Scores, `{"mode":"leveled","score":300,"level":12}`)))
	for _, period := range []string{"day", "week", "month", "alltime"} {
		at := "/v1/leaderboards/leveled?period=" + period
		s.Clock.Pass(6 * time.Second)
		require.Equal(t, []string{"user_a", "user_c", "user_b"}, s.Players(at), period)
		require.Equal(t, []string{"user_a"}, s.Players(at+"&scope=level:1"), period)
		require.Equal(t, []string{"user_b", "user_a"}, s.Players(at+"&scope=level:12"), period)
		require.Empty(t, s.Players(at+"&scope=level:2"))
		require.Contains(t, string(s.Want(http.StatusOK, apitest.Get("/v1/leaderboards/leveled/players/user_a?scope=level:12&period="+period)).Body), `"rank":2,"player":"user_a","score":300`)
	}
	s.Want(http.StatusOK, apitest.Post(apitest.Batch, `{"scores":[{"mode":"leveled","player":"user_d","score":1,"level":2},{"mode":"leveled","player":"user_e","score":2,"level":2}]}`).Signed())
	require.Equal(t, []string{"user_e", "user_d"}, s.Players("/v1/leaderboards/leveled?scope=level:2"))
	var answer struct {
		Modes []struct {
			Name   string
			Scopes []string
			Levels int
		}
	}
	require.NoError(t, json.Unmarshal(s.Want(http.StatusOK, apitest.Get("/v1/game")).Body, &answer))
	for _, m := range answer.Modes {
		require.Equal(t, map[bool]int{true: 12}[m.Name == "leveled"], m.Levels, m.Name)
	}
}

func TestBadLevelsCostNothing(t *testing.T) {
	s := withLevels(t)
	for _, c := range []struct {
		call apitest.Call
		says string
	}{
		{s.As("user_a", apitest.Post(apitest.Scores, `{"mode":"leveled","score":1,"level":13}`)), "/level: this must be a whole number from 1 to 12"},
		{s.As("user_a", apitest.Post(apitest.Scores, `{"mode":"leveled","score":1,"level":0}`)), "/level: this must be a whole number from 1 to 12"},
		{s.As("user_a", apitest.Post(apitest.Scores, `{"mode":"leveled","score":1,"level":-1}`)), "/level: this must be a whole number from 1 to 12"},
		{s.As("user_a", apitest.Post(apitest.Scores, `{"mode":"leveled","score":1,"level":1.5}`)), "/level: this must be a whole number from 1 to 12"},
		{s.As("user_a", apitest.Post(apitest.Scores, `{"mode":"leveled","score":1,"level":1e1}`)), "/level: this must be a whole number from 1 to 12"},
		{s.As("user_a", apitest.Post(apitest.Scores, `{"mode":"leveled","score":1,"level":"1"}`)), "/level"},
		{s.As("user_a", apitest.Post(apitest.Scores, `{"mode":"leveled","score":1,"level":[1]}`)), "/level"},
		{s.As("user_a", apitest.Post(apitest.Scores, `{"mode":"daily","score":1,"level":1}`)), "/level: the mode daily has no levels"},
		{apitest.Get("/v1/leaderboards/leveled?scope=level:13"), "?scope: the mode leveled has 12 levels"},
		{apitest.Get("/v1/leaderboards/leveled?scope=level:01"), "is not a level; use a whole number from 1 to 100"},
		{apitest.Get("/v1/leaderboards/leveled?scope=level:101"), "is not a level; use 1 to 100"},
		{apitest.Get("/v1/leaderboards/leveled?scope=level:"), "is not a level"},
		{apitest.Get("/v1/leaderboards/daily?scope=level:1"), "the mode daily has no boards by level"},
	} {
		before := s.Exchanges.Load()
		answer := s.Want(http.StatusBadRequest, c.call)
		require.Contains(t, string(answer.Body), c.says)
		require.Equal(t, before, s.Exchanges.Load())
	}
}

// The dearest score has a level besides all that others have.
func TestADearScoreWithALevelCostsNoMoreThanItsRoute(t *testing.T) {
	s := withLevels(t)
	for i := range 3 { // the first looks for what there is
		token := s.TokenWith(apitest.Another("user_n"), map[string]any{"o": map[string]any{"id": "guild"}})
		c := apitest.Post(apitest.Scores, `{"mode":"leveled","score":9,"level":`+strconv.Itoa(i+1)+`,"groups":["guild"]}`).Bearer(token).With("Idempotency-Key", apitest.Another("k"))
		before := s.Client.Meter().Usage().Commands
		s.Want(http.StatusCreated, c)
		spent := s.Client.Meter().Usage().Commands - before
		if i > 0 {
			require.LessOrEqual(t, spent, int64(18))
		}

	}
}
