package template_test

import (
	"os"
	"regexp"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

// What one player can cost is bounded for fifty processes at once: those that the
// documented ReservedConcurrency lets serve players.
func TestFiftyProcessesServeOnePlayerAtMost(t *testing.T) {
	var functions []string
	for _, f := range project(t).Functions {
		if len(f.Routes) > 0 {
			functions = append(functions, f.Name)
		}
	}
	slices.Sort(functions)
	// Scores of players are taken by enqueue or by submit; ops, events and
	// webhook serve holders of keys.
	require.Equal(t, []string{"duel", "enqueue", "events", "friends", "graphql", "leaderboard", "me", "ops", "submit", "webhook"}, functions)
	const serveOnePlayer = 5

	page, err := os.ReadFile("../../docs/limits.md")
	require.NoError(t, err)
	documented := regexp.MustCompile("`ReservedConcurrency` at (\\d+)").FindSubmatch(page)
	require.NotNil(t, documented)
	each, err := strconv.Atoi(string(documented[1]))
	require.NoError(t, err)
	require.Positive(t, each)
	require.LessOrEqual(t, serveOnePlayer*each, 50)

	documented = regexp.MustCompile(`with GraphQL, (\d+)`).FindSubmatch(page)
	require.NotNil(t, documented, "the function graphql serves players too, where it is there")
	each, err = strconv.Atoi(string(documented[1]))
	require.NoError(t, err)
	require.LessOrEqual(t, (serveOnePlayer+1)*each, 50)
}
