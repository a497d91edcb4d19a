package host

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestGarbageIsCollectedLessWhereMemoryIsKnown(t *testing.T) {
	const size = "AWS_LAMBDA_FUNCTION_MEMORY_SIZE"
	for name, c := range map[string]struct {
		env     map[string]string
		percent int
		limit   int64
	}{
		"nobody says how much there is": {nil, 0, 0},
		"Lambda says":                   {map[string]string{size: "256"}, collectPercent, 192 << 20},
		"what it says is no number":     {map[string]string{size: "much"}, 0, 0},
		"the operator limits it":        {map[string]string{"GOMEMLIMIT": "100MiB", size: "256"}, collectPercent, 0},
		"the operator says how often":   {map[string]string{"GOGC": "50", size: "256"}, 0, 0},
	} {
		percent, limit := collecting(func(key string) string { return c.env[key] })
		require.Equal(t, c.percent, percent, name)
		require.Equal(t, c.limit, limit, name)
	}
}
