package soak

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestShrinkEndsWithTheSmallestThatFails(t *testing.T) {
	tried := []int{}
	o, f, err := Shrink(Options{Players: 100, Days: 90}, &Failure{Day: 40}, func(o Options) error {
		tried = append(tried, o.Players)
		if o.Players < 20 {
			return nil
		}
		return &Failure{Day: 30}
	})
	require.NoError(t, err)
	require.Equal(t, []int{50, 25, 13}, tried)
	require.Equal(t, [3]int{25, 30, 30}, [3]int{o.Players, o.Days, f.Day})
}
