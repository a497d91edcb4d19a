package api_test

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/upstash/upstashtest"
)

// records are the keys of idempotency records in Redis.
func (s *stack) records() (keys []string) {
	s.Helper()
	found, err := s.redis.Server.Redis().Do(context.Background(), "KEYS", "once:*")
	require.NoError(s, err)
	for _, key := range found.([]any) {
		keys = append(keys, key.(string))
	}
	return keys
}

// rewind makes the record of a call, and of no other, one of a request that is
// still running.
func (s *stack) rewind(call) {
	s.Helper()
	for _, key := range s.records() {
		text, err := s.redis.Server.Redis().Do(context.Background(), "GET", key)
		require.NoError(s, err)
		fingerprint, _, _ := strings.Cut(text.(string), " ")
		running := fmt.Sprintf("%s running %d another", fingerprint, s.clock.Now().Add(8e9).UnixMilli())
		_, err = s.redis.Server.Redis().Do(context.Background(), "SET", key, running, "PX", "10000")
		require.NoError(s, err)
	}
}

// pass lets the deadline of every claim pass.
func (s *stack) pass() {
	s.Helper()
	for _, key := range s.records() {
		text, err := s.redis.Server.Redis().Do(context.Background(), "GET", key)
		require.NoError(s, err)
		if strings.Contains(text.(string), " running ") {
			left, err := s.redis.Server.Redis().Do(context.Background(), "PTTL", key)
			require.NoError(s, err)
			require.LessOrEqual(s, left, int64(10_000), "a claim ends by itself")
			_, err = s.redis.Server.Redis().Do(context.Background(), "DEL", key)
			require.NoError(s, err)
		}
	}
}

func keyedAs(s *stack, player, key, body string) call {
	return s.as(player, post(scores, body)).with("Idempotency-Key", key)
}

func TestAKeyedRequestIsAnsweredOnce(t *testing.T) {
	s := newStack(t)
	s.play("user_b", "daily", "100")
	c := keyedAs(s, "user_a", `"key-1"`, goodScore)
	first := s.want(http.StatusCreated, c)
	require.Empty(t, first.header.Get("Idempotency-Replayed"))
	s.play("user_c", "daily", "900") // the rank has changed meanwhile
	again := s.want(http.StatusCreated, c)
	require.Equal(t, string(first.body), string(again.body))
	require.Equal(t, "true", again.header.Get("Idempotency-Replayed"))
	for _, name := range []string{"Content-Type", "Cache-Control"} {
		require.Equal(t, first.header.Get(name), again.header.Get(name))
	}
	s.handler = s.process()
	require.Equal(t, string(first.body), string(s.want(http.StatusCreated, c).body), "another process knows it too")
}

func TestABatchWithAKeyIsAnsweredOnce(t *testing.T) {
	s := newStack(t)
	c := post(batch, `{"scores":[{"mode":"daily","player":"user_x","score":800},{"mode":"daily","player":"no id","score":1}]}`).signed().with("Idempotency-Key", "key-1")
	first := s.want(http.StatusOK, c)
	again := s.want(http.StatusOK, c)
	require.Equal(t, string(first.body), string(again.body))
	require.Contains(t, string(again.body), `"accepted"`)
	require.Equal(t, "true", again.header.Get("Idempotency-Replayed"))
}

func TestAKeyStandsForOneBodyWhateverTheMode(t *testing.T) {
	s := newStack(t)
	s.want(http.StatusCreated, keyedAs(s, "user_a", "key-1", goodScore))
	s.want(http.StatusUnprocessableEntity, keyedAs(s, "user_a", "key-1", goodScore+" ")).problem(t, "idempotency-key-reused")
	s.want(http.StatusUnprocessableEntity, keyedAs(s, "user_a", "key-1", fiveCoins)).problem(t, "idempotency-key-reused")
	require.Empty(t, s.page("/v1/leaderboards/coins").Entries, "the sum was taken back")
	s.want(http.StatusCreated, keyedAs(s, "user_a", "key-2", fiveCoins))
	s.want(http.StatusUnprocessableEntity, keyedAs(s, "user_a", "key-2", goodScore)).problem(t, "idempotency-key-reused")
	s.want(http.StatusCreated, keyedAs(s, "user_b", "key-1", goodScore+" "))
}

