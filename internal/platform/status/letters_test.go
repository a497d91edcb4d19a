package status_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/platform/status"
	"github.com/framedle/leaderboards/upstash"
	"github.com/framedle/leaderboards/upstash/upstashtest"
)

func counting(n int64, err error) func(context.Context) (int64, error) {
	return func(context.Context) (int64, error) { return n, err }
}

func TestDeadLettersAreWrong(t *testing.T) {
	k := newKit(t)
	k.night()
	s := k.report()
	require.True(t, s.Good, s.Problems)
	require.Equal(t, status.Dead{}, s.Dead, "there is no queue")

	k.reporter.Dead = status.DeadLetters{Runs: counting(0, nil), Scores: counting(0, nil)}
	s = k.report()
	require.True(t, s.Good, s.Problems)
	require.EqualValues(t, 0, *s.Dead.Runs)
	require.EqualValues(t, 0, *s.Dead.Scores)

	k.reporter.Dead.Runs = counting(2, nil)
	p := k.problem()
	require.Equal(t, "2 failed runs in the dead-letter queue", p.What)
	require.Contains(t, p.Do, "docs/operate/runbook.md, Dead letters")

	k.reporter.Dead = status.DeadLetters{Scores: counting(7, nil)}
	require.Equal(t, "7 unwritten scores in the dead-letter queue", k.problem().What)

	k.reporter.Dead.Scores = counting(0, errors.New("AccessDenied"))
	p = k.problem()
	require.Equal(t, "the dead-letter queue of unwritten scores could not be counted: AccessDenied", p.What)
	require.Contains(t, p.Do, "to read the queue's attributes")
	require.Nil(t, k.report().Dead.Scores)
}

// A queue that does not answer holds nobody up for long.
func TestTheCountingOfDeadLettersIsBounded(t *testing.T) {
	k := newKit(t)
	k.night()
	k.reporter.Dead.Runs = func(ctx context.Context) (int64, error) {
		_, bounded := ctx.Deadline()
		require.True(t, bounded)
		return 0, context.DeadlineExceeded
	}
	require.Contains(t, k.problem().What, "could not be counted")
}

// If Redis has not answered for a while, the status reports that, with everything that needs
// no Redis; the first answer of Redis ends it.
func TestAnOpenCircuitIsAFinding(t *testing.T) {
	k := newKit(t)
	k.night()
	k.reporter.Dead.Scores = counting(0, nil)
	now := k.now
	client, err := upstash.New(upstash.Config{
		URL: k.server.URL(), Token: k.server.Token(), Attempts: 1, Now: func() time.Time { return now },
	})
	require.NoError(t, err)
	k.reporter.Redis = client
	s := k.report()
	require.Equal(t, status.Redis{Circuit: "closed"}, s.Redis)

	k.server.Inject(func(upstashtest.Request) upstashtest.Fault { return upstashtest.Fault{Status: 503, Body: "away"} })
	for range 5 {
		_, err = client.Do(t.Context(), upstash.Cmd("GET", "k"))
		require.Error(t, err)
		now = now.Add(300 * time.Millisecond)
	}
	require.True(t, client.Circuit().Open)
	s = k.report()
	require.False(t, s.Good)
	require.Equal(t, "open", s.Redis.Circuit)
	require.GreaterOrEqual(t, s.Redis.Failures, 5)
	require.Equal(t, k.now.UTC(), s.Redis.Since.UTC())
	require.Len(t, s.Problems, 1)
	require.Regexp(t, `^Redis is not responding since .*, and this process's circuit breaker is open after \d+ consecutive failures: .*503`, s.Problems[0].What)
	require.Contains(t, s.Problems[0].Do, "Slow or unreachable Redis")
	require.Equal(t, "ok", s.Database.State, "the database is looked at")
	require.EqualValues(t, 0, *s.Dead.Scores, "and the queues are")
	require.Equal(t, []status.Schedule{}, s.Schedules)
	require.Positive(t, s.Spent.Plan)

	k.server.Inject(nil)
	now = now.Add(time.Second)
	s = k.report()
	require.True(t, s.Good, s.Problems)
	require.Equal(t, status.Redis{Circuit: "closed"}, s.Redis, "it was tried, since nobody else may ask")
}

func TestMeasuresOfTheBudgetAreTold(t *testing.T) {
	k := newKit(t)
	k.night()
	require.Equal(t, []string{}, k.report().Spent.Degraded)
	k.reporter.Degraded = func() []string { return []string{"caches"} }
	s := k.report()
	require.True(t, s.Good, "the game file asks for it")
	require.Equal(t, []string{"caches"}, s.Spent.Degraded)
}
