package functions_test

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/host/lambdatest"
)

const postgresDriver = "github.com/jackc/pgx/v5"

// linked are the packages of a function, by import path.
func linked(t *testing.T, function string) []string {
	t.Helper()
	// The test cache sees the files that a test looks at, not those of the tool.
	require.NoError(t, filepath.WalkDir("..", func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && strings.HasPrefix(entry.Name(), ".") && path != "..":
			return filepath.SkipDir
		case strings.HasSuffix(path, ".go"):
			_, _ = os.Stat(path)
		}
		return nil
	}))
	out, err := exec.CommandContext(t.Context(), "go", "list", "-tags", lambdatest.Tags, "-deps", "./"+function).Output()
	require.NoError(t, err)
	return strings.Fields(string(out))
}

// Who only writes to Redis starts without what speaks to Postgres.
func TestScoresGoInWithoutADatabaseDriver(t *testing.T) {
	require.Contains(t, linked(t, "leaderboard"), postgresDriver, "go list found the packages")
	require.NotContains(t, linked(t, "submit"), postgresDriver)
}
