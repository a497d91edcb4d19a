package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/lab/costday"
)

func TestTablesAreWrittenBetweenTheMarks(t *testing.T) {
	path := filepath.Join(t.TempDir(), "cost.md")
	require.NoError(t, os.WriteFile(path, []byte("# Cost\n"+begin+"old\n"+end+"after\n"), 0o600))
	for range 2 { // the second time changes nothing
		require.NoError(t, write(path, "| new |\n"))
		page, err := os.ReadFile(path)
		require.NoError(t, err)
		require.Equal(t, "# Cost\n"+begin+"\n| new |\n"+end+"after\n", string(page))
	}
	require.NoError(t, os.WriteFile(path, []byte("# Cost\n"), 0o600))
	require.ErrorContains(t, write(path, ""), "must stand around the tables")
}

func TestThePageOfCostsHasTheMarks(t *testing.T) {
	page, err := os.ReadFile("../../../docs/internals/costs.md")
	require.NoError(t, err)
	require.Contains(t, string(page), begin)
	require.Contains(t, string(page), end)
}

func TestNumbersOfPlayersAreRead(t *testing.T) {
	o, err := parse([]string{"-n", "100, 2000", "-check", "", "-windows", "20", "-journeys", "near, view", "-days", "queue, deployed", "-report"})
	require.NoError(t, err)
	require.Equal(t, settings{sizes: []int{100, 2000}, journeys: []costday.Journey{costday.Near, costday.View}, windows: []int{20}, seed: 1, days: []string{queued, deployed}, report: true}, o)
	for _, args := range [][]string{{"-n", ""}, {"-n", "49"}, {"-n", "many"}, {"-n", "1000001"}, {"-check", "-1"}, {"-journeys", "here"}, {"-windows", "61"}, {"-days", "others"}} {
		_, err := parse(args)
		require.ErrorContains(t, err, args[0], "%v", args)
	}
}
