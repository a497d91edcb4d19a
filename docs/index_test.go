package docs_test

import (
	"path"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var indexRow = regexp.MustCompile(`(?m)^- \[([^\]]+)\]\(([^)]+\.md)\)`)

// The navigation of the site is made from the same list.
func TestTheIndexHasEveryPageByItsTitle(t *testing.T) {
	all := pages(t)
	listed := map[string]bool{}
	for _, row := range indexRow.FindAllStringSubmatch(all["docs/README.md"], -1) {
		page := path.Join("docs", row[2])
		require.False(t, listed[page], "docs/README.md lists %s twice", page)
		listed[page] = true
		title, _, _ := strings.Cut(all[page], "\n")
		if page != "docs/decisions/README.md" {
			require.Equal(t, "# "+row[1], title, page)
		}
	}
	for page := range all {
		if strings.HasPrefix(page, "docs/") && page != "docs/README.md" && path.Base(path.Dir(page)) != "decisions" {
			require.True(t, listed[page], "docs/README.md does not list %s", page)
		}
	}
	decisions := all["docs/decisions/README.md"]
	for page := range all {
		if path.Dir(page) == "docs/decisions" && path.Base(page) != "README.md" {
			require.Contains(t, decisions, "]("+path.Base(page)+")", page)
		}
	}
}

// The README shows three figures of a measurement.
func TestTheReadmesFiguresAreMeasured(t *testing.T) {
	readme, costs := read(t, "README.md"), read(t, "docs/internals/costs.md")
	for figure, measured := range map[string]string{
		"**1,451 daily players** fit": "carry 1,451 daily players",
		"**$0.08 a month** in all":    "| **all, after a year** | **0.01** (5.58) | **0.08** (6.37) |",
		"and $12 for 10,000":          "| **12.31** (17.65) |",
	} {
		require.Contains(t, readme, figure)
		require.Contains(t, costs, measured)
	}
}
