package house_test

import (
	"os"
	"path"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

var (
	districtRow = regexp.MustCompile("(?m)^\\| `internal/([a-z]+)/?[^`]*` \\|")
	featureRow  = regexp.MustCompile("(?m)^\\| `feature/([a-z]+)` \\|")
)

// The page for newcomers has every folder of internal/ and every feature.
func TestTheArchitecturePageHasTheFolders(t *testing.T) {
	text, err := os.ReadFile("../../docs/internals/architecture.md")
	require.NoError(t, err)
	for folder, rows := range map[string]*regexp.Regexp{"..": districtRow, "../feature": featureRow} {
		var want, found []string
		entries, err := os.ReadDir(folder)
		require.NoError(t, err)
		for _, entry := range entries {
			if name := entry.Name(); entry.IsDir() && name != "house" && path.Ext(name) == "" {
				want = append(want, name)
			}
		}
		for _, row := range rows.FindAllStringSubmatch(string(text), -1) {
			found = append(found, row[1])
		}
		require.ElementsMatch(t, want, found, folder)
	}
}
