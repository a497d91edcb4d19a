package docs_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A release has one version: the changelog's newest.
func TestVersionsAgree(t *testing.T) {
	newest := regexp.MustCompile(`(?m)^## \[?v(\d+\.\d+\.\d+)\]? - \d{4}-\d\d-\d\d$`).FindStringSubmatch(read(t, "CHANGELOG.md"))
	require.NotNil(t, newest)
	version := newest[1]

	for _, file := range []string{"sdk/js/package.json", "sdk/js/package-lock.json"} {
		var npm struct {
			Version  string
			Packages map[string]struct{ Version string }
		}
		require.NoError(t, json.Unmarshal([]byte(read(t, file)), &npm))
		require.Equal(t, version, npm.Version, file)
		if npm.Packages != nil {
			require.Equal(t, version, npm.Packages[""].Version, file)
		}
	}
	require.Contains(t, read(t, "api/openapi.yaml"), "\n  version: "+version+"\n")
	minor, _, _ := strings.Cut(strings.TrimPrefix(version, "0."), ".")
	require.Contains(t, read(t, "README.md"), "Version 0."+minor+".")

	// What builds without git, such as SAM's, call themselves.
	built := exec.CommandContext(t.Context(), "make", "-s", "--eval", "said: ; @echo $(VERSION)", "said")
	built.Dir = root
	built.Env = append(slices.DeleteFunc(os.Environ(), func(set string) bool { return strings.HasPrefix(set, "VERSION=") || strings.HasPrefix(set, "MAKE") }), "GIT_DIR=/nonexistent")
	out, err := built.CombinedOutput()
	require.NoError(t, err, string(out))
	require.Equal(t, "v"+version+"\n", string(out))
	require.Contains(t, read(t, "functions/all/Dockerfile"), "org.opencontainers.image.version=$VERSION")
}
