package api_test

import (
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

const leveled = "  leveled: {policy: best, max: 1000, levels: 12, scopes: [group]}\n"

func withLevels(t *testing.T) *stack {
	s := newStack(t)
	s.game = strings.Replace(s.game, "modes:\n", "modes:\n"+leveled, 1)
	s.handler = s.process()
	return s
}

func TestALevelHasBoardsOfItsOwn(t *testing.T) {
	s := withLevels(t)
	for _, c := range []call{
		s.as("user_a", post(scores, `{"mode":"leveled","score":900,"level":1}`)),
		s.as("user_b", post(scores, `{"mode":"leveled","score":500,"level":12}`)),
		s.as("user_c", post(scores, `{"mode":"leveled","score":700}`)),
	} {
		s.want(http.StatusCreated, c)
	}
	// No better than what stands on the day, and the first at its level: known to this process.
	s.want(http.StatusOK, s.as("user_a", post(scores, `{"mode":"leveled","score":300,"level":12}`)))
	for _, period := range []string{"day", "week", "month", "alltime"} {
		at := "/v1/leaderboards/leveled?period=" + period
		s.clock.Pass(6 * time.Second)
		require.Equal(t, []string{"user_a", "user_c", "user_b"}, s.players(at), period)
		require.Equal(t, []string{"user_a"}, s.players(at+"&scope=level:1"), period)
		require.Equal(t, []string{"user_b", "user_a"}, s.players(at+"&scope=level:12"), period)
		require.Empty(t, s.players(at+"&scope=level:2"))
		require.Contains(t, string(s.want(http.StatusOK, get("/v1/leaderboards/leveled/players/user_a?scope=level:12&period="+period)).body), `"rank":2,"player":"user_a","score":300`)
	}
	s.want(http.StatusOK, post(batch, `{"scores":[{"mode":"leveled","player":"user_d","score":1,"level":2},{"mode":"leveled","player":"user_e","score":2,"level":2}]}`).signed())
	require.Equal(t, []string{"user_e", "user_d"}, s.players("/v1/leaderboards/leveled?scope=level:2"))
	var answer struct {
		Modes []struct {
			Name   string
			Scopes []string
			Levels int
		}
	}
	require.NoError(t, json.Unmarshal(s.want(http.StatusOK, get("/v1/game")).body, &answer))
	for _, m := range answer.Modes {
		require.Equal(t, map[bool]int{true: 12}[m.Name == "leveled"], m.Levels, m.Name)
	}
}

func TestBadLevelsCostNothing(t *testing.T) {
	s := withLevels(t)
	for _, c := range []struct {
		call call
		says string
	}{
		{s.as("user_a", post(scores, `{"mode":"leveled","score":1,"level":13}`)), "/level: this must be a whole number from 1 to 12"},
		{s.as("user_a", post(scores, `{"mode":"leveled","score":1,"level":0}`)), "/level: this must be a whole number from 1 to 12"},
		{s.as("user_a", post(scores, `{"mode":"leveled","score":1,"level":-1}`)), "/level: this must be a whole number from 1 to 12"},
		{s.as("user_a", post(scores, `{"mode":"leveled","score":1,"level":1.5}`)), "/level: this must be a whole number from 1 to 12"},
		{s.as("user_a", post(scores, `{"mode":"leveled","score":1,"level":1e1}`)), "/level: this must be a whole number from 1 to 12"},
		{s.as("user_a", post(scores, `{"mode":"leveled","score":1,"level":"1"}`)), "/level"},
		{s.as("user_a", post(scores, `{"mode":"leveled","score":1,"level":[1]}`)), "/level"},
		{s.as("user_a", post(scores, `{"mode":"daily","score":1,"level":1}`)), "/level: the mode daily has no levels"},
		{get("/v1/leaderboards/leveled?scope=level:13"), "?scope: the mode leveled has 12 levels"},
		{get("/v1/leaderboards/leveled?scope=level:01"), "is not a level; use a whole number from 1 to 100"},
		{get("/v1/leaderboards/leveled?scope=level:101"), "is not a level; use 1 to 100"},
		{get("/v1/leaderboards/leveled?scope=level:"), "is not a level"},
		{get("/v1/leaderboards/daily?scope=level:1"), "the mode daily keeps no boards by level"},
	} {
		before := s.exchanges.Load()
		answer := s.want(http.StatusBadRequest, c.call)
		require.Contains(t, string(answer.body), c.says)
		require.Equal(t, before, s.exchanges.Load())
	}
}

// The dearest score has a level besides all that others have.
func TestADearScoreWithALevelCostsNoMoreThanItsRoute(t *testing.T) {
	s := withLevels(t)
	for i := range 3 { // the first looks for what there is
		token := s.tokenWith(another("user_n"), map[string]any{"o": map[string]any{"id": "guild"}})
		c := post(scores, `{"mode":"leveled","score":9,"level":`+strconv.Itoa(i+1)+`,"groups":["guild"]}`).bearer(token).with("Idempotency-Key", another("k"))
		before := s.client.Meter().Usage().Commands
		s.want(http.StatusCreated, c)
		spent := s.client.Meter().Usage().Commands - before
		if i > 0 {
			require.LessOrEqual(t, spent, int64(18))
		}

	}
}
