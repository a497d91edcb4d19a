package house_test

import (
	"os"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

var (
	floorRow = regexp.MustCompile(`(?m)^\| (\d+) \|[^|]*\| (.*) \|$`)
	named    = regexp.MustCompile("`([^`]+)`")
)

// The page for newcomers shows the floors as they are here.
func TestTheArchitecturePageHasTheFloors(t *testing.T) {
	text, err := os.ReadFile("../../docs/architecture.md")
	require.NoError(t, err)
	rows := floorRow.FindAllStringSubmatch(string(text), -1)
	require.Len(t, rows, len(floors))
	for i, row := range rows {
		var names []string
		for _, found := range named.FindAllStringSubmatch(row[2], -1) {
			names = append(names, found[1])
		}
		require.ElementsMatch(t, floors[len(floors)-1-i], names, "floor %s of docs/architecture.md", row[1])
	}
}
