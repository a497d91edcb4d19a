package api_test

import (
	"maps"

	"github.com/framedle/leaderboards/internal/dev/apitest"

	"testing"

	"github.com/stretchr/testify/require"
)

// bannedDuels adds what user_z, who is not banned yet, may do then with duels. after looks at others'.
func bannedDuels(s *apitest.Stack, rows map[string]bannedRow) (after func()) {
	s.Helper()
	open := s.Challenge("user_b", `{}`)
	own := s.Duel(201, s.As("user_z", apitest.Post(apitest.DuelsPath, `{"opponent":"user_b"}`)))
	require.Equal(s, "waiting", own.Status)
	match, over := s.Arrange("match", "user_z", "user_b"), s.Arrange("over", "user_z", "user_c")
	s.Want(200, apitest.Post(over+"/result", `{"winner":"user_c"}`).Signed())
	maps.Copy(rows, map[string]bannedRow{
		"POST /v1/duels":              {apitest.Post(apitest.DuelsPath, `{"opponent":"user_b"}`), mayNot},
		"POST /v1/duels/queue":        {apitest.Post(apitest.QueuePath, `{}`), mayNot},
		"POST /v1/duels/{id}/accept":  {apitest.Post(open+"/accept", ""), mayNot},
		"POST /v1/duels/{id}/result":  {apitest.Post(match+"/result", `{"winner":"user_z"}`), mayNot},
		"POST /v1/duels/{id}/rematch": {apitest.Post(over+"/rematch", ""), mayNot},
		"DELETE /v1/duels/{id}":       {apitest.Remove(apitest.DuelsPath+"/"+own.ID, ""), may},
		"DELETE /v1/duels/queue":      {apitest.Remove(apitest.QueuePath, ""), may},
	})
	return func() {
		require.Equal(s, "ready", s.Duel(200, s.As("user_b", apitest.Get(match))).Status, "nobody has decided it")
		s.Want(403, apitest.Post(match+"/result", `{"winner":"user_z"}`).Signed()).Problem(s, "banned")
		s.Want(404, s.As("user_b", apitest.Post(apitest.DuelsPath+"/"+own.ID+"/accept", ""))).Problem(s, "unknown-duel")
	}
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
