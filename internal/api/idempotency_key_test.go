package api_test

import (
	"github.com/framedle/leaderboards/internal/dev/apitest"

	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const fiveCoins = `{"mode":"coins","score":5}`

func TestASumIsAddedOncePerKey(t *testing.T) {
	s := apitest.NewStack(t)
	adding := s.As("user_a", apitest.Post(apitest.Scores, fiveCoins))
	first := s.Coins(http.StatusCreated, adding, `"key-1"`)
	require.Equal(t, "accepted", first.Status)
	for _, key := range []string{`"key-1"`, "key-1"} { // quoted and bare are the same key
		again := s.Coins(http.StatusOK, adding, key)
		require.Equal(t, "replayed", again.Status)
		again.Status = first.Status
		require.Equal(t, first, again, "the first answer once more")
	}
	second := s.Coins(http.StatusCreated, adding, "key-2")
	require.Equal(t, "improved", second.Status)
	require.EqualValues(t, 10, second.Score)
	require.EqualValues(t, 5, s.Coins(http.StatusOK, adding, "key-1").Score, "the score of the first time")

	s.Handler = s.Process()
	require.Equal(t, "replayed", s.Coins(http.StatusOK, adding, "key-2").Status, "another process knows it too")
	require.EqualValues(t, 10, s.Page("/v1/leaderboards/coins").Entries[0].Score)
}

func TestAKeyStandsForOneRequest(t *testing.T) {
	s := apitest.NewStack(t)
	s.Coins(http.StatusCreated, s.As("user_a", apitest.Post(apitest.Scores, fiveCoins)), "key-1")
	for _, body := range []string{`{"mode":"coins","score":6}`, `{"mode":"coins","score":5 }`, `{"mode":"coins","score":5,"country":"BR"}`} {
		s.Want(http.StatusUnprocessableEntity, s.As("user_a", apitest.Post(apitest.Scores, body)).With("Idempotency-Key", "key-1")).Problem(t, "idempotency-key-reused")
	}
	require.EqualValues(t, 5, s.Page("/v1/leaderboards/coins").Entries[0].Score)
}

func TestAKeyIsItsCallersOwn(t *testing.T) {
	s := apitest.NewStack(t)
	for _, player := range []string{"user_a", "user_b"} {
		require.Equal(t, "accepted", s.Coins(http.StatusCreated, s.As(player, apitest.Post(apitest.Scores, fiveCoins)), "key-1").Status)
	}
	served := s.Coins(http.StatusCreated, apitest.Post(apitest.Scores, `{"mode":"coins","score":5,"player":"user_a"}`).Signed(), "key-1")
	require.Equal(t, "improved", served.Status)
	require.EqualValues(t, 10, served.Score)
	inBatch := s.Batch(apitest.Post(apitest.Batch, `{"scores":[{"mode":"coins","score":5,"player":"user_a"}]}`).Signed().With("Idempotency-Key", "key-1"))
	require.EqualValues(t, 15, inBatch.Results[0].Score, "another route")
}

func TestAKeyOfABatchCountsForEachPlaceInIt(t *testing.T) {
	s := apitest.NewStack(t)
	coin := `{"mode":"coins","player":"user_a","score":5}`
	c := apitest.Post(apitest.Batch, `{"scores":[`+strings.Join([]string{coin, coin, `{"mode":"coins","player":"user_b","score":7}`, `{"mode":"coins","player":"user_b","score":"x"}`}, ",")+`]}`).
		Signed().With("Idempotency-Key", "key-1")
	for _, want := range [][]string{{"accepted", "improved", "accepted"}, {"replayed", "replayed", "replayed"}} {
		result := s.Batch(c)
		for i, status := range want {
			require.Equal(t, status, result.Results[i].Status, i)
		}
		require.Equal(t, 400, result.Results[3].Problem.Status)
	}
	page := s.Page("/v1/leaderboards/coins")
	require.EqualValues(t, 10, page.Entries[0].Score)
	require.EqualValues(t, 7, page.Entries[1].Score)
}

func TestADaysTotalStaysWithinItsBounds(t *testing.T) {
	s := apitest.NewStack(t)
	most := s.As("user_a", apitest.Post(apitest.Scores, `{"mode":"coins","score":500}`))
	s.Coins(http.StatusCreated, most, "key-1")
	s.Coins(http.StatusCreated, most, "key-2")
	s.Want(http.StatusUnprocessableEntity, most.With("Idempotency-Key", "key-3")).Problem(t, "score-out-of-bounds")
	require.EqualValues(t, 1000, s.Page("/v1/leaderboards/coins").Entries[0].Score)
}
