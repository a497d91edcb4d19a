package api_test

import (
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
	s := newStack(t)
	s.befriend()
	one := s.as("user_a", post(invitesPath, `{"uses":3}`)).with("Idempotency-Key", "k")
	var invite inviteBody
	first := s.want(http.StatusCreated, one)
	first.into(t, &invite)
	require.Len(t, invite.Code, friend.CodeLength)
	for place, words := range testkit.Words(t, s.redis.Server, s.redis.Do("KEYS", "*")) {
		require.False(t, words[invite.Code], place)
	}
	s.handler = s.process()
	again := s.want(http.StatusCreated, one)
	require.Equal(t, first.body, again.body)
	require.Equal(t, "true", again.header.Get("Idempotency-Replayed"))
	s.want(http.StatusOK, s.as("user_b", post(invitesPath+"/"+invite.Code+"/accept", "")))
}

// An invite names its player to those who can accept it. All others get one answer, so that it
// shows no block.
func TestAnInviteNamesItsPlayer(t *testing.T) {
	s := newStack(t)
	s.befriend()
	s.want(http.StatusOK, s.as("user_a", patch(myself, `{"name":"Ana","country":"PT"}`)))
	path := s.invite("user_a")
	require.JSONEq(t, `{"player":"user_a","name":"Ana","country":"PT"}`, string(s.want(http.StatusOK, s.as("user_b", get(path))).body))
	answer := func(by, path string) map[string]any {
		t.Helper()
		got := s.want(http.StatusNotFound, s.as(by, get(path)))
		got.problem(t, "no-invite")
		var body map[string]any
		require.NoError(t, json.Unmarshal(got.body, &body))
		delete(body, "instance")
		return body
	}
	unknown := answer("user_b", invitesPath+"/abcdefghijklmnopqrstuvwxyz")
	refused := func(by, path string) {
		t.Helper()
		require.Equal(t, unknown, answer(by, path))
	}
	refused("user_a", path) // one's own

	s.want(http.StatusNoContent, s.as("user_a", put(blocksPath+"/user_b", "")))
	refused("user_b", path)
	s.want(http.StatusNoContent, s.as("user_a", remove(blocksPath+"/user_b", "")))
	s.want(http.StatusNoContent, s.as("user_b", put(blocksPath+"/user_a", "")))
	refused("user_b", path)
	s.want(http.StatusNoContent, s.as("user_b", remove(blocksPath+"/user_a", "")))

	var once inviteBody
	s.want(http.StatusCreated, s.as("user_a", post(invitesPath, `{"uses":1}`))).into(t, &once)
	s.want(http.StatusOK, s.as("user_c", post(invitesPath+"/"+once.Code+"/accept", "")))
	refused("user_b", invitesPath+"/"+once.Code)                          // used up
	s.want(http.StatusOK, s.as("user_c", get(invitesPath+"/"+once.Code))) // by a friend it can be accepted again
	s.clock.Set(s.clock.Now().Add(friend.InviteLife))
	refused("user_c", path)
}
