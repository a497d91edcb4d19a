package friend_test

import (
	"github.com/framedle/leaderboards/internal/dev/apitest"

	"fmt"
	"net/http"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAnErasedPlayerIsNobodysFriend(t *testing.T) {
	s := apitest.NewKeptStack(t)
	s.Play("user_a", "daily", "500")
	s.MakeFriends("user_a", "user_b")
	s.Want(http.StatusNoContent, s.As("user_b", apitest.Put(apitest.BlocksPath+"/user_c", "")))
	s.Want(http.StatusOK, s.ClerkMessage("msg_gone", `{"type":"user.deleted","data":{"id":"user_b"}}`))
	require.Empty(t, s.FriendsBody("user_a").Friends)
	erased := s.FriendsBody("user_b")
	require.Empty(t, slices.Concat(erased.Friends, erased.Received, erased.Sent, erased.Blocked))
	for _, read := range [][]string{{"ZRANGE", "friends:user_a", "0", "-1"}, {"ZRANGE", "friends:user_b", "0", "-1"}, {"HGETALL", "lists"}, {"HGETALL", "blocks"}} {
		stored, err := s.Redis.Server.Redis().Do(t.Context(), read...)
		require.NoError(t, err)
		require.NotContains(t, fmt.Sprint(stored), "user_b", "%s", read)
	}
}
