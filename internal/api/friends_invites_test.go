package api_test

import (
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
