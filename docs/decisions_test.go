package docs_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var decisionRow = regexp.MustCompile(`(?m)^\| \[(\d{4})\]\((\S+)\) \| (.*?)(?: \*\(in part superseded\)\*)? \|`)

func TestTheListOfDecisionsHasEachOnceUnderItsTitle(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(root, "docs/decisions/0*.md"))
	require.NoError(t, err)
	_, after, found := strings.Cut(read(t, "docs/decisions/README.md"), "\n## Superseded\n")
	require.True(t, found)
	listed := map[string]string{}
	for _, row := range decisionRow.FindAllStringSubmatch(read(t, "docs/decisions/README.md"), -1) {
		require.NotContains(t, listed, row[2], "listed twice")
		listed[row[2]] = row[3]
	}
	require.Len(t, listed, len(files))
	for i, path := range files {
		name := filepath.Base(path)
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		title, rest, _ := strings.Cut(string(text), "\n")
		require.True(t, strings.HasPrefix(name, fmt.Sprintf("%04d-", i+1)), "no number is left out or used twice: %s", name)
		require.Equal(t, fmt.Sprintf("# %d. %s", i+1, listed[name]), title)
		if strings.Contains(after, "\n| ["+name[:4]+"]("+name+")") {
			require.Contains(t, rest, "**Superseded**", "%s does not say so itself", name)
		}
	}
}
