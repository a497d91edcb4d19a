package api_test

import (
	"maps"

	"github.com/framedle/leaderboards/internal/dev/apitest"

	"github.com/stretchr/testify/require"
)

// bannedFriends adds what user_z, who is not banned yet, may do then with friends. after looks at others'.
func bannedFriends(s *apitest.Stack, rows map[string]bannedRow) (after func()) {
	s.Helper()
	s.Want(201, s.As("user_b", apitest.Post(apitest.RequestsPath, `{"player":"user_z"}`)))
	s.Want(201, s.As("user_z", apitest.Post(apitest.RequestsPath, `{"player":"user_c"}`)))
	var theirs, banned apitest.InviteBody
	s.Want(201, s.As("user_b", apitest.Post(apitest.InvitesPath, ""))).Into(s, &theirs)
	s.Want(201, s.As("user_z", apitest.Post(apitest.InvitesPath, ""))).Into(s, &banned)
	maps.Copy(rows, map[string]bannedRow{
		"POST /v1/friends/requests":                 {apitest.Post(apitest.RequestsPath, `{"player":"user_d"}`), mayNot},
		"POST /v1/friends/requests/{player}/accept": {apitest.Post(apitest.RequestsPath+"/user_b/accept", ""), mayNot},
		"POST /v1/friends/invites":                  {apitest.Post(apitest.InvitesPath, ""), mayNot},
		"POST /v1/friends/invites/{code}/accept":    {apitest.Post(apitest.InvitesPath+"/"+theirs.Code+"/accept", ""), mayNot},
		"PUT /v1/friends/blocks/{player}":           {apitest.Put(apitest.BlocksPath+"/user_e", ""), may},
		"DELETE /v1/friends/blocks/{player}":        {apitest.Remove(apitest.BlocksPath+"/user_e", ""), may},
		"DELETE /v1/friends/requests/{player}":      {apitest.Remove(apitest.RequestsPath+"/user_e", ""), may},
		"DELETE /v1/friends/{player}":               {apitest.Remove(apitest.FriendsPath+"/user_e", ""), may},
	})
	return func() {
		s.Want(404, s.As("user_c", apitest.Post(apitest.RequestsPath+"/user_z/accept", ""))).Problem(s, "no-request")
		s.Want(404, s.As("user_d", apitest.Get(apitest.InvitesPath+"/"+banned.Code))).Problem(s, "no-invite")
		s.Want(404, s.As("user_d", apitest.Post(apitest.InvitesPath+"/"+banned.Code+"/accept", ""))).Problem(s, "no-invite")
		require.NotContains(s, string(s.Want(200, s.As("user_d", apitest.Get(apitest.FriendsPath))).Body), "user_z")
	}
}
