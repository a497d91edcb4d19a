package api_test

import (
	"github.com/framedle/leaderboards/internal/dev/apitest"

	"errors"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
)

// newQueuedStack is the product in queue mode.
func newQueuedStack(tb testing.TB) (*apitest.Stack, *apitest.Pending) {
	s, p := apitest.NewStack(tb), &apitest.Pending{}
	s.QueuesInto(p)
	return s, p
}

func TestAQueuedScoreIsAnsweredAtOnceAndSeenOnceItIsWritten(t *testing.T) {
	s, p := newQueuedStack(t)
	commands, _ := s.Spent(func() {
		a := s.Want(http.StatusAccepted, s.As("user_a", apitest.Post("/v1/scores", `{"mode":"daily","score":800,"country":"BR","details":{"guesses":2}}`)))
		require.JSONEq(t, `{"mode":"daily","date":"2026-11-18","player":"user_a","status":"queued","submitted":800}`, string(a.Body))
		a = s.Want(http.StatusAccepted, apitest.Post("/v1/scores", `{"mode":"fastest","player":"user_b","score":12.50}`).Signed())
		require.Contains(t, string(a.Body), `"submitted":12.5`)
	})
	require.Zero(t, commands)
	s.Want(http.StatusNotFound, apitest.Get("/v1/leaderboards/daily/players/user_a"))
	s.IngestAll(p)
	card := s.Want(http.StatusOK, apitest.Get("/v1/leaderboards/daily/players/user_a"))
	require.Contains(t, string(card.Body), `"rank":1,"player":"user_a","score":800`)
	require.Contains(t, string(card.Body), `"details":{"guesses":2}`)
	require.Contains(t, string(card.Body), `"country":"BR"`)
	s.Want(http.StatusOK, apitest.Get("/v1/leaderboards/daily/players/user_a?scope=country:BR"))
	require.Contains(t, string(s.Want(http.StatusOK, apitest.Get("/v1/leaderboards/fastest")).Body), `"score":12.5`)
}

// Of equal scores the one that arrived first leads, in whatever order they are written.
func TestEqualScoresAreRankedByArrival(t *testing.T) {
	s, p := newQueuedStack(t)
	for _, player := range []string{"user_a", "user_b", "user_c"} {
		s.Want(http.StatusAccepted, s.As(player, apitest.Post("/v1/scores", `{"mode":"daily","score":800}`)))
	}
	p.Messages[0], p.Messages[2] = p.Messages[2], p.Messages[0]
	s.IngestAll(p)
	page := string(s.Want(http.StatusOK, apitest.Get("/v1/leaderboards/daily")).Body)
	require.Regexp(t, `(?s)"rank":1,"player":"user_a".*"rank":2,"player":"user_b".*"rank":3,"player":"user_c"`, page)
}

func TestWhatWouldBeRefusedIsNotQueued(t *testing.T) {
	s, p := newQueuedStack(t)
	commands, _ := s.Spent(func() {
		for status, calls := range map[int][]apitest.Call{
			http.StatusBadRequest: {
				s.As("user_a", apitest.Post("/v1/scores", `{`)), s.As("user_a", apitest.Post("/v1/scores", `{"mode":"daily"}`)),
				s.As("user_a", apitest.Post("/v1/scores", `{"mode":"coins","score":5}`)),
			},
			http.StatusUnauthorized:        {apitest.Post("/v1/scores", `{"mode":"daily","score":5}`)},
			http.StatusForbidden:           {s.As("user_a", apitest.Post("/v1/scores", `{"mode":"judged","score":5}`))},
			http.StatusNotFound:            {s.As("user_a", apitest.Post("/v1/scores", `{"mode":"chess","score":5}`))},
			http.StatusUnprocessableEntity: {s.As("user_a", apitest.Post("/v1/scores", `{"mode":"daily","score":1001}`)), s.As("user_a", apitest.Post("/v1/scores", `{"mode":"daily","score":5,"date":"`+apitest.Yesterday+`"}`)), apitest.Post("/v1/scores", `{"mode":"daily","player":"user_a","score":5,"date":"`+apitest.LongAgo+`"}`).Imported()},
		} {
			for _, c := range calls {
				s.Want(status, c)
			}
		}
	})
	require.Zero(t, commands)
	require.Empty(t, p.Messages)
}

func TestAQueuedSumIsAddedOnce(t *testing.T) {
	s, p := newQueuedStack(t)
	request := s.As("user_a", apitest.Post("/v1/scores", `{"mode":"coins","score":5}`))
	s.Want(http.StatusAccepted, request.With("Idempotency-Key", "k-1"))
	s.Want(http.StatusAccepted, request.With("Idempotency-Key", "k-1"))
	s.Want(http.StatusAccepted, request.With("Idempotency-Key", "k-2"))
	p.Messages = append(p.Messages, p.Messages...)
	s.IngestAll(p)
	require.Contains(t, string(s.Want(http.StatusOK, apitest.Get("/v1/leaderboards/coins")).Body), `"score":10`)
}

func TestAQueueThatCannotBeReachedIsSaid(t *testing.T) {
	s, p := newQueuedStack(t)
	p.Err = errors.New("secret reason")
	a := s.Want(http.StatusServiceUnavailable, s.As("user_a", apitest.Post("/v1/scores", `{"mode":"daily","score":5}`)))
	require.NotEmpty(t, a.Header.Get("Retry-After"))
	require.NotContains(t, string(a.Body), "secret")
}

func TestBatchesAreWrittenAtOnceInQueueModeToo(t *testing.T) {
	s, p := newQueuedStack(t)
	a := s.Want(http.StatusOK, apitest.Post("/v1/scores/batch", `{"scores":[{"mode":"daily","player":"user_a","score":5}]}`).Signed())
	require.Contains(t, string(a.Body), `"rank":1`)
	require.Empty(t, p.Messages)
	s.Want(http.StatusMethodNotAllowed, apitest.Get("/v1/scores"))
}

func TestQueuedValuesAreWritten(t *testing.T) {
	s, p := newQueuedStack(t)
	s.Game = typingGame
	s.Handler = s.Process()
	a := s.Want(http.StatusAccepted, s.As("user_a", apitest.Post(apitest.Scores, fast)))
	require.JSONEq(t, `{"mode":"time_30","date":"2026-11-18","player":"user_a","status":"queued","submitted":92519070,"submitted_values":{"wpm":92.5,"accuracy":98.2}}`, string(a.Body))
	s.IngestAll(p)
	require.Contains(t, string(s.Want(http.StatusOK, apitest.Get(time30+"/players/user_a")).Body), fastIs)
}

func TestAQueuedScoreHasNoView(t *testing.T) {
	s, p := newQueuedStack(t)
	a := s.Want(http.StatusAccepted, s.As("user_a", asksFor("daily", "5", wholeView)))
	require.Contains(t, string(a.Body), `"view":null`)
	a = s.Want(http.StatusAccepted, s.As("user_a", asksFor("daily", "5", `"view":[]`)))
	require.NotContains(t, string(a.Body), `"view"`)
	s.Want(http.StatusBadRequest, s.As("user_a", asksFor("daily", "5", `"view":["all"]`))).Problem(t, "invalid-request")
	s.IngestAll(p)
	require.EqualValues(t, 1, s.Page(apitest.Daily).Total)
}
