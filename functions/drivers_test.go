package functions_test

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/platform/host/lambdatest"
)

const (
	postgresDriver = "github.com/jackc/pgx/v5"
	redisDriver    = "github.com/redis/go-redis/v9"
)

// linked returns the packages that a function links, by import path.
func linked(t *testing.T, function string) []string {
	t.Helper()
	// The test cache notices changes of files that the test itself looks at, not of those
	// that go list reads.
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

// A function that only writes to Redis links no driver for Postgres.
func TestScoresGoInWithoutADatabaseDriver(t *testing.T) {
	require.Contains(t, linked(t, "leaderboard"), postgresDriver, "go list found the packages")
	for _, function := range takers {
		require.NotContains(t, linked(t, function), postgresDriver, function)
	}
}

// Only programs that run for days speak the Redis protocol.
func TestNoFunctionOfLambdaLinksADriverForRedis(t *testing.T) {
	entries, err := os.ReadDir(".")
	require.NoError(t, err)
	var linking []string
	for _, entry := range entries {
		if entry.IsDir() && slices.Contains(linked(t, entry.Name()), redisDriver) {
			linking = append(linking, entry.Name())
		}
	}
	require.Equal(t, []string{
		"all",
		"live",
	}, linking)
}
