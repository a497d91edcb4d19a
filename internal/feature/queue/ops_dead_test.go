package queue_test

import (
	"github.com/framedle/leaderboards/internal/dev/apitest"

	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/feature/queue"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/gamefile"
)

// deadLetterScenarios make every status of the operations on dead letters.
func deadLetterScenarios() map[string]apitest.Scenario {
	all := map[string]apitest.Scenario{
		"POST /v1/ops/dead-letters/redrive 413": {Call: apitest.Operator(apitest.Post(apitest.OpsRedrive, strings.Repeat(" ", 64<<10)+"{}")), Kind: "too-large"},
		"POST /v1/ops/dead-letters/redrive 415": {Call: apitest.Operator(apitest.Post(apitest.OpsRedrive, "{}").With("Content-Type", "text/plain")), Kind: "unsupported-media-type"},
		"POST /v1/ops/dead-letters/redrive 404": {Call: func(s *apitest.Stack) apitest.Call {
			s.Handler = s.Without()
			return apitest.Post(apitest.OpsRedrive, "").Bearer(apitest.OpsToken)
		}, Kind: "not-found"},
		"GET /v1/ops/dead-letters 200":          {Call: apitest.Operator(apitest.Get(apitest.OpsDead))},
		"POST /v1/ops/dead-letters/redrive 202": {Call: apitest.Operator(apitest.Post(apitest.OpsRedrive, ""))},
	}
	for pattern, calls := range map[string]struct{ good, bad apitest.Call }{
		"GET /v1/ops/dead-letters":          {apitest.Get(apitest.OpsDead), apitest.Get(apitest.OpsDead + "?deep=yes")},
		"POST /v1/ops/dead-letters/redrive": {apitest.Post(apitest.OpsRedrive, ""), apitest.Post(apitest.OpsRedrive, `{"queue":"all"}`)},
	} {
		all[pattern+" 400"] = apitest.Scenario{Call: apitest.Operator(calls.bad), Kind: "invalid-request"}
		all[pattern+" 401"] = apitest.Scenario{Call: apitest.Plain(calls.good), Kind: "unauthenticated"}
		all[pattern+" 403"] = apitest.Scenario{Call: apitest.As("user_z", calls.good), Kind: "forbidden"}
		all[pattern+" 429"] = apitest.Scenario{Call: apitest.After(5, apitest.Plain(calls.good.Bearer("guessed").CameFrom("192.0.2.24:1"))), Kind: "rate-limited"}
		all[pattern+" 500"] = apitest.Scenario{Call: func(s *apitest.Stack) apitest.Call {
			s.DeadScores.Panics = true
			return calls.good.Bearer(apitest.OpsToken)
		}}
		all[pattern+" 503"] = apitest.Scenario{Call: func(s *apitest.Stack) apitest.Call {
			s.DeadScores = &apitest.Letters{Fails: errors.New("away")}
			s.Handler = s.Process()
			return calls.good.Bearer(apitest.OpsToken)
		}, Kind: "temporarily-unavailable"}
	}
	return all
}

// submissionOf is the message of a queued score.
func submissionOf(t *testing.T, player string) string {
	g, err := gamefile.Parse("testing.yaml", []byte(apitest.TestGame))
	require.NoError(t, err)
	m, ok := g.ModeCalled("daily")
	require.True(t, ok)
	body, err := queue.Encode(game.Submission{Mode: m, Player: player, Date: game.DateOf(apitest.Noon), Score: 800, At: apitest.Noon})
	require.NoError(t, err)
	return body
}

