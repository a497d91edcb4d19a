// Package functions_test runs every function as it is deployed, behind a server that
// speaks Lambda's runtime protocol.
package functions_test

import (
	"encoding/base64"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/platform/auth"
	"github.com/framedle/leaderboards/internal/platform/host"
	"github.com/framedle/leaderboards/internal/platform/host/lambdatest"
	"github.com/framedle/leaderboards/upstash/upstashtest"
)

var signingKey = strings.Repeat("k", 32)

func launch(t *testing.T, name string) *lambdatest.Function {
	t.Helper()
	redis := upstashtest.Start(t, upstashtest.Options{})
	bootstrap := forLambda(t, name)
	f, err := lambdatest.Start(t.Context(), lambdatest.Options{Bootstrap: bootstrap, Name: name, Env: []string{
		"UPSTASH_REDIS_REST_URL=" + redis.URL(), "UPSTASH_REDIS_REST_TOKEN=" + redis.Token(),
		"SIGNING_KEYS=" + signingKey, "QUEUE_URL=https://sqs.us-east-1.amazonaws.com/123456789012/scores",
	}})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, f.Close()) })
	return f
}

// samples are the sample events of aws-lambda-go's own tests.
func samples(t *testing.T) map[string][]byte {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "go", "list", "-m", "-f", "{{.Dir}}", "github.com/aws/aws-lambda-go").Output()
	require.NoError(t, err)
	files, err := filepath.Glob(filepath.Join(strings.TrimSpace(string(out)), "events", "testdata", "*.json"))
	require.NoError(t, err)
	require.Greater(t, len(files), 50)
	all := map[string][]byte{}
	for _, file := range files {
		all[filepath.Base(file)], err = os.ReadFile(file)
		require.NoError(t, err)
	}
	return all
}

var malformed = map[string]string{
	"nothing": "", "no JSON": "{", "a number": "7", "null": "null", "an empty object": "{}", "a list": "[]", "text": `"x"`,
	"wrong types":      `{"version":"2.0","rawPath":7,"requestContext":{"http":{"method":"GET","path":"/"}}}`,
	"no method":        `{"version":"2.0","rawPath":"/v1/scores","requestContext":{"http":{}}}`,
	"bad base64":       `{"version":"2.0","rawPath":"/v1/scores","isBase64Encoded":true,"body":"%","requestContext":{"http":{"method":"POST","path":"/v1/scores"}}}`,
	"other generation": `{"httpMethod":"GET","path":"/v1/scores","resource":"/"}`,
}

type answer struct {
	StatusCode      int               `json:"statusCode"`
	Headers         map[string]string `json:"headers"`
	Body            string            `json:"body"`
	IsBase64Encoded bool              `json:"isBase64Encoded"`
}

func (a answer) text(t *testing.T) string {
	if !a.IsBase64Encoded {
		return a.Body
	}
	raw, err := base64.StdEncoding.DecodeString(a.Body)
	require.NoError(t, err)
	return string(raw)
}

func invoke(t *testing.T, f *lambdatest.Function, event any) (answer, lambdatest.Response) {
	t.Helper()
	raw, ok := event.([]byte)
	if !ok {
		var err error
		raw, err = json.Marshal(event)
		require.NoError(t, err)
	}
	response, err := f.Invoke(t.Context(), raw)
	require.NoError(t, err)
	var a answer
	if !response.Failed() {
		_ = json.Unmarshal(response.Payload, &a)
	}
	return a, response
}

func httpEvent(method, path, body string, headers map[string]string) map[string]any {
	return map[string]any{
		"version": "2.0", "routeKey": "$default", "rawPath": path, "rawQueryString": "", "headers": headers, "body": body,
		"isBase64Encoded": false, "requestContext": map[string]any{"requestId": "r-1", "http": map[string]any{"method": method, "path": path, "sourceIp": "192.0.2.1"}},
	}
}

