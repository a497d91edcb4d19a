package main

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/archive"
)

func TestTheVersionNamesTheTablesItNeeds(t *testing.T) {
	status, out := lbctl(t, nil, "version")
	require.Equal(t, statusGood, status)
	require.Regexp(t, fmt.Sprintf(`^lbctl \S+, (revision \S+, )?go1\.\S+.*, needs migration %05d\n$`, archive.SchemaVersion), out.stdout.String())
	status, _ = lbctl(t, nil, "version", "more")
	require.Equal(t, statusFailed, status)
}

// The flags of a deployment name its version.
func TestADeployedBuildKnowsItsVersion(t *testing.T) {
	dry := exec.CommandContext(t.Context(), "make", "--no-print-directory", "-n", "build", "VERSION=v9.8.7")
	dry.Dir = "../.."
	lines, err := dry.Output()
	require.NoError(t, err)
	flags := regexp.MustCompile(`-ldflags "([^"]+)"`).FindSubmatch(lines)
	require.NotNil(t, flags, "%s", lines)
	binary := filepath.Join(t.TempDir(), "lbctl")
	out, err := exec.CommandContext(t.Context(), "go", "build", "-ldflags", string(flags[1]), "-o", binary, ".").CombinedOutput()
	require.NoError(t, err, "%s", out)
	out, err = exec.CommandContext(t.Context(), binary, "version").Output()
	require.NoError(t, err)
	require.Contains(t, string(out), "lbctl v9.8.7, ")
}
