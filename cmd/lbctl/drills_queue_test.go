package main

import "github.com/stretchr/testify/require"

func init() {
	drillsOfFeatures["dead-letters"] = drill{nil, []int{0}, func(d *drilled, said string) {
		require.Contains(d, said, `"queued_scores":`)
	}}
}
