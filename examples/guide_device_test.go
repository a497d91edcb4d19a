package examples_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/product/app"
)

func TestThePageOnAnonymousPlayRunsAsItStands(t *testing.T) {
	g, err := app.LoadGame("")
	require.NoError(t, err)
	g.Anonymous, g.DeviceNames = true, true
	out := guide(t, "build/anonymous.md", g)
	require.Empty(t, problems(out), out)
	require.Contains(t, out, `"profile":{"name":"Zoe"`)
	require.Contains(t, out, `"merged":[{"mode":"daily_frame"`)
}
