package derive

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestIntervalsStandWhileABoardGrowsALittle(t *testing.T) {
	for seconds, want := range map[int64]int64{0: 0, 1: 1, 3: 3, 7: 7, 8: 8, 9: 10, 100: 112, 112: 112, 113: 128, 700: 768, 768: 768} {
		require.Equal(t, time.Duration(want)*time.Second, inSteps(seconds), "%d s", seconds)
	}
	rapid.Check(t, func(t *rapid.T) {
		seconds := rapid.Int64Range(1, 1e6).Draw(t, "seconds")
		d := int64(inSteps(seconds) / time.Second)
		require.GreaterOrEqual(t, d, seconds)
		require.LessOrEqual(t, 4*d, 5*seconds+3, "a quarter more at the most")
		require.Equal(t, inSteps(d), inSteps(seconds))
		require.LessOrEqual(t, inSteps(seconds), inSteps(seconds+1))
	})
}
