package functions_test

import (
	"encoding/json"
	"net/http"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/upstash/upstashtest"
)

// A process with a wrong configuration ends before it listens, so that a host keeps the
// process it had. Its log names each variable and says what would be right.
func TestAProcessSaysWhichValuesAreWrongAndEnds(t *testing.T) {
	binary := forAnyHost(t, "all")
	start := func(env ...string) string {
		p := exec.CommandContext(t.Context(), binary)
		p.Env = append([]string{"PORT=1", "HOST=192.0.2.1"}, env...) // an address on which it cannot listen
		out, err := p.CombinedOutput()
		require.Error(t, err)
		require.NotContains(t, string(out), "listening on port", "it has tried to serve with %v", env)
		return string(out)
	}
	redis := []string{"UPSTASH_REDIS_REST_URL=https://name.upstash.io", "UPSTASH_REDIS_REST_TOKEN=t"}
	for value, says := range map[string]string{
		"CORS_ORIGINS=localhost:5173":            `use scheme and host without a path, such as https://www.example.com or http://localhost:5173`,
		"CORS_ORIGINS=https://*.example.com":     `name each origin`,
		"CORS_ORIGINS=https://example.com:99999": `CORS_ORIGINS: \"https://example.com:99999\" is not an origin`,
		"CLERK_ISSUER=clerk.example.com":         "CLERK_ISSUER",
		"GAME=chess":                             "chess.yaml",
		"SIGNING_KEYS=short":                     "SIGNING_KEYS",
		"DATABASE_URL=host/name":                 "DATABASE_URL",
		"SCHEDULE_TOKEN=short":                   "SCHEDULE_TOKEN",
		"TRUSTED_PROXY_HOPS=yes":                 "TRUSTED_PROXY_HOPS",
		"PAGES=yes":                              `PAGES is \"yes\": use on, off, or some of page,widget,play,ops`,
	} {
		require.Contains(t, start(append(redis, value)...), says, value)
	}
	require.Contains(t, start(), "UPSTASH_REDIS_REST_URL is empty: use the URL that the Upstash console shows under REST API")
	require.Contains(t, start(redis[0]), "UPSTASH_REDIS_REST_TOKEN is empty")
	secret := "SECRET=" + strings.Repeat("s", 32)
	wrong := []string{
		"GAME=chess", "PAGES=page,yes", "DATABASE_URL=host/name", "SCHEDULE_TOKEN=short", "METRICS_TOKEN=short", "REPAIR=maybe",
		"WEBHOOK_SECRETS=short",
		"GRAPHQL=maybe",
		"DAILY_SCHEDULE=daily", "OTEL_EXPORTER_OTLP_ENDPOINT=nowhere", "UPSTASH_EMAIL=a", "OPERATORS=ada",
	}
	everything := start(wrong...)
	for _, name := range []string{
		"chess.yaml", "UPSTASH_REDIS_REST_URL", "PAGES", "DATABASE_URL", "SCHEDULE_TOKEN", "METRICS_TOKEN", "REPAIR", "DAILY_SCHEDULE", "OTEL_EXPORTER_OTLP_ENDPOINT", "UPSTASH_EMAIL",
		"WEBHOOK_SECRETS",
		"GraphQL",
	} {
		require.Contains(t, everything, name, "all at once")
	}
	require.Equal(t, 1, strings.Count(everything, "OPERATORS"), everything)
	for address, says := range map[string]string{
		"https://name.upstash.io": "it is an address for REST",
		"redis://h/zero":          "is not a number from 0 on",
	} {
		log := start("REDIS_URL="+address, secret, "GAME=chess")
		require.Contains(t, log, "REDIS_URL: ")
		require.Contains(t, log, says)
		require.Contains(t, log, "chess.yaml", "all at once")
	}
	require.Contains(t, start(redis[0], redis[1], "REDIS_URL=redis://h"), "UPSTASH_REDIS_REST_URL and REDIS_URL are both set")
	require.Contains(t, start("REDIS_URL=redis://h"), "SECRET is empty")
	require.Contains(t, start("UPSTASH_REDIS_REST_URL=rediss://default:pw@name.upstash.io:6379", redis[1]), "such as https://NAME.upstash.io")
}

// Only Redis knows whether a token is valid. With a wrong one the log says so when the
// process starts, health says so to the operator, and nobody gets a 500.
func TestAProcessWithAWrongTokenSaysSo(t *testing.T) {
	redis := upstashtest.Start(t, upstashtest.Options{ReadOnlyToken: "read-only"})
	binary := forAnyHost(t, "all")
	operator := map[string]string{"Authorization": "Bearer " + operatorToken}
	for token, atStart := range map[string]bool{"wrong": true, "read-only": false} {
		s := startBinary(t, binary, "UPSTASH_REDIS_REST_URL="+redis.URL(), "UPSTASH_REDIS_REST_TOKEN="+token, "OPS_TOKEN="+operatorToken)
		require.Contains(t, s.detail(t, "/v1/ops/health", operator), "UPSTASH_REDIS_REST_TOKEN is wrong, was reset, or is the read-only one", token)
		if atStart {
			require.Equal(t, 503, s.status(t, "GET", "/v1/leaderboards/daily_frame", "", nil))
			require.NotContains(t, s.detail(t, "/v1/leaderboards/daily_frame", nil), "UPSTASH", "others are not told")
		}
		log := s.stop()
		require.Equal(t, atStart, strings.Contains(log, `"msg":"Redis rejects the token: UPSTASH_REDIS_REST_TOKEN is wrong`), log)
	}
	gone := startBinary(t, binary, "UPSTASH_REDIS_REST_URL=http://127.0.0.1:1", "UPSTASH_REDIS_REST_TOKEN=t", "OPS_TOKEN="+operatorToken)
	require.Equal(t, 503, gone.status(t, "GET", "/v1/ops/health", "", operator))
	require.Contains(t, gone.stop(), `"msg":"Redis does not answer: look at UPSTASH_REDIS_REST_URL`)

	require.NoError(t, redis.ResetUsage(t.Context()))
	right := startBinary(t, binary, "UPSTASH_REDIS_REST_URL="+redis.URL(), `UPSTASH_REDIS_REST_TOKEN="`+redis.Token()+`"`, "OPS_TOKEN="+operatorToken)
	require.Equal(t, 200, right.status(t, "GET", "/v1/ops/health", "", operator), "quotes around a token mean nothing")
	usage, err := redis.Usage(t.Context())
	require.NoError(t, err)
	require.EqualValues(t, 1, usage.Commands, "looking costs nothing, and asking for health once a command: %v", usage)
	require.NotContains(t, right.stop(), "error")
}

// detail returns the detail of a problem.
func (s *service) detail(t *testing.T, path string, headers map[string]string) string {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.url+path, nil)
	require.NoError(t, err)
	for name, value := range headers {
		r.Header.Set(name, value)
	}
	client := http.Client{Timeout: time.Minute}
	res, err := client.Do(r)
	require.NoError(t, err)
	defer res.Body.Close()
	var problem struct{ Detail string }
	require.NoError(t, json.NewDecoder(res.Body).Decode(&problem))
	return problem.Detail
}
