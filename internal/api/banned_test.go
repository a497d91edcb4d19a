package api_test

import (
	"github.com/framedle/leaderboards/internal/dev/apitest"

	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// bannedRow is what a banned player asks, and whether that is answered as to others.
type bannedRow struct {
	call   apitest.Call
	status int
}

const may, mayNot = 0, http.StatusForbidden

// Every route that changes something and is open to players, called by a banned player: 403,
// except for routes that only take something back.
func TestABannedPlayerChangesNothing(t *testing.T) {
	s := apitest.NewStack(t)
	s.Keep()
	rows := map[string]bannedRow{
		"POST /v1/scores": {apitest.Post(apitest.Scores, apitest.GoodScore), mayNot},
		"PATCH /v1/me":    {apitest.Patch(apitest.Myself, `{"name":"Zoe"}`), mayNot},
		"DELETE /v1/me":   {apitest.Remove(apitest.Myself, ""), may},
	}
	after := []func(){
		bannedDuels(s, rows),
		bannedFriends(s, rows),
	}
	s.Removal(apitest.Put(apitest.OpsBan, `{"reason":"plays with a script"}`))
	// Routes that take no session token, or whose ban is tested elsewhere: those of races
	// with their statuses, since this game has no races; and the game has no currencies
	// either.
	others := []string{
		"POST /v1/races",
		"POST /v1/races/queue",
		"DELETE /v1/races/queue",
		"POST /v1/races/{id}/join",
		"POST /v1/races/{id}/progress",
		"POST /v1/races/{id}/leave",
		"POST /v1/plays",
		"POST /v1/me/wallets/{currency}/spend",
		"POST /v1/me/claim",
		"POST /v1/devices",
		"POST /v1/scores/batch",
		"POST /v1/events",
		"POST /v1/webhooks/clerk",
		"POST /v1/leaderboards/{mode}/lookup",
		"POST /graphql",
	}
	for pattern := range s.Contract.Operations() {
		if strings.HasPrefix(pattern, "GET ") || strings.Contains(pattern, " /v1/ops/") || slices.Contains(others, pattern) {
			continue
		}
		require.Contains(t, rows, pattern, "add the row of what a banned player may do there")
	}
	// Erasing comes last, because afterwards nothing is known of the player.
	patterns := make([]string, 0, len(rows))
	for pattern := range rows {
		patterns = append(patterns, pattern)
	}
	slices.SortFunc(patterns, func(a, b string) int {
		return strings.Compare(fmt.Sprint(a == "DELETE /v1/me", a), fmt.Sprint(b == "DELETE /v1/me", b))
	})
	for _, pattern := range patterns[:len(patterns)-1] {
		row := rows[pattern]
		answer := s.Send(s.As("user_z", row.call))
		if row.status == mayNot {
			require.Equal(t, mayNot, answer.Status, pattern)
			answer.Problem(t, "banned")
		} else {
			require.Less(t, answer.Status, 300, pattern)
		}
	}
	for _, look := range after {
		look()
	}
	s.Want(200, s.As("user_z", apitest.Remove(apitest.Myself, "")))
}
