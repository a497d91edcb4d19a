package upstashtest_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestTheEmbeddedEngineAnswersAsARealOne runs every file of testdata/commands, which has
// one command a line, over both engines.
func TestTheEmbeddedEngineAnswersAsARealOne(t *testing.T) {
	files, err := filepath.Glob("testdata/commands/*.txt")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			commands, err := os.ReadFile(file)
			require.NoError(t, err)
			sameOnBothEngines(t, string(commands))
		})
	}
}
