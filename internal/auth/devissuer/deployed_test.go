package devissuer_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/framedle/leaderboards/internal/auth/authtest"
	"github.com/framedle/leaderboards/internal/auth/devissuer"
	"github.com/framedle/leaderboards/internal/host/lambdatest"
	"github.com/framedle/leaderboards/internal/upstash/upstashtest"
	"github.com/stretchr/testify/require"
)

// submission is a POST /v1/scores as API Gateway hands it to a function.
func submission(t *testing.T, token string) []byte {
	t.Helper()
	event, err := json.Marshal(map[string]any{
		"version": "2.0", "rawPath": "/v1/scores",
		"headers":        map[string]string{"content-type": "application/json", "authorization": "Bearer " + token},
		"requestContext": map[string]any{"http": map[string]string{"method": "POST", "path": "/v1/scores"}},
		"body":           `{"mode":"daily_frame","score":800}`,
	})
	require.NoError(t, err)
	return event
}

// The submit function, built as it is deployed, takes a player's token and
// refuses a development token, though it trusts the very key that signed it.
func TestAFunctionBuiltForDeploymentRefusesDevelopmentTokens(t *testing.T) {
	lookAtSources(t, moduleRoot(t))
	bootstrap := filepath.Join(t.TempDir(), "bootstrap")
	require.NoError(t, lambdatest.Build(t.Context(), moduleRoot(t), "./functions/submit", bootstrap))
	binary, err := os.ReadFile(bootstrap)
	require.NoError(t, err)
	development, err := devissuer.New()
	require.NoError(t, err)
	host := strings.TrimPrefix(development.Issuer(), "https://")
	require.False(t, bytes.Contains(binary, []byte(host)), "the function knows the development issuer by name")

	players := authtest.New(t)
	redis := upstashtest.Start(t, upstashtest.Options{})
	start := func(issuer string) (*lambdatest.Function, error) {
		return lambdatest.Start(t.Context(), lambdatest.Options{Bootstrap: bootstrap, Name: "submit", Env: []string{
			"UPSTASH_REDIS_REST_URL=" + redis.URL(), "UPSTASH_REDIS_REST_TOKEN=" + redis.Token(),
			"CLERK_ISSUER=" + issuer, "CLERK_JWT_KEY=" + players.PEM() + development.PEM(),
		}})
	}
	_, err = start(development.Issuer())
	require.ErrorIs(t, err, lambdatest.ErrExited)
	require.ErrorContains(t, err, "is for development")

	function, err := start(authtest.IssuerURL)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, function.Close()) })

	now := time.Now()
	token, err := development.Issue(devissuer.Claims{Player: "user_a"}, now, time.Hour)
	require.NoError(t, err)
	for token, status := range map[string]int{
		players.Token(authtest.Claims("user_a", now, nil)): 201,
		token: 401,
	} {
		response, err := function.Invoke(t.Context(), submission(t, token))
		require.NoError(t, err)
		var answer struct {
			StatusCode int    `json:"statusCode"`
			Body       string `json:"body"`
		}
		require.NoError(t, json.Unmarshal(response.Payload, &answer))
		require.Equal(t, status, answer.StatusCode, answer.Body)
		if status == 401 {
			require.Contains(t, answer.Body, "another issuer")
		}
	}
}