func TestWhatAKeyCosts(t *testing.T) {
	s := newStack(t)
	for _, player := range []string{"user_a", "user_b"} { // what a process asks once
		s.play(player, "daily", "1")
	}
	plainCost, _ := s.spent(func() { s.want(http.StatusOK, s.as("user_a", post(scores, goodScore))) })
	c := keyedAs(s, "user_b", "key-1", goodScore)
	first, _ := s.spent(func() { s.want(http.StatusOK, c) })
	require.Equal(t, plainCost+2, first)
	replay, _ := s.spent(func() { s.want(http.StatusOK, c) })
	require.EqualValues(t, 1, replay)
	refused, _ := s.spent(func() { s.want(http.StatusBadRequest, keyedAs(s, "user_b", "key-2", `{}`)) })
	require.Zero(t, refused)
}

func TestErrorsAreNotKept(t *testing.T) {
	s := newStack(t)
	s.want(http.StatusUnprocessableEntity, keyedAs(s, "user_a", "key-1", `{"mode":"daily","score":1001}`))
	s.want(http.StatusCreated, keyedAs(s, "user_a", "key-1", goodScore))

	c := keyedAs(s, "user_b", "key-2", goodScore)
	s.redis.Server.Inject(func(r upstashtest.Request) upstashtest.Fault {
		return upstashtest.Fault{CutBefore: r.Commands[0][0] == "ZADD"}
	})
	s.want(http.StatusServiceUnavailable, c).problem(t, "temporarily-unavailable")
	s.mendRedis()
	s.want(http.StatusCreated, c)
}

// Whichever call to Redis gets a malformed answer, and however often: the key is free for the
// next request, or Retry-After says when it is.
func TestAKeyIsGivenBackWhenRedisAnswersNoise(t *testing.T) {
	noise := upstashtest.Fault{Status: http.StatusOK, Body: `<html>`, Applied: true}
	s := newStack(t)
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
			_, err := s.redis.Server.Redis().Do(t.Context(), "FLUSHDB")
			require.NoError(t, err)
			s := s.on(t)
			s.handler = s.process()
			c := keyedAs(s, "user_a", "key-1", goodScore)
			s.redis.Server.Inject(func(r upstashtest.Request) upstashtest.Fault {
				if slices.Contains(strings.Fields(test.commands), r.Commands[0][0]) {
					return noise
				}
				return upstashtest.Fault{}
			})
			a := s.want(http.StatusServiceUnavailable, c)
			a.problem(t, "temporarily-unavailable")
			require.Equal(t, test.wait, a.header.Get("Retry-After"))
			s.mendRedis()
			if test.wait == "10" {
				s.pass()
			}
			s.want(test.then, c)
			require.Equal(t, 1, len(s.page(daily).Entries))
		})
	}
}

func TestOneOfManyAtOnceHasTheEffect(t *testing.T) {
	s := newStack(t)
	s.play("user_b", "daily", "1")
	c := keyedAs(s, "user_a", "key-1", goodScore)
	processes := []http.Handler{s.process(), s.process(), s.process()}
	var mu sync.Mutex
	answers := map[string]int{}
	var wait sync.WaitGroup
	for i := range 24 {
		sub := *s
		sub.handler = processes[i%len(processes)]
		wait.Go(func() {
			a := sub.send(c)
			if a.status == http.StatusConflict {
				return
			}
			mu.Lock()
			defer mu.Unlock()
			answers[fmt.Sprint(a.status, string(a.body))]++
		})
	}
	wait.Wait()
	require.Len(t, answers, 1, "one answer: %v", answers)
	for answer := range answers {
		require.Contains(t, answer, `"status":"accepted"`)
	}
}

func TestAnAbandonedClaimIsTakenOver(t *testing.T) {
	s := newStack(t)
	c := keyedAs(s, "user_a", "key-1", goodScore)
	s.want(http.StatusCreated, c)
	s.rewind(c)
	a := s.want(http.StatusConflict, c)
	a.problem(t, "idempotency-key-in-use")
	require.Equal(t, "8", a.header.Get("Retry-After"))
	s.pass()
	var result scoreBody
	s.want(http.StatusOK, c).into(t, &result)
	require.Equal(t, "kept", result.Status, "the effect had happened before")
	require.EqualValues(t, 800, result.Score)
	require.Equal(t, "true", s.want(http.StatusOK, c).header.Get("Idempotency-Replayed"))
}

