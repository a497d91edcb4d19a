package api_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// briefly is a good request for maintenance, however far the tests move their clock.
const briefly = `{"until":"2026-11-22T13:00:00Z"}`

func maintenance(s *stack) call {
	return put(opsMaintenance, fmt.Sprintf(`{"until":%q,"reason":"moving"}`, s.clock.Now().Add(time.Hour).UTC().Format(time.RFC3339))).bearer(opsToken)
}

// Every route that changes something answers 503 during maintenance, at no cost,
// and every other one as ever.
func TestDuringMaintenanceEverythingIsReadAndNothingIsWritten(t *testing.T) {
	s := newStack(t)
	s.play("user_a", "daily", "500")
	s.want(200, maintenance(s))
	s.want(503, s.as("user_b", post(scores, goodScore))) // looks again: its process knows from now on
	asked := 0
	for pattern := range s.contract.operations() {
		method, path, _ := strings.Cut(pattern, " ")
		if method == http.MethodGet || slices.Contains([]string{"POST /v1/plays", "POST /v1/leaderboards/{mode}/lookup", "POST /v1/devices", "POST /graphql"}, pattern) ||
			strings.HasSuffix(path, "/maintenance") {
			continue
		}
		asked++
		c := call{method: method, target: strings.NewReplacer("{player}", "user_b", "{code}", "c", "{id}", "d").Replace(path)}
		commands, _ := s.spent(func() {
			answer := s.do(s.as("user_a", c))
			require.Equal(t, 503, answer.status, pattern)
			answer.problem(t, "maintenance")
			require.Equal(t, "300", answer.header.Get("Retry-After"), "%s: it may end sooner than planned", pattern)
		})
		require.Zero(t, commands, pattern)
	}
	require.Greater(t, asked, 20)
	s.want(200, get("/v1/leaderboards/daily"))
	s.want(200, s.as("user_a", get(myself)))
	require.Contains(t, string(s.want(200, get(opsMaintenance).bearer(opsToken)).body), `"on":true`)
	s.want(200, remove(opsMaintenance, "").bearer(opsToken))
	s.want(201, s.as("user_b", post(scores, goodScore)))
}

// Every good request that would change something asks whether it may, also in a
// process that has asked nothing yet.
func TestAProcessThatDoesNotKnowOfTheMaintenanceAsksBeforeItWrites(t *testing.T) {
	s := newStack(t)
	s.befriend()
	for _, player := range []string{"user_a", "user_b", "user_z"} {
		s.play(player, "daily", "500")
	}
	asked, budgeted := 0, s.budgets()
	for pattern, rows := range budgets() {
		method, path, _ := strings.Cut(pattern, " ")
		if method == http.MethodGet || strings.HasSuffix(path, "/maintenance") ||
			slices.Contains([]string{"POST /v1/plays", "POST /v1/events", "POST /v1/leaderboards/{mode}/lookup", "POST /v1/devices", "POST /graphql", "POST /v1/webhooks/clerk"}, pattern) {
			continue
		}
		for i, row := range rows {
			if row.commands == 0 || row.commands == asBudgeted && budgeted[pattern] == 0 {
				continue // a request that is refused for what it is
			}
			asked++
			c := row.call(s)
			s.want(200, maintenance(s))
			s.handler = s.process()
			answer := s.do(c)
			require.Equal(t, 503, answer.status, "%s, row %d: %s", pattern, i, answer.body)
			answer.problem(t, "maintenance")
			s.want(200, remove(opsMaintenance, "").bearer(opsToken))
			s.handler = s.process()
		}
	}
	require.Greater(t, asked, 20)
}
