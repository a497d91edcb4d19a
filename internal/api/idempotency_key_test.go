package api_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const fiveCoins = `{"mode":"coins","score":5}`

func (s *stack) coins(status int, c call, key string) scoreBody {
	s.Helper()
	a := s.want(status, c.with("Idempotency-Key", key))
	var result scoreBody
	a.into(s, &result)
	require.Equal(s, result.Status == "replayed", a.header.Get("Idempotency-Replayed") == "true")
	return result
}

func TestASumIsAddedOncePerKey(t *testing.T) {
	s := newStack(t)
	adding := s.as("user_a", post(scores, fiveCoins))
	first := s.coins(http.StatusCreated, adding, `"key-1"`)
	require.Equal(t, "accepted", first.Status)
	for _, key := range []string{`"key-1"`, "key-1"} { // quoted and bare are the same key
		again := s.coins(http.StatusOK, adding, key)
		require.Equal(t, "replayed", again.Status)
		again.Status = first.Status
		require.Equal(t, first, again, "the first answer once more")
	}
	second := s.coins(http.StatusCreated, adding, "key-2")
	require.Equal(t, "improved", second.Status)
	require.EqualValues(t, 10, second.Score)
	require.EqualValues(t, 5, s.coins(http.StatusOK, adding, "key-1").Score, "the score of the first time")

	s.handler = s.process()
	require.Equal(t, "replayed", s.coins(http.StatusOK, adding, "key-2").Status, "another process knows it too")
	require.EqualValues(t, 10, s.page("/v1/leaderboards/coins").Entries[0].Score)
}

func TestAKeyStandsForOneRequest(t *testing.T) {
	s := newStack(t)
	s.coins(http.StatusCreated, s.as("user_a", post(scores, fiveCoins)), "key-1")
	for _, body := range []string{`{"mode":"coins","score":6}`, `{"mode":"coins","score":5 }`, `{"mode":"coins","score":5,"country":"BR"}`} {
		s.want(http.StatusUnprocessableEntity, s.as("user_a", post(scores, body)).with("Idempotency-Key", "key-1")).problem(t, "idempotency-key-reused")
	}
	require.EqualValues(t, 5, s.page("/v1/leaderboards/coins").Entries[0].Score)
}

func TestAKeyIsItsCallersOwn(t *testing.T) {
	s := newStack(t)
	for _, player := range []string{"user_a", "user_b"} {
		require.Equal(t, "accepted", s.coins(http.StatusCreated, s.as(player, post(scores, fiveCoins)), "key-1").Status)
	}
	served := s.coins(http.StatusCreated, post(scores, `{"mode":"coins","score":5,"player":"user_a"}`).signed(), "key-1")
	require.Equal(t, "improved", served.Status)
	require.EqualValues(t, 10, served.Score)
	inBatch := s.batch(post(batch, `{"scores":[{"mode":"coins","score":5,"player":"user_a"}]}`).signed().with("Idempotency-Key", "key-1"))
	require.EqualValues(t, 15, inBatch.Results[0].Score, "another route")
}

func TestAKeyOfABatchCountsForEachPlaceInIt(t *testing.T) {
	s := newStack(t)
	coin := `{"mode":"coins","player":"user_a","score":5}`
	c := post(batch, `{"scores":[`+strings.Join([]string{coin, coin, `{"mode":"coins","player":"user_b","score":7}`, `{"mode":"coins","player":"user_b","score":"x"}`}, ",")+`]}`).
		signed().with("Idempotency-Key", "key-1")
	for _, want := range [][]string{{"accepted", "improved", "accepted"}, {"replayed", "replayed", "replayed"}} {
		result := s.batch(c)
		for i, status := range want {
			require.Equal(t, status, result.Results[i].Status, i)
		}
		require.Equal(t, 400, result.Results[3].Problem.Status)
	}
	page := s.page("/v1/leaderboards/coins")
	require.EqualValues(t, 10, page.Entries[0].Score)
	require.EqualValues(t, 7, page.Entries[1].Score)
}

func TestADaysTotalStaysWithinItsBounds(t *testing.T) {
	s := newStack(t)
	most := s.as("user_a", post(scores, `{"mode":"coins","score":500}`))
	s.coins(http.StatusCreated, most, "key-1")
	s.coins(http.StatusCreated, most, "key-2")
	s.want(http.StatusUnprocessableEntity, most.with("Idempotency-Key", "key-3")).problem(t, "score-out-of-bounds")
	require.EqualValues(t, 1000, s.page("/v1/leaderboards/coins").Entries[0].Score)
}
