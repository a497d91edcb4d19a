package api_test

import (
	"github.com/framedle/leaderboards/internal/dev/apitest"

	"bytes"
	"encoding/json"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/platform/usage"
)

// CloudWatch bills lines by their length: that of a call has at most 300 bytes on
// every route, first calls and refusals too, and what an operator asks of it.
func TestEveryRoutesLineIsShort(t *testing.T) {
	all := budgets()
	s := apitest.NewStack(t)
	s.Keep()
	for _, player := range []string{"user_a", "user_b", "user_z"} {
		s.Play(player, "daily", "500")
	}
	var lines bytes.Buffer
	lined := func() map[string]http.Handler {
		functions := s.Functions()
		for name, h := range functions {
			functions[name] = usage.New(usage.Options{Function: name, Now: s.Clock.Now, Lines: &lines}).Handler(h)
		}
		return functions
	}
	answer := map[string]bool{}
	for pattern, rows := range all {
		for _, row := range rows {
			for range 2 {
				c := row.call(s)
				s.Handler = s.Served(lined()) // some have a game of their own, and a process of it
				s.Send(c)
			}
		}
		require.NotZero(t, lines.Len(), pattern)
		for line := range bytes.Lines(lines.Bytes()) {
			require.LessOrEqual(t, len(line), 300, "%s", line)
			var fields map[string]any
			require.NoError(t, json.Unmarshal(line, &fields))
			for _, name := range []string{"timestamp", "Function", "Route", "Status", "Commands", "Duration", "RoundTrips", "request_id"} {
				require.Contains(t, fields, name, "%s", line)
			}
			require.NotEqual(t, 500.0, fields["Status"], "%s", line)
			require.NotContains(t, string(line), "user_")
			answer[fields["Route"].(string)] = true
		}
		lines.Reset()
	}
	for pattern := range s.Contract.Operations() {
		require.True(t, answer[pattern], "%s has no line", pattern)
	}
}
