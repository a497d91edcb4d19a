package examples_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/product/app"
)

func TestTheGuideToTheAPIRunsAsItStands(t *testing.T) {
	g, err := app.LoadGame("")
	require.NoError(t, err)
	out := guide(t, "build/api.md", g)
	require.Equal(t, []string{"score-out-of-bounds", "score-out-of-bounds"}, problems(out), "those that the page is about:\n%s", out)
	for _, answer := range []string{`"status":"accepted"`, `"next_cursor"`, "}304\n", `"status":"friends"`, `"status":"decided"`, `"good":true`} {
		require.Contains(t, out, answer)
	}
}
