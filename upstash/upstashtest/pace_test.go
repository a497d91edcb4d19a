package upstashtest

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestPaceLetsASecondsWorthPassAtOnce(t *testing.T) {
	p := pace{perSecond: 10}
	now := time.Unix(1, 0)
	require.Zero(t, p.reserve(now, 10))
	require.Equal(t, 100*time.Millisecond, p.reserve(now, 1))
	require.Equal(t, 200*time.Millisecond, p.reserve(now, 1))
	require.Zero(t, p.reserve(now.Add(5*time.Second), 10), "what was not used in time is gone")
	require.Equal(t, 500*time.Millisecond, p.reserve(now.Add(5*time.Second), 5))
	require.Zero(t, (&pace{}).reserve(now, 1000))
}
