package main

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// A short attack must stay within the same limits as a long one. Its length and its clock
// count requests, so that a slow machine takes longer and finds the same.
func TestAnAttackIsBoundedWhileOthersPlay(t *testing.T) {
	o := settings{ids: 150, honest: 10, processes: 2, requests: 24_000, pace: 100 * time.Millisecond, clock: newClock()}
	r, err := run(t.Context(), o)
	require.NoError(t, err)
	t.Log("\n" + r.String())
	require.NoError(t, r.verdict())
	require.Equal(t, 50, r.submits)
	require.GreaterOrEqual(t, r.requests, o.requests)
}

func TestAVerdictNamesEverythingThatMustNotBe(t *testing.T) {
	good := report{requests: 1000, hostile: 10, halfSent: 500, halfCost: 9, honest: 5, before: 100, after: 115, processes: 1}
	require.NoError(t, good.verdict())
	for name, test := range map[string]struct {
		change func(*report)
		says   string
	}{
		"the cost":        {func(r *report) { r.requests, r.hostile, r.after = 1e6, 3100, 3205 }, "3100 commands, want at most 3000"},
		"looks put off":   {func(r *report) { r.looks, r.waits = 100, 5 }, "5 of 100 looks were put off"},
		"a wrong meter":   {func(r *report) { r.after++ }, "the meters counted 15 commands, Redis itself 16"},
		"memory":          {func(r *report) { r.end = mostGrowth + 1 }, "memory grew"},
		"a player's loss": {func(r *report) { r.faults = []string{"ana was refused"} }, "ana was refused"},
	} {
		t.Run(name, func(t *testing.T) {
			bad := good
			test.change(&bad)
			require.ErrorContains(t, bad.verdict(), test.says)
		})
	}
}

func TestSettingsAreHeldAgainstTheirBounds(t *testing.T) {
	o, err := parse([]string{"-n", "50", "-for", "10s"})
	require.NoError(t, err)
	require.Equal(t, 50, o.ids)
	require.Equal(t, time.Second, o.pace)
	for _, bad := range [][]string{{"-n", "0"}, {"-for", "1ms"}, {"-processes", "0"}, {"-honest", "401"}} {
		_, err := parse(bad)
		require.ErrorContains(t, err, "use -n")
	}
}
