package friend_test

import (
	"github.com/framedle/leaderboards/internal/dev/apitest"

	"encoding/json"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/feature/friend"
)

// Redis keeps the answer to a request for an invite, but not its code. The same request gets the
// same code, in another process too, and while secrets are rotated.
func TestTheCodeOfAnInviteIsNowhere(t *testing.T) {
	s := apitest.NewStack(t)
	s.Keep()
	one := s.As("user_a", apitest.Post(apitest.InvitesPath, `{"uses":3}`)).With("Idempotency-Key", "k")
	var invite apitest.InviteBody
	first := s.Want(http.StatusCreated, one)
	first.Into(t, &invite)
	require.Len(t, invite.Code, friend.CodeLength)
	for place, words := range testkit.Words(t, s.Redis.Server, s.Redis.Do("KEYS", "*")) {
		require.False(t, words[invite.Code], place)
	}
	s.Handler = s.Process()
	again := s.Want(http.StatusCreated, one)
	require.Equal(t, first.Body, again.Body)
	require.Equal(t, "true", again.Header.Get("Idempotency-Replayed"))
	s.Want(http.StatusOK, s.As("user_b", apitest.Post(apitest.InvitesPath+"/"+invite.Code+"/accept", "")))
}

// An invite names its player to those who can accept it. All others get one answer, so that it
// shows no block.
func TestAnInviteNamesItsPlayer(t *testing.T) {
	s := apitest.NewStack(t)
	s.Keep()
	s.Want(http.StatusOK, s.As("user_a", apitest.Patch(apitest.Myself, `{"name":"Ana","country":"PT"}`)))
	path := s.Invite("user_a")
	require.JSONEq(t, `{"player":"user_a","name":"Ana","country":"PT"}`, string(s.Want(http.StatusOK, s.As("user_b", apitest.Get(path))).Body))
	answer := func(by, path string) map[string]any {
		t.Helper()
		got := s.Want(http.StatusNotFound, s.As(by, apitest.Get(path)))
		got.Problem(t, "no-invite")
		var body map[string]any
		require.NoError(t, json.Unmarshal(got.Body, &body))
		delete(body, "instance")
		return body
	}
	unknown := answer("user_b", apitest.InvitesPath+"/abcdefghijklmnopqrstuvwxyz")
	refused := func(by, path string) {
		t.Helper()
		require.Equal(t, unknown, answer(by, path))
	}
	refused("user_a", path) // one's own

	s.Want(http.StatusNoContent, s.As("user_a", apitest.Put(apitest.BlocksPath+"/user_b", "")))
	refused("user_b", path)
	s.Want(http.StatusNoContent, s.As("user_a", apitest.Remove(apitest.BlocksPath+"/user_b", "")))
	s.Want(http.StatusNoContent, s.As("user_b", apitest.Put(apitest.BlocksPath+"/user_a", "")))
	refused("user_b", path)
	s.Want(http.StatusNoContent, s.As("user_b", apitest.Remove(apitest.BlocksPath+"/user_a", "")))

	var once apitest.InviteBody
	s.Want(http.StatusCreated, s.As("user_a", apitest.Post(apitest.InvitesPath, `{"uses":1}`))).Into(t, &once)
	s.Want(http.StatusOK, s.As("user_c", apitest.Post(apitest.InvitesPath+"/"+once.Code+"/accept", "")))
	refused("user_b", apitest.InvitesPath+"/"+once.Code)                                  // used up
	s.Want(http.StatusOK, s.As("user_c", apitest.Get(apitest.InvitesPath+"/"+once.Code))) // by a friend it can be accepted again
	s.Clock.Set(s.Clock.Now().Add(friend.InviteLife))
	refused("user_c", path)
}

// Who comes by an invite has often not played yet.
func TestFriendsSeeTheNamesOfThoseWhoHaveNotPlayed(t *testing.T) {
	s := apitest.NewStack(t)
	s.Keep()
	as := func(player, name string, c apitest.Call) apitest.Call {
		return c.Bearer(s.TokenWith(player, map[string]any{"name": name}))
	}
	var invite apitest.InviteBody
	s.Want(http.StatusCreated, as("user_anouk", "Anouk", apitest.Post(apitest.InvitesPath, ""))).Into(s, &invite)
	var inviter apitest.RelationBody
	s.Want(http.StatusOK, s.As("user_bruno", apitest.Get(apitest.InvitesPath+"/"+invite.Code))).Into(s, &inviter)
	require.Equal(t, "Anouk", inviter.Name)
	s.Want(http.StatusOK, as("user_bruno", "Bruno", apitest.Post(apitest.InvitesPath+"/"+invite.Code+"/accept", "")))
	s.Want(http.StatusCreated, as("user_cleo", "Cleo", apitest.Post(apitest.RequestsPath, `{"player":"user_anouk"}`)))
	lists := s.FriendsBody("user_anouk")
	require.Equal(t, "Bruno", lists.Friends[0].Name)
	require.Equal(t, "Cleo", lists.Received[0].Name)
	s.Want(http.StatusOK, s.As("user_anouk", apitest.Post(apitest.RequestsPath+"/user_cleo/accept", "")))
	s.Want(http.StatusCreated, s.As("user_dora", apitest.Post(apitest.RequestsPath, `{"player":"user_emil"}`)))
	s.Want(http.StatusOK, as("user_emil", "Emil", apitest.Post(apitest.RequestsPath+"/user_dora/accept", "")))
	require.Equal(t, "Emil", s.FriendsBody("user_dora").Friends[0].Name)
}
