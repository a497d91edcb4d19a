package api_test

import (
	"github.com/framedle/leaderboards/internal/dev/apitest"

	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/upstash/upstashtest"
)

func TestAKeyedRequestIsAnsweredOnce(t *testing.T) {
	s := apitest.NewStack(t)
	s.Play("user_b", "daily", "100")
	c := apitest.KeyedAs(s, "user_a", `"key-1"`, apitest.GoodScore)
	first := s.Want(http.StatusCreated, c)
	require.Empty(t, first.Header.Get("Idempotency-Replayed"))
	s.Play("user_c", "daily", "900") // the rank has changed meanwhile
	again := s.Want(http.StatusCreated, c)
	require.Equal(t, string(first.Body), string(again.Body))
	require.Equal(t, "true", again.Header.Get("Idempotency-Replayed"))
	for _, name := range []string{"Content-Type", "Cache-Control"} {
		require.Equal(t, first.Header.Get(name), again.Header.Get(name))
	}
	s.Handler = s.Process()
	require.Equal(t, string(first.Body), string(s.Want(http.StatusCreated, c).Body), "another process knows it too")
}

func TestABatchWithAKeyIsAnsweredOnce(t *testing.T) {
	s := apitest.NewStack(t)
	c := apitest.Post(apitest.Batch, `{"scores":[{"mode":"daily","player":"user_x","score":800},{"mode":"daily","player":"no id","score":1}]}`).Signed().With("Idempotency-Key", "key-1")
	first := s.Want(http.StatusOK, c)
	again := s.Want(http.StatusOK, c)
	require.Equal(t, string(first.Body), string(again.Body))
	require.Contains(t, string(again.Body), `"accepted"`)
	require.Equal(t, "true", again.Header.Get("Idempotency-Replayed"))
}

func TestAKeyStandsForOneBodyWhateverTheMode(t *testing.T) {
	s := apitest.NewStack(t)
	s.Want(http.StatusCreated, apitest.KeyedAs(s, "user_a", "key-1", apitest.GoodScore))
	s.Want(http.StatusUnprocessableEntity, apitest.KeyedAs(s, "user_a", "key-1", apitest.GoodScore+" ")).Problem(t, "idempotency-key-reused")
	s.Want(http.StatusUnprocessableEntity, apitest.KeyedAs(s, "user_a", "key-1", fiveCoins)).Problem(t, "idempotency-key-reused")
	require.Empty(t, s.Page("/v1/leaderboards/coins").Entries, "the sum was taken back")
	s.Want(http.StatusCreated, apitest.KeyedAs(s, "user_a", "key-2", fiveCoins))
	s.Want(http.StatusUnprocessableEntity, apitest.KeyedAs(s, "user_a", "key-2", apitest.GoodScore)).Problem(t, "idempotency-key-reused")
	s.Want(http.StatusCreated, apitest.KeyedAs(s, "user_b", "key-1", apitest.GoodScore+" "))
}

func TestWhatAKeyCosts(t *testing.T) {
	s := apitest.NewStack(t)
	for _, player := range []string{"user_a", "user_b"} { // what a process asks once
		s.Play(player, "daily", "1")
	}
	plainCost, _ := s.Spent(func() { s.Want(http.StatusOK, s.As("user_a", apitest.Post(apitest.Scores, apitest.GoodScore))) })
	c := apitest.KeyedAs(s, "user_b", "key-1", apitest.GoodScore)
	first, _ := s.Spent(func() { s.Want(http.StatusOK, c) })
	require.Equal(t, plainCost+2, first)
	replay, _ := s.Spent(func() { s.Want(http.StatusOK, c) })
	require.EqualValues(t, 1, replay)
	refused, _ := s.Spent(func() { s.Want(http.StatusBadRequest, apitest.KeyedAs(s, "user_b", "key-2", `{}`)) })
	require.Zero(t, refused)
}

func TestErrorsAreNotKept(t *testing.T) {
	s := apitest.NewStack(t)
	s.Want(http.StatusUnprocessableEntity, apitest.KeyedAs(s, "user_a", "key-1", `{"mode":"daily","score":1001}`))
	s.Want(http.StatusCreated, apitest.KeyedAs(s, "user_a", "key-1", apitest.GoodScore))

	c := apitest.KeyedAs(s, "user_b", "key-2", apitest.GoodScore)
	s.Redis.Server.Inject(func(r upstashtest.Request) upstashtest.Fault {
		return upstashtest.Fault{CutBefore: r.Commands[0][0] == "ZADD"}
	})
	s.Want(http.StatusServiceUnavailable, c).Problem(t, "temporarily-unavailable")
	s.MendRedis()
	s.Want(http.StatusCreated, c)
}

