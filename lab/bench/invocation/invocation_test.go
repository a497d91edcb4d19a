package main

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestEveryRouteIsAnswered runs the whole bench on a small scale. It fails where a
// function answers with another status than the expected one.
func TestEveryRouteIsAnswered(t *testing.T) {
	t.Chdir("../../..")
	require.NoError(t, run(t.Context(), 10))
}
