package house_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The small feature in testdata is added by the steps of docs/internals/adding-things.md, A
// feature: its folder, its lines in the list, its path in the document, and what make generate
// writes. Its own test then sends it requests.
func TestAFeatureCanBeAdded(t *testing.T) {
	dir := copied(t)
	example := func(name string) string {
		text, err := os.ReadFile(filepath.Join("testdata/hourly", name))
		require.NoError(t, err)
		return string(text)
	}
	write := func(path, text string) {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, path)), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(dir, path), []byte(text), 0o600))
	}
	before := func(path, line, added string) {
		text, err := os.ReadFile(filepath.Join(dir, path))
		require.NoError(t, err)
		require.Equal(t, 1, strings.Count(string(text), line), "%s: %s", path, line)
		write(path, strings.Replace(string(text), line, added+line, 1))
	}
	write("internal/feature/hourly/hourly.go", example("hourly.go.txt"))
	write("internal/feature/hourly/hourly_test.go", example("hourly_test.go.txt"))
	const list = "internal/product/app/features.go"
	before(list, "\t\"github.com/framedle/leaderboards/internal/feature/league\"\n", "\t\"github.com/framedle/leaderboards/internal/feature/hourly\"\n")
	before(list, "\t\t\twallet.Gain{", "\t\t\thourly.Record{DB: s.DB},\n")
	before(list, "\t\tleague.Endpoints{", "\t\thourly.Endpoints{Game: p.Game, Record: hourly.Record{DB: store.DB}}.Routes(),\n")
	before("api/openapi.yaml", "  /v1/presence:\n", example("openapi.yaml"))
	for _, arguments := range []string{
		"./internal/api -run TestWhatIsMadeFromTheRowsIsCurrent -update", // as make generate does
		"./internal/feature/hourly",
		"./internal/house -run TestPackagesImportWhatTheirDistrictMay",
	} {
		run := exec.CommandContext(t.Context(), "go", append([]string{"test"}, strings.Fields(arguments)...)...)
		run.Dir = dir
		out, err := run.CombinedOutput()
		require.NoError(t, err, "%s: %s", arguments, out)
	}
	for path, made := range map[string]string{
		"template.yaml":                    "Path: /v1/leaderboards/{mode}/hour",
		"docs/reference/routes.md":         "/v1/leaderboards/{mode}/hour",
		"internal/product/app/patterns.go": `"GET /v1/leaderboards/{mode}/hour"`,
	} {
		text, err := os.ReadFile(filepath.Join(dir, path))
		require.NoError(t, err)
		require.Contains(t, string(text), made, path)
	}
}
