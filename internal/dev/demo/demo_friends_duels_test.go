package demo_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// The guest finds friends, somebody who waits for her, and a challenge.
func TestTheGuestHasFriendsAndDuels(t *testing.T) {
	_, kept := guest(t)
	require.Len(t, kept.Friends, 8)
	require.Len(t, kept.RequestsReceived, 1)
	require.NotEmpty(t, kept.Duels)
}
