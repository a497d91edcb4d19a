package functions_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/platform/host/lambdatest"
	"github.com/framedle/leaderboards/upstash/upstashtest"
)

const page = "https://game.example"

// launchFor runs a function that pages of one origin may call.
func launchFor(t *testing.T, name, origin string) (*lambdatest.Function, *upstashtest.Server) {
	t.Helper()
	redis := upstashtest.Start(t, upstashtest.Options{})
	bootstrap := forLambda(t, name)
	f, err := lambdatest.Start(t.Context(), lambdatest.Options{Bootstrap: bootstrap, Name: name, Env: []string{
		"UPSTASH_REDIS_REST_URL=" + redis.URL(), "UPSTASH_REDIS_REST_TOKEN=" + redis.Token(), "SIGNING_KEYS=" + signingKey, "CORS_ORIGINS=" + origin,
	}})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, f.Close()) })
	return f, redis
}

func preflight(path, origin string) map[string]any {
	return httpEvent("OPTIONS", path, "", map[string]string{"origin": origin, "access-control-request-method": "POST", "access-control-request-headers": "authorization"})
}

// A browser's preflight reaches the function where no gateway answers it, and also
// through a gateway with a default route.
func TestAFunctionAnswersPreflightsItself(t *testing.T) {
	f, redis := launchFor(t, "leaderboard", page)
	before, err := redis.Usage(t.Context())
	require.NoError(t, err)
	for path, methods := range map[string]string{
		"/v1/scores": "POST", "/v1/leaderboards/daily_frame": "GET, HEAD", "/v1/me": "GET, HEAD, PATCH, DELETE",
		"/v1/friends/blocks/user_b": "PUT, DELETE",
	} {
		for range 50 { // no limit counts them
			a, _ := invoke(t, f, preflight(path, page))
			require.Equal(t, 204, a.StatusCode, path)
			require.Equal(t, methods, a.Headers["Access-Control-Allow-Methods"], path)
			require.Equal(t, page, a.Headers["Access-Control-Allow-Origin"])
			require.Equal(t, "Authorization, Content-Type, Idempotency-Key, If-None-Match, Last-Event-ID, Traceparent", a.Headers["Access-Control-Allow-Headers"])
			require.Equal(t, "7200", a.Headers["Access-Control-Max-Age"], "as long as Chromium keeps it")
			require.Contains(t, a.Headers["Vary"], "Origin")
			require.Equal(t, "nosniff", a.Headers["X-Content-Type-Options"])
			require.Equal(t, "r-1", a.Headers["X-Request-Id"])
			require.Empty(t, a.Body)
		}
		a, _ := invoke(t, f, preflight(path, "https://evil.example"))
		require.Equal(t, 204, a.StatusCode)
		for header := range a.Headers {
			require.NotContains(t, header, "Access-Control", "an origin that is not allowed")
		}
	}
	a, _ := invoke(t, f, preflight("/v1/nothing", page))
	require.Equal(t, 404, a.StatusCode)
	after, err := redis.Usage(t.Context())
	require.NoError(t, err)
	require.Equal(t, before.Commands, after.Commands)

	a, _ = invoke(t, f, httpEvent("GET", "/v1/leaderboards/daily_frame", "", map[string]string{"origin": page}))
	require.Equal(t, 200, a.StatusCode)
	require.Equal(t, page, a.Headers["Access-Control-Allow-Origin"])
	exposed := strings.Split(a.Headers["Access-Control-Expose-Headers"], ", ")
	for _, header := range []string{"ETag", "Retry-After", "RateLimit", "RateLimit-Policy", "Idempotency-Replayed", "Framedle-Degraded", "X-Request-Id"} {
		require.Contains(t, exposed, header)
	}
	template, err := os.ReadFile("../template.yaml")
	require.NoError(t, err)
	require.Contains(t, string(template), "ExposeHeaders: ["+strings.Join(exposed, ", ")+"]", "a gateway says the same")
	require.Contains(t, string(template), "MaxAge: 7200\n")
	a, _ = invoke(t, f, httpEvent("GET", "/v1/leaderboards/nothing", "", map[string]string{"origin": page}))
	require.Equal(t, 404, a.StatusCode)
	require.Equal(t, page, a.Headers["Access-Control-Allow-Origin"], "a page may read its problems")
}

func TestHeadIsToldTheLengthOfGet(t *testing.T) {
	f, _ := launchFor(t, "leaderboard", "*")
	for _, path := range []string{"/v1/leaderboards/daily_frame", "/openapi.yaml", "/v1/leaderboards/nothing", "/nothing"} {
		get, _ := invoke(t, f, httpEvent("GET", path, "", nil))
		head, _ := invoke(t, f, httpEvent("HEAD", path, "", nil))
		require.NotEmpty(t, get.text(t), path)
		require.Empty(t, head.text(t), path)
		require.NotEmpty(t, get.Headers["Content-Length"], path)
		require.Equal(t, "nosniff", get.Headers["X-Content-Type-Options"], path)
		require.Equal(t, get.Headers, head.Headers, path)
	}
}