func TestDeadLettersAreShownWithTheirReasonAndAge(t *testing.T) {
	s := apitest.NewStack(t)
	s.Clock.Stop()
	s.DeadRuns.All = []queue.Letter{{ID: "run-1", Body: `{"source":"aws.events"}`, Reason: "postgres does not answer", Sent: apitest.Noon.Add(-time.Hour), Receives: 3}}
	s.DeadScores.All = []queue.Letter{
		{ID: "m-1", Body: "poison", Sent: apitest.Noon.Add(-90 * time.Minute), Receives: 21},
		{ID: "m-2", Body: submissionOf(t, "user_a"), Sent: apitest.Noon.Add(time.Hour), Receives: 20}, // a clock that is behind
	}
	a := s.Want(http.StatusOK, apitest.Get(apitest.OpsDead).Bearer(apitest.OpsToken))
	require.Contains(t, string(a.Body), `"failed_runs":{"count":1,"redrive":false,"samples":[{"id":"run-1","sent_at":"2026-11-18T11:00:00Z","age_seconds":3600,"receives":3,"reason":"postgres does not answer","message":"{\"source\":\"aws.events\"}"}]}`)
	require.Contains(t, string(a.Body), `"queued_scores":{"count":2,"redrive":true,"samples":[{"id":"m-1","sent_at":"2026-11-18T10:30:00Z","age_seconds":5400,"receives":21,"reason":"read a queued submission: `)
	require.Regexp(t, `"id":"m-2","sent_at":"2026-11-18T13:00:00Z","age_seconds":0,"receives":20,"message":`, string(a.Body), "it can be read: the log knows what held it up")

	s.DeadScores.All = nil
	for range 12 {
		s.DeadScores.All = append(s.DeadScores.All, queue.Letter{ID: "m", Body: strings.Repeat("x", 5000), Sent: apitest.Noon})
	}
	var answer struct {
		Scores struct {
			Count   int
			Samples []struct{ Message string }
		} `json:"queued_scores"`
	}
	require.NoError(t, json.Unmarshal(s.Want(http.StatusOK, apitest.Get(apitest.OpsDead).Bearer(apitest.OpsToken)).Body, &answer))
	require.Equal(t, 12, answer.Scores.Count)
	require.Len(t, answer.Scores.Samples, queue.MostSamples)
	require.Len(t, answer.Scores.Samples[0].Message, 4096)
}

func TestWithoutQueuesThereAreNoDeadLetters(t *testing.T) {
	s := apitest.NewStack(t)
	s.Handler = s.Without()
	require.JSONEq(t, `{"failed_runs":null,"queued_scores":null}`, string(s.Want(http.StatusOK, apitest.Get(apitest.OpsDead).Bearer(apitest.OpsToken)).Body))
}

func TestScoresAreSentBackAndAnEmptyQueueIsLeftAlone(t *testing.T) {
	s := apitest.NewStack(t)
	require.JSONEq(t, `{"sent_back":0}`, string(s.Want(http.StatusAccepted, apitest.Post(apitest.OpsRedrive, "").Bearer(apitest.OpsToken)).Body))
	require.Zero(t, s.DeadScores.Redriven)
	s.DeadScores.All = make([]queue.Letter, 3)
	require.JSONEq(t, `{"sent_back":3}`, string(s.Want(http.StatusAccepted, apitest.Post(apitest.OpsRedrive, "").Bearer(apitest.OpsToken)).Body))
	require.Equal(t, 1, s.DeadScores.Redriven)
	require.Zero(t, s.DeadRuns.Redriven, "a run is fired again by its function's name")
}

func TestNothingIsSentBackDuringMaintenance(t *testing.T) {
	s := apitest.NewStack(t)
	s.DeadScores.All = make([]queue.Letter, 3)
	s.Want(http.StatusOK, apitest.Maintenance(s))
	s.Want(http.StatusServiceUnavailable, apitest.Post(apitest.OpsRedrive, "").Bearer(apitest.OpsToken)).Problem(t, "maintenance")
	require.Zero(t, s.DeadScores.Redriven)
}

func TestEveryStatusOfDeadLettersHappens(t *testing.T) { apitest.EachStatus(t, deadLetterScenarios()) }
