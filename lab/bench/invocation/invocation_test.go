package main

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestEveryRouteIsAnswered runs the whole bench, small: it fails where a function
// answers with another status than it is to.
func TestEveryRouteIsAnswered(t *testing.T) {
	t.Chdir("../../..")
	require.NoError(t, run(t.Context(), 10))
}