// Whichever call to Redis gets a malformed answer, and however often: the key is free for the
// next request, or Retry-After says when it is.
func TestAKeyIsGivenBackWhenRedisAnswersNoise(t *testing.T) {
	noise := upstashtest.Fault{Status: http.StatusOK, Body: `<html>`, Applied: true}
	s := apitest.NewStack(t)
	for name, test := range map[string]struct {
		commands string // that get no answer
		wait     string
		then     int
	}{
		"the claim":                     {"SET", "2", http.StatusCreated},
		"the effect":                    {"ZADD", "2", http.StatusOK},
		"the effect and the release":    {"ZADD DEL", "10", http.StatusOK},
		"the claim and what follows it": {"SET EVALSHA", "10", http.StatusCreated},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := s.Redis.Server.Redis().Do(t.Context(), "FLUSHDB")
			require.NoError(t, err)
			s := s.On(t)
			s.Handler = s.Process()
			c := apitest.KeyedAs(s, "user_a", "key-1", apitest.GoodScore)
			s.Redis.Server.Inject(func(r upstashtest.Request) upstashtest.Fault {
				if slices.Contains(strings.Fields(test.commands), r.Commands[0][0]) {
					return noise
				}
				return upstashtest.Fault{}
			})
			a := s.Want(http.StatusServiceUnavailable, c)
			a.Problem(t, "temporarily-unavailable")
			require.Equal(t, test.wait, a.Header.Get("Retry-After"))
			s.MendRedis()
			if test.wait == "10" {
				s.Pass()
			}
			s.Want(test.then, c)
			require.Equal(t, 1, len(s.Page(apitest.Daily).Entries))
		})
	}
}

func TestOneOfManyAtOnceHasTheEffect(t *testing.T) {
	s := apitest.NewStack(t)
	s.Play("user_b", "daily", "1")
	c := apitest.KeyedAs(s, "user_a", "key-1", apitest.GoodScore)
	processes := []http.Handler{s.Process(), s.Process(), s.Process()}
	var mu sync.Mutex
	answers := map[string]int{}
	var wait sync.WaitGroup
	for i := range 24 {
		sub := *s
		sub.Handler = processes[i%len(processes)]
		wait.Go(func() {
			a := sub.Send(c)
			if a.Status == http.StatusConflict {
				return
			}
			mu.Lock()
			defer mu.Unlock()
			answers[fmt.Sprint(a.Status, string(a.Body))]++
		})
	}
	wait.Wait()
	require.Len(t, answers, 1, "one answer: %v", answers)
	for answer := range answers {
		require.Contains(t, answer, `"status":"accepted"`)
	}
}

func TestAnAbandonedClaimIsTakenOver(t *testing.T) {
	s := apitest.NewStack(t)
	c := apitest.KeyedAs(s, "user_a", "key-1", apitest.GoodScore)
	s.Want(http.StatusCreated, c)
	s.Rewind(c)
	a := s.Want(http.StatusConflict, c)
	a.Problem(t, "idempotency-key-in-use")
	require.Equal(t, "8", a.Header.Get("Retry-After"))
	s.Pass()
	var result apitest.ScoreBody
	s.Want(http.StatusOK, c).Into(t, &result)
	require.Equal(t, "kept", result.Status, "the effect had happened before")
	require.EqualValues(t, 800, result.Score)
	require.Equal(t, "true", s.Want(http.StatusOK, c).Header.Get("Idempotency-Replayed"))
}

// Whichever exchange with Redis fails, before or after its effect and however long, a client
// that keeps asking gets one effect and one answer.
func TestOneEffectAndOneAnswerWhateverBreaks(t *testing.T) {
	for name, body := range map[string]string{
		"first": `{"mode":"daily","score":800,"country":"BR","details":{"a":1}}`, "best": `{"mode":"longest","score":800}`,
		"latest": `{"mode":"newest","score":8}`, "sum": fiveCoins,
	} {
		t.Run(name, func(t *testing.T) {
			s := apitest.NewStack(t)
			for step := range 4 {
				for _, fault := range []upstashtest.Fault{
					{CutBefore: true}, {CutAfter: true}, {Status: 503, Body: `{"error":"ERR busy"}`}, beingUpgraded,
					{Status: 200, Body: `<html>`}, {Status: 200, Body: `{}`, Applied: true},
				} {
					for _, length := range []int64{1, 4, 9} { // 4: one call with all its attempts
						s.BreakAt(name == "sum", body, fault, int64(step), length)
					}
				}
			}
		})
	}
}

func TestACallerWhoHangsUpFindsTheAnswer(t *testing.T) {
	s := apitest.NewStack(t)
	c := apitest.KeyedAs(s, "user_a", "key-1", apitest.GoodScore)
	ctx, hangUp := context.WithCancel(t.Context())
	s.Redis.Server.Inject(func(r upstashtest.Request) upstashtest.Fault {
		if r.Commands[0][0] == "ZADD" {
			hangUp()
		}
		return upstashtest.Fault{}
	})
	w := discard{http.Header{}}
	s.Handler.ServeHTTP(w, s.Request(c).WithContext(ctx))
	s.MendRedis()
	a := s.Want(http.StatusCreated, c)
	require.Equal(t, "true", a.Header.Get("Idempotency-Replayed"))
	require.Contains(t, string(a.Body), `"accepted"`)
}

// discard is a connection that nobody reads any more.
type discard struct{ header http.Header }

func (d discard) Header() http.Header { return d.header }

func (d discard) WriteHeader(int) {}

func (d discard) Write(b []byte) (int, error) { return len(b), nil }
