package api_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Every route that changes something and is open to players, called by a banned player: 403,
// except for routes that only take something back.
func TestABannedPlayerChangesNothing(t *testing.T) {
	s := newStack(t)
	s.befriend()
	open := s.challenge("user_b", `{}`)
	own := s.duel(201, s.as("user_z", post(duelsPath, `{"opponent":"user_b"}`)))
	require.Equal(t, "waiting", own.Status)
	match, over := s.arrange("match", "user_z", "user_b"), s.arrange("over", "user_z", "user_c")
	s.want(200, post(over+"/result", `{"winner":"user_c"}`).signed())
	s.want(201, s.as("user_b", post(requestsPath, `{"player":"user_z"}`)))
	s.want(201, s.as("user_z", post(requestsPath, `{"player":"user_c"}`)))
	var theirs, banned inviteBody
	s.want(201, s.as("user_b", post(invitesPath, ""))).into(s, &theirs)
	s.want(201, s.as("user_z", post(invitesPath, ""))).into(s, &banned)
	s.removal(put(opsBan, `{"reason":"plays with a script"}`))

	const may, mayNot = 0, http.StatusForbidden
	rows := map[string]struct {
		call   call
		status int
	}{
		"POST /v1/scores":                           {post(scores, goodScore), mayNot},
		"PATCH /v1/me":                              {patch(myself, `{"name":"Zoe"}`), mayNot},
		"POST /v1/friends/requests":                 {post(requestsPath, `{"player":"user_d"}`), mayNot},
		"POST /v1/friends/requests/{player}/accept": {post(requestsPath+"/user_b/accept", ""), mayNot},
		"POST /v1/friends/invites":                  {post(invitesPath, ""), mayNot},
		"POST /v1/friends/invites/{code}/accept":    {post(invitesPath+"/"+theirs.Code+"/accept", ""), mayNot},
		"POST /v1/duels":                            {post(duelsPath, `{"opponent":"user_b"}`), mayNot},
		"POST /v1/duels/queue":                      {post(queuePath, `{}`), mayNot},
		"POST /v1/duels/{id}/accept":                {post(open+"/accept", ""), mayNot},
		"POST /v1/duels/{id}/result":                {post(match+"/result", `{"winner":"user_z"}`), mayNot},
		"POST /v1/duels/{id}/rematch":               {post(over+"/rematch", ""), mayNot},

		"DELETE /v1/duels/queue":               {remove(queuePath, ""), may},
		"PUT /v1/friends/blocks/{player}":      {put(blocksPath+"/user_e", ""), may},
		"DELETE /v1/friends/blocks/{player}":   {remove(blocksPath+"/user_e", ""), may},
		"DELETE /v1/friends/requests/{player}": {remove(requestsPath+"/user_e", ""), may},
		"DELETE /v1/friends/{player}":          {remove(friendsPath+"/user_e", ""), may},
		"DELETE /v1/me":                        {remove(myself, ""), may},
	}
	// Routes that take no session token, or whose ban is tested elsewhere: those of races
	// with their statuses, since this game has no races; and the game has no currencies
	// either.
	others := []string{"POST /v1/races", "POST /v1/races/queue", "DELETE /v1/races/queue", "POST /v1/races/{id}/join", "POST /v1/races/{id}/progress", "POST /v1/races/{id}/leave", "POST /v1/plays", "POST /v1/me/wallets/{currency}/spend", "POST /v1/me/claim", "POST /v1/devices", "POST /v1/scores/batch", "POST /v1/events", "POST /v1/webhooks/clerk", "POST /v1/leaderboards/{mode}/lookup", "POST /graphql"}
	for pattern := range s.contract.operations() {
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
		answer := s.send(s.as("user_z", row.call))
		if row.status == mayNot {
			require.Equal(t, mayNot, answer.status, pattern)
			answer.problem(t, "banned")
		} else {
			require.Less(t, answer.status, 300, pattern)
		}
	}
	require.Equal(t, "ready", s.duel(200, s.as("user_b", get(match))).Status, "nobody has decided it")
	s.want(403, post(match+"/result", `{"winner":"user_z"}`).signed()).problem(t, "banned")
	s.want(404, s.as("user_b", post(duelsPath+"/"+own.ID+"/accept", ""))).problem(t, "unknown-duel")
	s.want(404, s.as("user_c", post(requestsPath+"/user_z/accept", ""))).problem(t, "no-request")
	s.want(404, s.as("user_d", get(invitesPath+"/"+banned.Code))).problem(t, "no-invite")
	s.want(404, s.as("user_d", post(invitesPath+"/"+banned.Code+"/accept", ""))).problem(t, "no-invite")
	require.NotContains(t, string(s.want(200, s.as("user_d", get(friendsPath))).body), "user_z")
	s.want(200, s.as("user_z", remove(myself, "")))
}

// The key of a request does not reveal the id of the open duel that it made.
func TestTheIdOfAnOpenDuelDoesNotFollowFromItsKey(t *testing.T) {
	s := newStack(t)
	ask := func(secret string) duelBody {
		s.secret = secret
		s.handler = s.process()
		return s.duel(201, s.as("user_a", post(duelsPath, `{}`).with("Idempotency-Key", "7f9c2ba4")))
	}
	first := ask("one deployment")
	_, err := s.redis.Server.Redis().Do(t.Context(), "FLUSHALL") // the key's answer, and the duel
	require.NoError(t, err)
	require.Equal(t, first.ID, ask("one deployment").ID)
	_, err = s.redis.Server.Redis().Do(t.Context(), "FLUSHALL")
	require.NoError(t, err)
	require.NotEqual(t, first.ID, ask("another deployment").ID)
	require.Len(t, first.ID, 32)
}
