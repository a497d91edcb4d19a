package main

import (
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/platform/auth"
)

// The printed token is the one whose hash is in the printed entry; no two are the same.
func TestAnOperatorsTokenFitsItsEntry(t *testing.T) {
	printed := regexp.MustCompile(`^token of ada, shown once:  ([0-9a-f]{64})\nentry for OPERATORS:  (ada:moderate:[0-9a-f]{64})\n$`)
	made := map[string]bool{}
	for range 3 {
		status, out := lbctl(t, nil, "operator", "ada", "moderate")
		require.Equal(t, statusGood, status)
		parts := printed.FindStringSubmatch(out.stdout.String())
		require.NotNil(t, parts, out.stdout.String())
		var nobody *auth.Operators
		operators, err := nobody.With(parts[2])
		require.NoError(t, err)
		who, err := operators.Verify(parts[1])
		require.NoError(t, err)
		require.Equal(t, auth.Operator{Name: "ada", Role: auth.Moderate}, who)
		made[parts[1]] = true
	}
	require.Len(t, made, 3)
}
