package template_test

import (
	"os"
	"regexp"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

// The cost of one player is bounded for fifty processes at once: so many may serve
// players with the documented ReservedConcurrency.
func TestFiftyProcessesServeOnePlayerAtMost(t *testing.T) {
	var functions []string
	for _, f := range project(t).Functions {
		if len(f.Routes) > 0 {
			functions = append(functions, f.Name)
		}
	}
	slices.Sort(functions)
	// enqueue or submit takes the scores of players; ops, events and webhook serve
	// callers with keys.
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
