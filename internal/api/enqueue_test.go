package api_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/feature/queue"
	"github.com/framedle/leaderboards/internal/platform/host"
)

// pending is a queue that a test empties by hand.
type pending struct {
	messages []host.QueueMessage
	err      error
}

func (p *pending) Send(_ context.Context, body string) error {
	if p.err != nil {
		return p.err
	}
	p.messages = append(p.messages, host.QueueMessage{ID: fmt.Sprintf("m-%d", len(p.messages)), Body: body, Receives: 1})
	return nil
}

// newQueuedStack is the product in queue mode.
func newQueuedStack(tb testing.TB) (*stack, *pending) {
	s, p := newStack(tb), &pending{}
	s.queue = queue.Writer{Sender: p}
	s.handler = s.process()
	return s, p
}

// ingestAll has everything that waits written.
func (s *stack) ingestAll(p *pending) {
	s.Helper()
	failed, err := s.ingest.Take(s.Context(), p.messages)
	require.NoError(s, err)
	require.Empty(s, failed)
	p.messages = nil
}

func TestAQueuedScoreIsAnsweredAtOnceAndSeenOnceItIsWritten(t *testing.T) {
	s, p := newQueuedStack(t)
	commands, _ := s.spent(func() {
		a := s.want(http.StatusAccepted, s.as("user_a", post("/v1/scores", `{"mode":"daily","score":800,"country":"BR","details":{"guesses":2}}`)))
		require.JSONEq(t, `{"mode":"daily","date":"2026-11-18","player":"user_a","status":"queued","submitted":800}`, string(a.body))
		a = s.want(http.StatusAccepted, post("/v1/scores", `{"mode":"fastest","player":"user_b","score":12.50}`).signed())
		require.Contains(t, string(a.body), `"submitted":12.5`)
	})
	require.Zero(t, commands)
	s.want(http.StatusNotFound, get("/v1/leaderboards/daily/players/user_a"))
	s.ingestAll(p)
	card := s.want(http.StatusOK, get("/v1/leaderboards/daily/players/user_a"))
	require.Contains(t, string(card.body), `"rank":1,"player":"user_a","score":800`)
	require.Contains(t, string(card.body), `"details":{"guesses":2}`)
	require.Contains(t, string(card.body), `"country":"BR"`)
	s.want(http.StatusOK, get("/v1/leaderboards/daily/players/user_a?scope=country:BR"))
	require.Contains(t, string(s.want(http.StatusOK, get("/v1/leaderboards/fastest")).body), `"score":12.5`)
}

// Of equal scores the one that arrived first leads, in whatever order they are written.
func TestEqualScoresAreRankedByArrival(t *testing.T) {
	s, p := newQueuedStack(t)
	for _, player := range []string{"user_a", "user_b", "user_c"} {
		s.want(http.StatusAccepted, s.as(player, post("/v1/scores", `{"mode":"daily","score":800}`)))
	}
	p.messages[0], p.messages[2] = p.messages[2], p.messages[0]
	s.ingestAll(p)
	page := string(s.want(http.StatusOK, get("/v1/leaderboards/daily")).body)
	require.Regexp(t, `(?s)"rank":1,"player":"user_a".*"rank":2,"player":"user_b".*"rank":3,"player":"user_c"`, page)
}

func TestWhatWouldBeRefusedIsNotQueued(t *testing.T) {
	s, p := newQueuedStack(t)
	commands, _ := s.spent(func() {
		for status, calls := range map[int][]call{
			http.StatusBadRequest: {
				s.as("user_a", post("/v1/scores", `{`)), s.as("user_a", post("/v1/scores", `{"mode":"daily"}`)),
				s.as("user_a", post("/v1/scores", `{"mode":"coins","score":5}`)),
			},
			http.StatusUnauthorized:        {post("/v1/scores", `{"mode":"daily","score":5}`)},
			http.StatusForbidden:           {s.as("user_a", post("/v1/scores", `{"mode":"judged","score":5}`))},
			http.StatusNotFound:            {s.as("user_a", post("/v1/scores", `{"mode":"chess","score":5}`))},
			http.StatusUnprocessableEntity: {s.as("user_a", post("/v1/scores", `{"mode":"daily","score":1001}`)), s.as("user_a", post("/v1/scores", `{"mode":"daily","score":5,"date":"`+yesterday+`"}`)), post("/v1/scores", `{"mode":"daily","player":"user_a","score":5,"date":"`+longAgo+`"}`).imported()},
		} {
			for _, c := range calls {
				s.want(status, c)
			}
		}
	})
	require.Zero(t, commands)
	require.Empty(t, p.messages)
}

func TestAQueuedSumIsAddedOnce(t *testing.T) {
	s, p := newQueuedStack(t)
	request := s.as("user_a", post("/v1/scores", `{"mode":"coins","score":5}`))
	s.want(http.StatusAccepted, request.with("Idempotency-Key", "k-1"))
	s.want(http.StatusAccepted, request.with("Idempotency-Key", "k-1"))
	s.want(http.StatusAccepted, request.with("Idempotency-Key", "k-2"))
	p.messages = append(p.messages, p.messages...)
	s.ingestAll(p)
	require.Contains(t, string(s.want(http.StatusOK, get("/v1/leaderboards/coins")).body), `"score":10`)
}

func TestAQueueThatCannotBeReachedIsSaid(t *testing.T) {
	s, p := newQueuedStack(t)
	p.err = errors.New("secret reason")
	a := s.want(http.StatusServiceUnavailable, s.as("user_a", post("/v1/scores", `{"mode":"daily","score":5}`)))
	require.NotEmpty(t, a.header.Get("Retry-After"))
	require.NotContains(t, string(a.body), "secret")
}

func TestBatchesAreWrittenAtOnceInQueueModeToo(t *testing.T) {
	s, p := newQueuedStack(t)
	a := s.want(http.StatusOK, post("/v1/scores/batch", `{"scores":[{"mode":"daily","player":"user_a","score":5}]}`).signed())
	require.Contains(t, string(a.body), `"rank":1`)
	require.Empty(t, p.messages)
	s.want(http.StatusMethodNotAllowed, get("/v1/scores"))
}
