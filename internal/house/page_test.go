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
	features    = regexp.MustCompile("(?m)^The features: .*$")
	featureName = regexp.MustCompile("`([a-z]+)`")
)

// The page for newcomers has every folder of internal/ and every feature.
func TestTheArchitecturePageHasTheFolders(t *testing.T) {
	text, err := os.ReadFile("../../docs/internals/architecture.md")
	require.NoError(t, err)
	for folder, rows := range map[string][][]string{
		"..":         districtRow.FindAllStringSubmatch(string(text), -1),
		"../feature": featureName.FindAllStringSubmatch(features.FindString(string(text)), -1),
	} {
		var want, found []string
		entries, err := os.ReadDir(folder)
		require.NoError(t, err)
		for _, entry := range entries {
			if name := entry.Name(); entry.IsDir() && name != "house" && path.Ext(name) == "" {
				want = append(want, name)
			}
		}
		for _, row := range rows {
			found = append(found, row[1])
		}
		require.ElementsMatch(t, want, found, folder)
	}
}
