package main

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestASeasonOfDuelsIsPlayed(t *testing.T) {
	status, stdout, stderr := play(t, "duels", "-redis", "embedded", "-passes", "2")
	require.Equal(t, statusRight, status, stderr+stdout)
	require.Contains(t, stdout, "Every rating is right.")
}
