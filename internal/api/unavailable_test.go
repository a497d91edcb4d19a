package api_test

import (
	"github.com/framedle/leaderboards/internal/dev/apitest"

	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/upstash/upstashtest"
)

func TestWithoutRedisEverythingIs503AndNothingHalfDone(t *testing.T) {
	for name, fault := range map[string]upstashtest.Fault{
		"unreachable": apitest.RedisDown, "throttled": tooManyAtOnce, "out of quota": outOfQuota,
		"failing": {Status: http.StatusBadGateway, Body: `bad gateway`}, "upgraded": beingUpgraded,
		"a page in its place": {Status: http.StatusOK, Body: `<html>`}, "empty": {Status: http.StatusOK}, "an empty object": {Status: http.StatusOK, Body: `{}`},
	} {
		t.Run(name, func(t *testing.T) {
			s := apitest.NewStack(t)
			s.FailRedis(fault)
			calls := []apitest.Call{
				s.As("user_a", apitest.Post(apitest.Scores, apitest.GoodScore)),
				s.As("user_a", apitest.Post(apitest.Scores, `{"mode":"longest","score":5}`)),
				s.As("user_a", apitest.Post(apitest.Scores, `{"mode":"newest","score":5}`)),
				s.As("user_a", apitest.Post(apitest.Scores, `{"mode":"tied","score":5}`)),
				s.As("user_a", apitest.Post(apitest.Scores, `{"mode":"coins","score":5}`)).With("Idempotency-Key", "k1"),
				apitest.Post(apitest.Batch, goodBatch).Signed(),
				apitest.Get(apitest.Daily), apitest.Get(apitest.Daily + "?period=week"), apitest.Get("/v1/leaderboards/xp"), apitest.Get(apitest.Card), apitest.Get(around), apitest.Post(apitest.Lookup, goodLookup),
				{Method: http.MethodHead, Target: apitest.Daily},
			}
			for _, c := range calls {
				a := s.Want(http.StatusServiceUnavailable, c)
				a.Problem(t, "temporarily-unavailable")
				seconds, err := strconv.Atoi(a.Header.Get("Retry-After"))
				require.NoError(t, err)
				require.Positive(t, seconds)
			}
			s.MendRedis()
			require.Empty(t, s.Page(apitest.Daily).Entries)
			for _, c := range calls[:5] {
				var result apitest.ScoreBody
				s.Want(http.StatusCreated, c).Into(t, &result)
				require.Equal(t, apitest.ScoreBody{
					Mode: result.Mode, Board: result.Board, Date: apitest.Today, Player: "user_a", Status: "accepted",
					Score: result.Submitted, Submitted: result.Submitted, Rank: 1, Total: 1, Percentile: 100,
				}, result)
			}
		})
	}
}

func TestALostAnswerIsNotASecondPlay(t *testing.T) {
	s := apitest.NewStack(t)
	for mode, score := range map[string]string{"daily": "800", "longest": "5", "fastest": "12.34", "newest": "-3", "tied": "7"} {
		s.FailOnce(upstashtest.Fault{CutAfter: true})
		require.Equal(t, "accepted", s.Play("user_a", mode, score).Status, mode)
	}
	s.FailOnce(upstashtest.Fault{CutAfter: true})
	var result apitest.ScoreBody
	s.Want(http.StatusCreated, s.As("user_a", apitest.Post(apitest.Scores, `{"mode":"coins","score":5}`)).With("Idempotency-Key", "k1")).Into(t, &result)
	require.Equal(t, "accepted", result.Status)
	require.EqualValues(t, 5, result.Score)
}

func TestA503AfterTheEffectCanBeSentAgain(t *testing.T) {
	s := apitest.NewStack(t)
	// Redis has to know the script already, or the fault cuts its very first try.
	s.Want(http.StatusCreated, s.As("user_b", apitest.Post(apitest.Scores, `{"mode":"coins","score":3}`)).With("Idempotency-Key", "k1"))
	s.FailRedis(upstashtest.Fault{CutAfter: true})
	first := s.As("user_a", apitest.Post(apitest.Scores, apitest.GoodScore))
	adding := s.As("user_a", apitest.Post(apitest.Scores, `{"mode":"coins","score":5}`)).With("Idempotency-Key", "k1")
	s.Want(http.StatusServiceUnavailable, first)
	s.Want(http.StatusServiceUnavailable, adding)
	s.MendRedis()
	var result apitest.ScoreBody
	s.Want(http.StatusOK, first).Into(t, &result)
	require.Equal(t, "kept", result.Status)
	require.EqualValues(t, 800, result.Score)
	result = apitest.ScoreBody{}
	s.Want(http.StatusOK, adding).Into(t, &result)
	require.Equal(t, "replayed", result.Status)
	require.EqualValues(t, 5, result.Score, "added once")
}

func TestABatchThatReachedNothingIsOne503(t *testing.T) {
	s := apitest.NewStack(t)
	s.FailRedis(apitest.RedisDown)
	const mixed = `{"scores":[{"mode":"daily","player":"a b","score":1},{"mode":"daily","player":"user_a","score":2}]}`
	s.Want(http.StatusServiceUnavailable, apitest.Post(apitest.Batch, goodBatch).Signed()).Problem(t, "temporarily-unavailable")
	var result apitest.BatchBody
	s.Want(http.StatusOK, apitest.Post(apitest.Batch, mixed).Signed()).Into(t, &result)
	require.Equal(t, 400, result.Results[0].Problem.Status)
	require.Equal(t, 503, result.Results[1].Problem.Status)
	s.MendRedis()
	result = apitest.BatchBody{}
	s.Want(http.StatusOK, apitest.Post(apitest.Batch, mixed).Signed()).Into(t, &result)
	require.Equal(t, "accepted", result.Results[1].Status)
}

func TestFaultsOfOursTellNothingOfTheInside(t *testing.T) {
	s := apitest.NewStack(t)
	s.FailRedis(apitest.RefusedCommand)
	p := s.Want(http.StatusInternalServerError, apitest.Get(apitest.Daily)).Problem(t, "internal")
	require.NotContains(t, p.Detail, "syntax")
	require.NotContains(t, p.Detail, "lb:")
}

// A wrong token of a deployment is its operator's to mend, who is told; for
// everybody else the boards are not available.
func TestAWrongTokenOfOursIs503AndNamedToTheOperator(t *testing.T) {
	s := apitest.NewStack(t)
	s.FailRedis(wrongToken)
	for _, c := range []apitest.Call{apitest.Get(apitest.Daily), s.As("user_a", apitest.Post(apitest.Scores, apitest.GoodScore)), apitest.Get("/v1/ops/health").Bearer(apitest.OpsToken)} {
		a := s.Want(http.StatusServiceUnavailable, c)
		p := a.Problem(t, "temporarily-unavailable")
		require.Equal(t, "60", a.Header.Get("Retry-After"))
		require.NotContains(t, p.Detail, "WRONGPASS")
		require.Equal(t, c.Target == "/v1/ops/health", strings.Contains(p.Detail, "UPSTASH_REDIS_REST_TOKEN is wrong"), p.Detail)
	}
}
