package api_test

import (
	"github.com/framedle/leaderboards/internal/dev/apitest"

	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// briefly is a good request for maintenance, however far the tests move their clock.
const briefly = `{"until":"2026-11-22T13:00:00Z"}`

// Every route that changes something answers 503 during maintenance, at no cost,
// and every other one as ever.
func TestDuringMaintenanceEverythingIsReadAndNothingIsWritten(t *testing.T) {
	s := apitest.NewStack(t)
	s.Play("user_a", "daily", "500")
	s.Want(200, apitest.Maintenance(s))
	s.Want(503, s.As("user_b", apitest.Post(apitest.Scores, apitest.GoodScore))) // looks again: its process knows from now on
	asked := 0
	for pattern := range s.Contract.Operations() {
		method, path, _ := strings.Cut(pattern, " ")
		if method == http.MethodGet || slices.Contains([]string{"POST /v1/plays", "POST /v1/leaderboards/{mode}/lookup", "POST /v1/devices", "POST /graphql"}, pattern) ||
			strings.HasSuffix(path, "/maintenance") {
			continue
		}
		asked++
		c := apitest.Call{Method: method, Target: strings.NewReplacer("{player}", "user_b", "{code}", "c", "{id}", "d").Replace(path)}
		commands, _ := s.Spent(func() {
			answer := s.Do(s.As("user_a", c))
			require.Equal(t, 503, answer.Status, pattern)
			answer.Problem(t, "maintenance")
			require.Equal(t, "300", answer.Header.Get("Retry-After"), "%s: it may end sooner than planned", pattern)
		})
		require.Zero(t, commands, pattern)
	}
	require.Greater(t, asked, len(s.Contract.Operations())/4)
	s.Want(200, apitest.Get("/v1/leaderboards/daily"))
	s.Want(200, s.As("user_a", apitest.Get(apitest.Myself)))
	require.Contains(t, string(s.Want(200, apitest.Get(apitest.OpsMaintenance).Bearer(apitest.OpsToken)).Body), `"on":true`)
	s.Want(200, apitest.Remove(apitest.OpsMaintenance, "").Bearer(apitest.OpsToken))
	s.Want(201, s.As("user_b", apitest.Post(apitest.Scores, apitest.GoodScore)))
}

// Every good request that would change something asks whether it may, also in a
// process that has asked nothing yet.
func TestAProcessThatDoesNotKnowOfTheMaintenanceAsksBeforeItWrites(t *testing.T) {
	s := apitest.NewStack(t)
	s.Keep()
	for _, player := range []string{"user_a", "user_b", "user_z"} {
		s.Play(player, "daily", "500")
	}
	asked, budgeted := 0, s.Budgets()
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
			s.Want(200, apitest.Maintenance(s))
			s.Handler = s.Process()
			answer := s.Do(c)
			require.Equal(t, 503, answer.Status, "%s, row %d: %s", pattern, i, answer.Body)
			answer.Problem(t, "maintenance")
			s.Want(200, apitest.Remove(apitest.OpsMaintenance, "").Bearer(apitest.OpsToken))
			s.Handler = s.Process()
		}
	}
	require.Greater(t, asked, len(s.Contract.Operations())/4)
}
