package functions_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/platform/auth"
	"github.com/framedle/leaderboards/internal/platform/host/lambdatest"
	"github.com/framedle/leaderboards/internal/platform/usage"
	"github.com/framedle/leaderboards/upstash"
	"github.com/framedle/leaderboards/upstash/upstashtest"
)

// counted returns the usage that the only process on a Redis has written.
func counted(t *testing.T, redis *upstashtest.Server) usage.Day {
	t.Helper()
	client, err := upstash.New(upstash.Config{URL: redis.URL(), Token: redis.Token()})
	require.NoError(t, err)
	today := game.DateOf(time.Now())
	days, err := usage.NewLedger(client, nil).Days(t.Context(), today.AddDays(-1), today)
	require.NoError(t, err)
	for _, d := range days {
		if len(d.ByFunction) > 0 {
			return d
		}
	}
	require.Fail(t, "nothing was written")
	return usage.Day{}
}

// A process writes its counters when Lambda ends it before they are due.
func TestAFunctionThatLambdaEndsHasItsCountersWritten(t *testing.T) {
	redis := upstashtest.Start(t, upstashtest.Options{})
	bootstrap := forLambda(t, "submit")
	f, err := lambdatest.Start(t.Context(), lambdatest.Options{Bootstrap: bootstrap, Name: "submit", Env: []string{
		"UPSTASH_REDIS_REST_URL=" + redis.URL(), "UPSTASH_REDIS_REST_TOKEN=" + redis.Token(),
		"SIGNING_KEYS=" + signingKey, "METRICS=full", "METRICS_NAMESPACE=Mine",
	}})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, f.Close()) })
	for i := range 20 {
		body := fmt.Sprintf(`{"mode":"daily_frame","score":800,"player":"user_%d"}`, i)
		a, _ := invoke(t, f, httpEvent("POST", "/v1/scores", body, map[string]string{
			"content-type": "application/json", "framedle-signature": auth.SignRequest(signingKey, time.Now(), auth.Request{Method: "POST", Path: "/v1/scores", Body: []byte(body)}),
		}))
		require.Equal(t, 201, a.StatusCode, a.Body)
	}
	keys, err := redis.Redis().Do(t.Context(), "KEYS", "usage:*")
	require.NoError(t, err)
	require.Empty(t, keys, "less than 100 commands are not yet worth a write")
	billed, err := redis.Usage(t.Context())
	require.NoError(t, err)
	require.NoError(t, f.End())

	day := counted(t, redis)
	count := day.Total()
	require.EqualValues(t, 20, count.Calls)
	require.EqualValues(t, 20, count.Accepted)
	require.Equal(t, billed.Commands, count.Commands, "as Redis itself has counted")
	require.Len(t, day.Parts, 1)
	require.Equal(t, count, day.Parts[usage.Part{Function: "submit", Route: "POST /v1/scores", Caller: "server 5e318f8c"}])
	require.Contains(t, f.Stdout(), `"Namespace":"Mine"`)
	lambda := day.Lambda["submit"]
	require.EqualValues(t, 20, lambda.Calls)
	require.EqualValues(t, 1, lambda.ColdStarts)
	require.EqualValues(t, len(f.Stdout()), lambda.Logged)
	require.Equal(t, 256*lambda.Milliseconds, lambda.Memory)
	require.Empty(t, f.Stderr())
}
