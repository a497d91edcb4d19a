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

// Every route that changes something and is open to players, called by a banned player: 403,
// except for routes that only take something back.
func TestABannedPlayerChangesNothing(t *testing.T) {
	s := apitest.NewStack(t)
	s.Keep()
	open := s.Challenge("user_b", `{}`)
	own := s.Duel(201, s.As("user_z", apitest.Post(apitest.DuelsPath, `{"opponent":"user_b"}`)))
	require.Equal(t, "waiting", own.Status)
	match, over := s.Arrange("match", "user_z", "user_b"), s.Arrange("over", "user_z", "user_c")
	s.Want(200, apitest.Post(over+"/result", `{"winner":"user_c"}`).Signed())
	s.Want(201, s.As("user_b", apitest.Post(apitest.RequestsPath, `{"player":"user_z"}`)))
	s.Want(201, s.As("user_z", apitest.Post(apitest.RequestsPath, `{"player":"user_c"}`)))
	var theirs, banned apitest.InviteBody
	s.Want(201, s.As("user_b", apitest.Post(apitest.InvitesPath, ""))).Into(s, &theirs)
	s.Want(201, s.As("user_z", apitest.Post(apitest.InvitesPath, ""))).Into(s, &banned)
	s.Removal(apitest.Put(apitest.OpsBan, `{"reason":"plays with a script"}`))

	const may, mayNot = 0, http.StatusForbidden
	rows := map[string]struct {
		call   apitest.Call
		status int
	}{
		"POST /v1/scores":                           {apitest.Post(apitest.Scores, apitest.GoodScore), mayNot},
		"PATCH /v1/me":                              {apitest.Patch(apitest.Myself, `{"name":"Zoe"}`), mayNot},
		"POST /v1/friends/requests":                 {apitest.Post(apitest.RequestsPath, `{"player":"user_d"}`), mayNot},
		"POST /v1/friends/requests/{player}/accept": {apitest.Post(apitest.RequestsPath+"/user_b/accept", ""), mayNot},
		"POST /v1/friends/invites":                  {apitest.Post(apitest.InvitesPath, ""), mayNot},
		"POST /v1/friends/invites/{code}/accept":    {apitest.Post(apitest.InvitesPath+"/"+theirs.Code+"/accept", ""), mayNot},
		"POST /v1/duels":                            {apitest.Post(apitest.DuelsPath, `{"opponent":"user_b"}`), mayNot},
		"POST /v1/duels/queue":                      {apitest.Post(apitest.QueuePath, `{}`), mayNot},
		"POST /v1/duels/{id}/accept":                {apitest.Post(open+"/accept", ""), mayNot},
		"POST /v1/duels/{id}/result":                {apitest.Post(match+"/result", `{"winner":"user_z"}`), mayNot},
		"POST /v1/duels/{id}/rematch":               {apitest.Post(over+"/rematch", ""), mayNot},

		"DELETE /v1/duels/{id}":                {apitest.Remove(apitest.DuelsPath+"/"+own.ID, ""), may},
		"DELETE /v1/duels/queue":               {apitest.Remove(apitest.QueuePath, ""), may},
		"PUT /v1/friends/blocks/{player}":      {apitest.Put(apitest.BlocksPath+"/user_e", ""), may},
		"DELETE /v1/friends/blocks/{player}":   {apitest.Remove(apitest.BlocksPath+"/user_e", ""), may},
		"DELETE /v1/friends/requests/{player}": {apitest.Remove(apitest.RequestsPath+"/user_e", ""), may},
		"DELETE /v1/friends/{player}":          {apitest.Remove(apitest.FriendsPath+"/user_e", ""), may},
		"DELETE /v1/me":                        {apitest.Remove(apitest.Myself, ""), may},
	}
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
	require.Equal(t, "ready", s.Duel(200, s.As("user_b", apitest.Get(match))).Status, "nobody has decided it")
	s.Want(403, apitest.Post(match+"/result", `{"winner":"user_z"}`).Signed()).Problem(t, "banned")
	s.Want(404, s.As("user_b", apitest.Post(apitest.DuelsPath+"/"+own.ID+"/accept", ""))).Problem(t, "unknown-duel")
	s.Want(404, s.As("user_c", apitest.Post(apitest.RequestsPath+"/user_z/accept", ""))).Problem(t, "no-request")
	s.Want(404, s.As("user_d", apitest.Get(apitest.InvitesPath+"/"+banned.Code))).Problem(t, "no-invite")
	s.Want(404, s.As("user_d", apitest.Post(apitest.InvitesPath+"/"+banned.Code+"/accept", ""))).Problem(t, "no-invite")
	require.NotContains(t, string(s.Want(200, s.As("user_d", apitest.Get(apitest.FriendsPath))).Body), "user_z")
	s.Want(200, s.As("user_z", apitest.Remove(apitest.Myself, "")))
}

// The key of a request does not reveal the id of the open duel that it made.
func TestTheIdOfAnOpenDuelDoesNotFollowFromItsKey(t *testing.T) {
	s := apitest.NewStack(t)
	ask := func(secret string) apitest.DuelBody {
		s.Secret = secret
		s.Handler = s.Process()
		return s.Duel(201, s.As("user_a", apitest.Post(apitest.DuelsPath, `{}`).With("Idempotency-Key", "7f9c2ba4")))
	}
	first := ask("one deployment")
	_, err := s.Redis.Server.Redis().Do(t.Context(), "FLUSHALL") // the key's answer, and the duel
	require.NoError(t, err)
	require.Equal(t, first.ID, ask("one deployment").ID)
	_, err = s.Redis.Server.Redis().Do(t.Context(), "FLUSHALL")
	require.NoError(t, err)
	require.NotEqual(t, first.ID, ask("another deployment").ID)
	require.Len(t, first.ID, 32)
}
