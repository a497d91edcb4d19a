package auth_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/platform/auth"
)

func TestKeysDifferByPurposeAndSecret(t *testing.T) {
	s := auth.NewSecret("a shared secret")
	require.Len(t, s.Key("cursor"), 32)
	require.Equal(t, s.Key("cursor"), auth.NewSecret("a shared secret").Key("cursor"), "every function derives the same")
	require.NotEqual(t, s.Key("cursor"), s.Key("duel"))
	require.NotEqual(t, s.Key("cursor"), auth.NewSecret("another").Key("cursor"))
	require.NotContains(t, string(s.Key("cursor")), "a shared secret")
}

func TestAnEmptySecretHoldsInOneProcess(t *testing.T) {
	s := auth.NewSecret("")
	require.Equal(t, s.Key("cursor"), s.Key("cursor"))
	require.NotEqual(t, s.Key("cursor"), auth.NewSecret("").Key("cursor"))
}