// takers are the functions that take scores and events, which only write to Redis.
var takers = []string{
	"submit",
	"enqueue",
	"events",
	"ingest",
}

func TestHTTPFunctionsSurviveEveryEvent(t *testing.T) {
	for _, name := range []string{
		"submit", "leaderboard", "ops", "me",
		"friends",
		"webhook",
		"duel",
		"enqueue",
		"graphql",
	} {
		t.Run(name, func(t *testing.T) {
			f := launch(t, name)
			answered := 0
			for file, event := range samples(t) {
				a, response := invoke(t, f, event)
				if response.Failed() {
					require.Equal(t, "EventError", response.ErrorType, file)
					continue
				}
				answered++
				require.GreaterOrEqual(t, a.StatusCode, 400, "%s: none of these paths is ours", file)
				require.Equal(t, "application/problem+json", a.Headers["Content-Type"], file)
			}
			require.GreaterOrEqual(t, answered, 3, "HTTP API and Function URL samples are requests")
			for what, event := range malformed {
				a, response := invoke(t, f, []byte(event))
				require.True(t, response.Failed() || a.StatusCode == 400, "%s: %s", what, response.Payload)
			}
			a, _ := invoke(t, f, httpEvent("GET", "/nothing", "", nil))
			require.Equal(t, 404, a.StatusCode, "and it still answers")
			require.Contains(t, a.text(t), `"instance":"r-1"`)
		})
	}
}

func TestAScoreGoesInThroughTheBuiltFunction(t *testing.T) {
	f := launch(t, "submit")
	body := `{"mode":"daily_frame","player":"user_a","score":800}`
	a, _ := invoke(t, f, httpEvent("POST", "/v1/scores", body, map[string]string{
		"content-type": "application/json", "framedle-signature": auth.SignRequest(signingKey, time.Now(), auth.Request{Method: "POST", Path: "/v1/scores", Body: []byte(body)}),
	}))
	require.Equal(t, 201, a.StatusCode, a.Body)
	require.Contains(t, a.text(t), `"rank":1,"total":1,"percentile":100`)
	require.NoError(t, f.Close()) // afterwards everything that it wrote has arrived
	require.Regexp(t, `"Function":"submit","Route":"POST /v1/scores","Status":201,"Commands":[1-9]`, f.Stdout())
}

func TestScheduledFunctionsSurviveEveryEvent(t *testing.T) {
	for _, name := range []string{"cron-daily", "cron-weekly"} {
		t.Run(name, func(t *testing.T) {
			f := launch(t, name)
			for what, event := range malformed {
				_, response := invoke(t, f, []byte(event))
				require.True(t, response.Failed(), what)
			}
			event, err := host.NewScheduledEvent("e-1", time.Date(2026, 1, 5, 0, 30, 0, 0, time.UTC))
			require.NoError(t, err)
			_, response := invoke(t, f, event)
			require.False(t, response.Failed(), response.ErrorMessage)
			require.True(t, json.Valid(response.Payload))
		})
	}
}

func TestAFunctionWithoutItsConfigurationSaysWhatIsMissing(t *testing.T) {
	bootstrap := forLambda(t, "submit")
	_, err := lambdatest.Start(t.Context(), lambdatest.Options{Bootstrap: bootstrap})
	require.ErrorContains(t, err, "UPSTASH_REDIS_REST_URL")
	_, err = lambdatest.Start(t.Context(), lambdatest.Options{Bootstrap: bootstrap, Env: []string{
		"UPSTASH_REDIS_REST_URL=https://example.upstash.io", "UPSTASH_REDIS_REST_TOKEN=t", "GAME=chess", "SIGNING_KEYS=short",
		"CLERK_JWT_KEY=x", "CLERK_ISSUER=https://clerk.framedle.localhost", "OPS_TOKEN=short",
	}})
	for _, variable := range []string{"GAME", "SIGNING_KEYS", "CLERK_ISSUER", "OPS_TOKEN"} {
		require.ErrorContains(t, err, variable)
	}
}
