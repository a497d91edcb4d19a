package stage_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/lab/stage"
)

func TestTheClockNeverRunsBackwards(t *testing.T) {
	var c stage.Clock
	noon := time.Date(2026, 11, 16, 12, 0, 0, 0, time.UTC)
	c.Forward(noon)
	age := c.Elapsed()
	first := c.Now()
	c.Forward(noon.Add(-time.Hour))
	require.True(t, c.Now().After(first))
	c.Forward(noon.Add(time.Minute))
	require.Equal(t, time.Minute, age().Truncate(time.Second))
}