// persist sends a call as a client library would until it is answered: again
// after 409, 429, 500 and 503, and when the connection breaks.
func (s *stack) persist(c call) answer {
	s.Helper()
	for range 10 {
		switch a := s.do(c); a.status {
		case http.StatusConflict, http.StatusServiceUnavailable:
			require.NotEmpty(s, a.header.Get("Retry-After"))
			s.pass()
		default:
			return a
		}
	}
	require.Fail(s, "no answer")
	return answer{}
}

// Whichever exchange with Redis fails, before or after its effect and however long, a client
// that keeps asking gets one effect and one answer.
func TestOneEffectAndOneAnswerWhateverBreaks(t *testing.T) {
	for name, body := range map[string]string{
		"first": `{"mode":"daily","score":800,"country":"BR","details":{"a":1}}`, "best": `{"mode":"longest","score":800}`,
		"latest": `{"mode":"newest","score":8}`, "sum": fiveCoins,
	} {
		t.Run(name, func(t *testing.T) {
			s := newStack(t)
			for step := range 4 {
				for _, fault := range []upstashtest.Fault{
					{CutBefore: true}, {CutAfter: true}, {Status: 503, Body: `{"error":"ERR busy"}`}, beingUpgraded,
					{Status: 200, Body: `<html>`}, {Status: 200, Body: `{}`, Applied: true},
				} {
					for _, length := range []int64{1, 4, 9} { // 4: one call with all its attempts
						s.breakAt(name == "sum", body, fault, int64(step), length)
					}
				}
			}
		})
	}
}

func (s *stack) breakAt(sum bool, body string, fault upstashtest.Fault, step, length int64) {
	s.Helper()
	_, err := s.redis.Server.Redis().Do(context.Background(), "FLUSHDB")
	require.NoError(s, err)
	s.handler = s.process()
	s.want(http.StatusCreated, keyedAs(s, "user_b", "other", body)) // Redis knows the scripts
	c := keyedAs(s, "user_a", "key-1", body)
	var exchange atomic.Int64
	s.redis.Server.Inject(func(upstashtest.Request) upstashtest.Fault {
		if n := exchange.Add(1) - 1; n >= step && n < step+length {
			return fault
		}
		return upstashtest.Fault{}
	})
	first := s.persist(c)
	s.mendRedis()
	require.Less(s, first.status, 300, "%s", first.body)
	var result, again scoreBody
	first.into(s, &result)
	require.Equal(s, result.Submitted, result.Score)
	require.EqualValues(s, 2, result.Rank, "user_b was first")
	s.persist(c).into(s, &again)
	if sum {
		require.Equal(s, "replayed", again.Status)
		again.Status = result.Status
	}
	require.Equal(s, result, again, "one answer")
	page := s.page("/v1/leaderboards/" + result.Mode + "?limit=7")
	require.Len(s, page.Entries, 2)
	require.Equal(s, result.Score, page.Entries[1].Score, "one effect")
}

func TestACallerWhoHangsUpFindsTheAnswer(t *testing.T) {
	s := newStack(t)
	c := keyedAs(s, "user_a", "key-1", goodScore)
	ctx, hangUp := context.WithCancel(t.Context())
	s.redis.Server.Inject(func(r upstashtest.Request) upstashtest.Fault {
		if r.Commands[0][0] == "ZADD" {
			hangUp()
		}
		return upstashtest.Fault{}
	})
	w := discard{http.Header{}}
	s.handler.ServeHTTP(w, s.request(c).WithContext(ctx))
	s.mendRedis()
	a := s.want(http.StatusCreated, c)
	require.Equal(t, "true", a.header.Get("Idempotency-Replayed"))
	require.Contains(t, string(a.body), `"accepted"`)
}

// discard is a connection that nobody reads any more.
type discard struct{ header http.Header }

func (d discard) Header() http.Header         { return d.header }
func (d discard) WriteHeader(int)             {}
func (d discard) Write(b []byte) (int, error) { return len(b), nil }
