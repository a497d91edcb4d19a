package api_test

import (
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/upstash/upstashtest"
)

func TestWithoutRedisEverythingIs503AndNothingHalfDone(t *testing.T) {
	for name, fault := range map[string]upstashtest.Fault{
		"unreachable": redisDown, "throttled": tooManyAtOnce, "out of quota": outOfQuota,
		"failing": {Status: http.StatusBadGateway, Body: `bad gateway`}, "upgraded": beingUpgraded,
		"a page in its place": {Status: http.StatusOK, Body: `<html>`}, "empty": {Status: http.StatusOK}, "an empty object": {Status: http.StatusOK, Body: `{}`},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStack(t)
			s.fail(fault)
			calls := []call{
				s.as("user_a", post(scores, goodScore)),
				s.as("user_a", post(scores, `{"mode":"longest","score":5}`)),
				s.as("user_a", post(scores, `{"mode":"newest","score":5}`)),
				s.as("user_a", post(scores, `{"mode":"tied","score":5}`)),
				s.as("user_a", post(scores, `{"mode":"coins","score":5}`)).with("Idempotency-Key", "k1"),
				post(batch, goodBatch).signed(),
				get(daily), get(daily + "?period=week"), get("/v1/leaderboards/xp"), get(card), get(around), post(lookup, goodLookup),
				{method: http.MethodHead, target: daily},
			}
			for _, c := range calls {
				a := s.want(http.StatusServiceUnavailable, c)
				a.problem(t, "temporarily-unavailable")
				seconds, err := strconv.Atoi(a.header.Get("Retry-After"))
				require.NoError(t, err)
				require.Positive(t, seconds)
			}
			s.mendRedis()
			require.Empty(t, s.page(daily).Entries)
			for _, c := range calls[:5] {
				var result scoreBody
				s.want(http.StatusCreated, c).into(t, &result)
				require.Equal(t, scoreBody{
					Mode: result.Mode, Board: result.Board, Date: today, Player: "user_a", Status: "accepted",
					Score: result.Submitted, Submitted: result.Submitted, Rank: 1, Total: 1, Percentile: 100,
				}, result)
			}
		})
	}
}

// failOnce has the next request to Redis fail, and all after it pass.
func (s *stack) failOnce(f upstashtest.Fault) {
	var failed atomic.Bool
	s.redis.Server.Inject(func(upstashtest.Request) upstashtest.Fault {
		s.exchanges.Add(1)
		if failed.Swap(true) {
			return upstashtest.Fault{}
		}
		return f
	})
}

func TestALostAnswerIsNotASecondPlay(t *testing.T) {
	s := newStack(t)
	for mode, score := range map[string]string{"daily": "800", "longest": "5", "fastest": "12.34", "newest": "-3", "tied": "7"} {
		s.failOnce(upstashtest.Fault{CutAfter: true})
		require.Equal(t, "accepted", s.play("user_a", mode, score).Status, mode)
	}
	s.failOnce(upstashtest.Fault{CutAfter: true})
	var result scoreBody
	s.want(http.StatusCreated, s.as("user_a", post(scores, `{"mode":"coins","score":5}`)).with("Idempotency-Key", "k1")).into(t, &result)
	require.Equal(t, "accepted", result.Status)
	require.EqualValues(t, 5, result.Score)
}

func TestA503AfterTheEffectCanBeSentAgain(t *testing.T) {
	s := newStack(t)
	// Redis has to know the script already, or the fault cuts its very first try.
	s.want(http.StatusCreated, s.as("user_b", post(scores, `{"mode":"coins","score":3}`)).with("Idempotency-Key", "k1"))
	s.fail(upstashtest.Fault{CutAfter: true})
	first := s.as("user_a", post(scores, goodScore))
	adding := s.as("user_a", post(scores, `{"mode":"coins","score":5}`)).with("Idempotency-Key", "k1")
	s.want(http.StatusServiceUnavailable, first)
	s.want(http.StatusServiceUnavailable, adding)
	s.mendRedis()
	var result scoreBody
	s.want(http.StatusOK, first).into(t, &result)
	require.Equal(t, "kept", result.Status)
	require.EqualValues(t, 800, result.Score)
	result = scoreBody{}
	s.want(http.StatusOK, adding).into(t, &result)
	require.Equal(t, "replayed", result.Status)
	require.EqualValues(t, 5, result.Score, "added once")
}

func TestABatchThatReachedNothingIsOne503(t *testing.T) {
	s := newStack(t)
	s.fail(redisDown)
	const mixed = `{"scores":[{"mode":"daily","player":"a b","score":1},{"mode":"daily","player":"user_a","score":2}]}`
	s.want(http.StatusServiceUnavailable, post(batch, goodBatch).signed()).problem(t, "temporarily-unavailable")
	var result batchBody
	s.want(http.StatusOK, post(batch, mixed).signed()).into(t, &result)
	require.Equal(t, 400, result.Results[0].Problem.Status)
	require.Equal(t, 503, result.Results[1].Problem.Status)
	s.mendRedis()
	result = batchBody{}
	s.want(http.StatusOK, post(batch, mixed).signed()).into(t, &result)
	require.Equal(t, "accepted", result.Results[1].Status)
}

func TestFaultsOfOursTellNothingOfTheInside(t *testing.T) {
	s := newStack(t)
	s.fail(refusedCommand)
	p := s.want(http.StatusInternalServerError, get(daily)).problem(t, "internal")
	require.NotContains(t, p.Detail, "syntax")
	require.NotContains(t, p.Detail, "lb:")
}

// A wrong token of a deployment is its operator's to mend, who is told; for
// everybody else the boards are not available.
func TestAWrongTokenOfOursIs503AndNamedToTheOperator(t *testing.T) {
	s := newStack(t)
	s.fail(wrongToken)
	for _, c := range []call{get(daily), s.as("user_a", post(scores, goodScore)), get("/v1/ops/health").bearer(opsToken)} {
		a := s.want(http.StatusServiceUnavailable, c)
		p := a.problem(t, "temporarily-unavailable")
		require.Equal(t, "60", a.header.Get("Retry-After"))
		require.NotContains(t, p.Detail, "WRONGPASS")
		require.Equal(t, c.target == "/v1/ops/health", strings.Contains(p.Detail, "UPSTASH_REDIS_REST_TOKEN is wrong"), p.Detail)
	}
}
