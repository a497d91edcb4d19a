package costday

import (
	"testing"

	"github.com/stretchr/testify/require"

	leaderboards "github.com/framedle/leaderboards"
	"github.com/framedle/leaderboards/internal/platform/template"
)

func TestFunctionsOfTheQueueHaveTheMemoryOfTheTemplate(t *testing.T) {
	tmpl, err := template.Parse(leaderboards.Template)
	require.NoError(t, err)
	for _, name := range []string{functionEnqueue, functionIngest} {
		f, is := tmpl.Function(name)
		require.True(t, is, name)
		require.InDelta(t, f.MemoryMB, memoryMB[name], 1e-9, name)
	}
}

// The template still has the values that the plan takes from it.
func TestThePlanCitesTheQueueThatStands(t *testing.T) {
	text := string(leaderboards.Template)
	require.Regexp(t, `BatchSize: 1000\n`, text)
	require.Regexp(t, `MaximumConcurrency: 2\n`, text)
}
