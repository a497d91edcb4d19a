package api_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/feature/queue"
	"github.com/framedle/leaderboards/internal/feature/queue/deadletters"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/gamefile"
)

// letters is a queue of dead letters.
type letters struct {
	all     []deadletters.Letter
	fails   error
	panics  bool
	redrive int // how often they were sent back
}

func (l *letters) Waiting(context.Context) (int64, error) {
	if l.panics {
		l.panics = false
		panic("a fault of the queue")
	}
	return int64(len(l.all)), l.fails
}

func (l *letters) Look(context.Context) ([]deadletters.Letter, error) {
	return l.all[:min(len(l.all), deadletters.MostSamples)], l.fails
}

func (l *letters) Redrive(context.Context) error {
	l.redrive++
	return l.fails
}

// deadLetterScenarios make every status of the operations on dead letters.
func deadLetterScenarios() map[string]scenario {
	all := map[string]scenario{
		"POST /v1/ops/dead-letters/redrive 413": {call: operator(post(opsRedrive, strings.Repeat(" ", 64<<10)+"{}")), kind: "too-large"},
		"POST /v1/ops/dead-letters/redrive 415": {call: operator(post(opsRedrive, "{}").with("Content-Type", "text/plain")), kind: "unsupported-media-type"},
		"POST /v1/ops/dead-letters/redrive 404": {call: func(s *stack) call {
			s.handler = s.without()
			return post(opsRedrive, "").bearer(opsToken)
		}, kind: "not-found"},
		"GET /v1/ops/dead-letters 200":          {call: operator(get(opsDead))},
		"POST /v1/ops/dead-letters/redrive 202": {call: operator(post(opsRedrive, ""))},
	}
	for pattern, calls := range map[string]struct{ good, bad call }{
		"GET /v1/ops/dead-letters":          {get(opsDead), get(opsDead + "?deep=yes")},
		"POST /v1/ops/dead-letters/redrive": {post(opsRedrive, ""), post(opsRedrive, `{"queue":"all"}`)},
	} {
		all[pattern+" 400"] = scenario{call: operator(calls.bad), kind: "invalid-request"}
		all[pattern+" 401"] = scenario{call: plain(calls.good), kind: "unauthenticated"}
		all[pattern+" 403"] = scenario{call: as("user_z", calls.good), kind: "forbidden"}
		all[pattern+" 429"] = scenario{call: after(5, plain(calls.good.bearer("guessed").cameFrom("192.0.2.24:1"))), kind: "rate-limited"}
		all[pattern+" 500"] = scenario{call: func(s *stack) call { s.deadScores.panics = true; return calls.good.bearer(opsToken) }}
		all[pattern+" 503"] = scenario{call: func(s *stack) call {
			s.deadScores = &letters{fails: errors.New("away")}
			s.handler = s.process()
			return calls.good.bearer(opsToken)
		}, kind: "temporarily-unavailable"}
	}
	return all
}

// without is the product without queues.
func (s *stack) without() http.Handler {
	sub := *s
	sub.deadRuns, sub.deadScores = nil, nil
	return sub.process()
}

// submissionOf is the message of a queued score.
func submissionOf(t *testing.T, player string) string {
	g, err := gamefile.Parse("testing.yaml", []byte(testGame))
	require.NoError(t, err)
	m, ok := g.ModeCalled("daily")
	require.True(t, ok)
	body, err := queue.Encode(game.Submission{Mode: m, Player: player, Date: game.DateOf(noon), Score: 800, At: noon})
	require.NoError(t, err)
	return body
}

func TestDeadLettersAreShownWithTheirReasonAndAge(t *testing.T) {
	s := newStack(t)
	s.clock.Stop()
	s.deadRuns.all = []deadletters.Letter{{ID: "run-1", Body: `{"source":"aws.events"}`, Reason: "postgres does not answer", Sent: noon.Add(-time.Hour), Receives: 3}}
	s.deadScores.all = []deadletters.Letter{
		{ID: "m-1", Body: "poison", Sent: noon.Add(-90 * time.Minute), Receives: 21},
		{ID: "m-2", Body: submissionOf(t, "user_a"), Sent: noon.Add(time.Hour), Receives: 20}, // a clock that is behind
	}
	a := s.want(http.StatusOK, get(opsDead).bearer(opsToken))
	require.Contains(t, string(a.body), `"failed_runs":{"count":1,"redrive":false,"samples":[{"id":"run-1","sent_at":"2026-11-18T11:00:00Z","age_seconds":3600,"receives":3,"reason":"postgres does not answer","message":"{\"source\":\"aws.events\"}"}]}`)
	require.Contains(t, string(a.body), `"queued_scores":{"count":2,"redrive":true,"samples":[{"id":"m-1","sent_at":"2026-11-18T10:30:00Z","age_seconds":5400,"receives":21,"reason":"read a queued submission: `)
	require.Regexp(t, `"id":"m-2","sent_at":"2026-11-18T13:00:00Z","age_seconds":0,"receives":20,"message":`, string(a.body), "it can be read: the log knows what held it up")

	s.deadScores.all = nil
	for range 12 {
		s.deadScores.all = append(s.deadScores.all, deadletters.Letter{ID: "m", Body: strings.Repeat("x", 5000), Sent: noon})
	}
	var told struct {
		Scores struct {
			Count   int
			Samples []struct{ Message string }
		} `json:"queued_scores"`
	}
	require.NoError(t, json.Unmarshal(s.want(http.StatusOK, get(opsDead).bearer(opsToken)).body, &told))
	require.Equal(t, 12, told.Scores.Count)
	require.Len(t, told.Scores.Samples, deadletters.MostSamples)
	require.Len(t, told.Scores.Samples[0].Message, 4096)
}

func TestWithoutQueuesThereAreNoDeadLetters(t *testing.T) {
	s := newStack(t)
	s.handler = s.without()
	require.JSONEq(t, `{"failed_runs":null,"queued_scores":null}`, string(s.want(http.StatusOK, get(opsDead).bearer(opsToken)).body))
}

func TestScoresAreSentBackAndAnEmptyQueueIsLeftAlone(t *testing.T) {
	s := newStack(t)
	require.JSONEq(t, `{"sent_back":0}`, string(s.want(http.StatusAccepted, post(opsRedrive, "").bearer(opsToken)).body))
	require.Zero(t, s.deadScores.redrive)
	s.deadScores.all = make([]deadletters.Letter, 3)
	require.JSONEq(t, `{"sent_back":3}`, string(s.want(http.StatusAccepted, post(opsRedrive, "").bearer(opsToken)).body))
	require.Equal(t, 1, s.deadScores.redrive)
	require.Zero(t, s.deadRuns.redrive, "a run is fired again by its function's name")
}

func TestNothingIsSentBackDuringMaintenance(t *testing.T) {
	s := newStack(t)
	s.deadScores.all = make([]deadletters.Letter, 3)
	s.want(http.StatusOK, maintenance(s))
	s.want(http.StatusServiceUnavailable, post(opsRedrive, "").bearer(opsToken)).problem(t, "maintenance")
	require.Zero(t, s.deadScores.redrive)
}
